import { readFileSync, statSync } from "node:fs";
import type * as z from "zod";

const NOT_WINDOWS = process.platform !== "win32";

/** Whether only this user, or root, may own a file. Anyone else could change its content and permissions at any time. */
type Owner = "own" | "any";

/** Why a file must not be used: it cannot be read, another user owns it, or others have permissions that the rule forbids. */
export function permissionProblem(path: string, forbidden: number, rule: string, owner: Owner = "own"): string | undefined {
  try {
    const { mode, uid } = statSync(path);
    if (!NOT_WINDOWS) return undefined;
    if ((mode & forbidden) !== 0) return rule;
    const isForeign = owner === "own" && uid !== 0 && uid !== process.getuid?.();
    return isForeign ? "another user owns the file (chown it to the user that runs the server, or to root)" : undefined;
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
  owner?: Owner,
): z.output<Schema> {
  const problem = permissionProblem(path, 0o022, unsafe, owner);
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
