import * as z from "zod";
import { FleetError } from "./errors.ts";
import { misspeltVariables, otherVariables } from "./misspelt-variables.ts";

/** How an environment variable is read, and what flags and help texts say of it. */
export interface EnvironmentVariable {
  /** Takes the text without the white space around it. Messages of its own begin with "must". */
  schema: z.ZodType;
  /** What it is for and what holds without it, as part of a line. */
  description: string;
  /** A secret has no flag: a command line can be read by others on the machine. */
  secret?: true;
  /** Without it there is no configuration. */
  required?: true;
  /** Part of how the service is reached: with the embedded sandbox these are the sandbox's. */
  connection?: true;
  /** As a flag it stands alone and means 1. */
  toggle?: true;
}

/** The variables that a package reads, by name. A program that uses several packages reads all their tables at once. */
export type VariableTable = Readonly<Record<string, EnvironmentVariable>>;

/** What is set, as its schema reads it. */
export type VariableValues<Table extends VariableTable> = { [Name in keyof Table]?: z.output<Table[Name]["schema"]> };

/** Variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that takes one of some words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });

/**
 * Reads the variables of a table. Every one that is missing, malformed or almost spelled like a known one is named in one `config` error, none with its value.
 * Variables of other names are left alone. `known` are the names that can be meant, those of the table where absent.
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
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message}`);
  }
  // A setting under a misspelt name would be lost, and read-only mode with it.
  problems.push(...misspeltVariables(env, known).map(({ name, meant }) => `${name} is not a variable of Fleetwire: ${meant} is meant`));
  if (problems.length > 0) {
    throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Set or fix the variables listed" });
  }
  return values as VariableValues<Table>;
}

/**
 * Names of variables that are set, begin with `FLEET_` and are not in a table, for a program that warns of them. {@link readVariables} leaves them alone: other
 * programs have such variables too.
 */
export function unknownFleetVariables(env: Environment, table: VariableTable): string[] {
  return otherVariables(env, Object.keys(table));
}
