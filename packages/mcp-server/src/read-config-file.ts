import { readFileSync, statSync } from "node:fs";
import type * as z from "zod";

const NOT_WINDOWS = process.platform !== "win32";

/** Why a file must not be used: it cannot be read, or others have permissions that the rule forbids. */
export function permissionProblem(path: string, forbidden: number, rule: string): string | undefined {
  try {
    return NOT_WINDOWS && (statSync(path).mode & forbidden) !== 0 ? rule : undefined;
  } catch {
    return "the file cannot be read";
  }
}

/** Reads a JSON file. Throws the result of `failure`, which is called with everything that is wrong with the file, without its values. */
export function readConfigFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  unsafe: string,
  failure: (problems: readonly string[]) => Error,
): z.output<Schema> {
  const problem = permissionProblem(path, 0o022, unsafe);
  if (problem !== undefined) throw failure([problem]);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw failure([error instanceof SyntaxError ? "the file is not valid JSON" : "the file cannot be read"]);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw failure(parsed.error.issues.map(({ path: at, message }) => `${at.join(".") || "the file"}: ${message}`));
}
