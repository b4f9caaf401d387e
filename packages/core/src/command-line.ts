import { type Environment, type ReadFile, unknownFleetVariables, type VariableTable, withFileContents } from "./environment-variables.ts";
import { jsonEscapes, replaceUnsafe } from "./plain-text.ts";

/** Escapes characters that could control a terminal or hide from it. The escapes are valid in JSON too, so JSON output keeps its meaning. */
export const forTerminal = (text: string): string =>
  replaceUnsafe(text, (character) => (character === "\n" || character === "\t" ? character : jsonEscapes(character)));

/** A message of commander, or another, as one line. A flag that only exists as a variable is named with it, without what may be its value. */
export function commandError(message: string, table: VariableTable = {}): string {
  const [, flag, stem = ""] = /unknown option '(--([\w-]+)=?)/.exec(message) ?? [];
  const variable = `FLEET_${stem.toUpperCase().replaceAll("-", "_")}`;
  if (flag !== undefined && Object.hasOwn(table, variable)) return `unknown option '${flag}': set ${variable}`;
  return message
    .trim()
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ");
}

/** The variables of a table, as lines of help. */
export const variableLines = (table: VariableTable): string =>
  Object.entries(table)
    .map(([name, { description }]) => `  ${name.padEnd(26)} ${description}`)
    .join("\n");

interface CommandSettings {
  env: Environment;
  /** Sentences for whoever started the command. */
  notices: string[];
  /** The variables of the connection that are set. */
  connection: string[];
}

/**
 * The settings of a command, with the content of the files that they name. The table has the variables that the command reads; `known` also those
 * that are no surprise. With `sandbox`, those of the connection are left out, since the sandbox's replace them.
 */
export function commandSettings(
  environment: Environment,
  {
    table,
    known = table,
    sandbox = false,
    readFile,
  }: { table: VariableTable; known?: VariableTable; sandbox?: boolean; readFile: ReadFile },
): CommandSettings {
  const connects = new Set(Object.keys(table).filter((name) => table[name]?.connection));
  const connection = [...connects].filter((name) => environment[name]?.trim());
  const unknown = unknownFleetVariables(environment, known);
  const notices = unknown.length === 0 ? [] : [`ignored unknown variables: ${unknown.join(", ")}`];
  if (!sandbox) return { env: withFileContents(environment, table, readFile), notices, connection };
  const ignored = connection.length === 0 ? "" : `; ignored: ${connection.join(", ")}`;
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !connects.has(name)));
  const notice = `sandbox: every vehicle, person and position is made up${ignored}`;
  return { env: withFileContents(kept, table, readFile), notices: [notice, ...notices], connection };
}
