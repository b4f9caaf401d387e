import { prototypeKeyIn } from "@fleetwire/tools/host";

const membersOf = (value: unknown) => (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;

/** Returns why a message must be rejected before the SDK reads it: it has an argument that the SDK would silently drop. */
export function argumentRefusal(message: unknown): string | undefined {
  const named = prototypeKeyIn(membersOf(membersOf(message)["params"])["arguments"]);
  return named === undefined ? undefined : `Invalid params: ${named} is not an argument; nothing was done. Call again without it`;
}

/** Removes null where a host means that it passes no arguments or cursor, which the SDK would reject. */
export function dropNullParams(message: unknown): void {
  const params = membersOf(membersOf(message)["params"]);
  for (const name of ["arguments", "cursor"]) if (params[name] === null) delete params[name];
}
