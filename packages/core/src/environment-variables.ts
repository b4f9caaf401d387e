import * as z from "zod";
import { editDistance } from "./edit-distance.ts";
import { FleetError } from "./errors.ts";

/** How an environment variable is read, and how help describes it. */
export interface EnvironmentVariable {
  /** Parses the trimmed value. Custom messages start with "must". */
  schema: z.ZodType;
  /** Purpose and default of the variable, as a phrase without a full stop. */
  description: string;
  /** Marks a secret, which has no flag: other users of the machine can see command lines. */
  secret?: true;
  /** Marks a variable that must be set. */
  required?: true;
  /** Marks a setting of the connection to the service; `--sandbox` sets it to the sandbox's value. */
  connection?: true;
  /** The variable whose value is in the file that this one names; `withFileContents` reads it. */
  contentOf?: string;
  /** Marks a variable that names a JSON file; `withFileContents` replaces its value with the content. */
  jsonFile?: true;
}

/** The variables that a package reads, by name. A program that uses several packages merges their tables. */
export type VariableTable = Readonly<Record<string, EnvironmentVariable>>;

/** The parsed values of the variables that are set. */
export type VariableValues<Table extends VariableTable> = { [Name in keyof Table]?: z.output<Table[Name]["schema"]> };

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The schema of a variable that takes one of several words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });

/** Text that a host or a user should have replaced: `${FLEET_CLIENT_ID}`, `{{id}}`, `%ID%`, `<client id>`, `YOUR_SECRET`, `...`. */
const PLACEHOLDER = /^(\$\{.*\}|\$[A-Z_]+|\{\{.*\}\}|%\w+%|<[^<>]+>|your[-_ ].*|change-?me|\/?\.{3}|…)$/i;
const PLACEHOLDER_IN_URL = /^https?:\/\/.*(\$\{|\{\{|[<>]|…)|^https?:\/\/(\.{3}|your[-_.])/i;
const NOT_REPLACED = "still holds a placeholder: replace it, or let your host fill it in";

const isPlaceholder = (text: string) => PLACEHOLDER.test(text) || PLACEHOLDER_IN_URL.test(text);

/** Returns the content of a file as text; throws if it cannot be read. */
export type ReadFile = (path: string) => string;

const lineProblem = (content: string) => (/[\r\n]/.test(content) ? "the file has more than one line" : undefined);

const jsonProblem = (content: string) => (content.startsWith("{") ? undefined : "the file is not a JSON object");

function contentOrProblem(read: () => string, problemOf: (content: string) => string | undefined): { content?: string; problem?: string } {
  try {
    const content = read().trim();
    const problem = content === "" ? "the file is empty" : problemOf(content);
    return problem === undefined ? { content } : { problem };
  } catch (error) {
    const { code } = error as { code?: unknown };
    return { problem: `the file cannot be read${typeof code === "string" ? ` (${code})` : ""}` };
  }
}

/**
 * Replaces each variable that names a file, such as FLEET_CLIENT_SECRET_FILE, with the variable whose value is in it, and the name of a JSON file with its
 * content. Throws one `config` error that lists the files that cannot be used, without their paths. Core has no file system, so the caller passes the function that reads files.
 */
export function withFileContents(
  env: Environment,
  table: Readonly<Record<string, Pick<EnvironmentVariable, "description" | "contentOf" | "jsonFile">>>,
  readFile: ReadFile,
): Environment {
  const resolved: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const [name, { contentOf, jsonFile }] of Object.entries(table)) {
    const path = env[name]?.trim();
    const target = jsonFile ? name : contentOf;
    if (target === undefined || !path) continue;
    delete resolved[name];
    const { content, problem } =
      contentOf !== undefined && env[contentOf]?.trim()
        ? { problem: `set it or ${contentOf}, not both` }
        : isPlaceholder(path)
          ? { problem: NOT_REPLACED }
          : contentOrProblem(() => readFile(path), jsonFile ? jsonProblem : lineProblem);
    resolved[target] = content ?? (jsonFile ? undefined : env[target]);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  if (problems.length === 0) return resolved;
  throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Fix the variables listed" });
}

/** Drops case and punctuation, and replaces the prefix `FLEETWIRE` with `FLEET`. */
const normalize = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^FLEETWIRE/, "FLEET");

/** How many typos to allow: in a short name, two could produce a different word. */
const maxTypos = (name: string) => (name.length >= "FLEET".length + 10 ? 2 : 1);

/** Variables that are set and look like ours but are unknown, each with the name it may mean. Names are case-sensitive, as they are everywhere except on Windows. */
function unknownVariables(env: Environment, known: readonly string[]): { name: string; meant: string | undefined }[] {
  const unknown = Object.keys(env).filter((name) => /^fleet/i.test(name) && !known.includes(name) && env[name]?.trim());
  return unknown.map((name) => {
    const [best] = known
      .map((meant) => ({ meant, distance: editDistance(normalize(name), normalize(meant)) }))
      .filter(({ meant, distance }) => distance <= maxTypos(normalize(meant)))
      .sort((a, b) => a.distance - b.distance);
    return { name, meant: best?.meant };
  });
}

/**
 * Reads the variables in a table. Throws one `config` error that lists all variables that are missing, invalid or misspelt, without their values. Other
 * variables are ignored. `known` lists the names to compare misspelt ones with; by default, those in the table.
 */
export function readVariables<Table extends VariableTable>(
  env: Environment,
  table: Table,
  known: readonly string[] = Object.keys(table),
): VariableValues<Table> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, variable] of Object.entries<EnvironmentVariable>(table)) {
    const text = env[name]?.trim();
    if (text === undefined || text === "") {
      if (variable.required) problems.push(`${name} is missing (${variable.description})`);
      continue;
    }
    if (isPlaceholder(text)) {
      problems.push(`${name} ${NOT_REPLACED}`);
      continue;
    }
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message}`);
  }
  // Ignoring a misspelt name would lose the setting, even read-only mode.
  for (const { name, meant } of unknownVariables(env, known))
    if (meant !== undefined) problems.push(`${name} is not a Fleetwire variable; did you mean ${meant}?`);
  if (problems.length > 0) {
    throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Set or fix the variables listed" });
  }
  return values as VariableValues<Table>;
}

/**
 * Returns the names of variables that are set and start with `FLEET_` but are not in the table, so that a program can warn about them. {@link readVariables}
 * ignores them, because they may belong to another program.
 */
export function unknownFleetVariables(env: Environment, table: VariableTable): string[] {
  return unknownVariables(env, Object.keys(table)).flatMap(({ name, meant }) =>
    meant === undefined && name.startsWith("FLEET_") ? [name] : [],
  );
}
