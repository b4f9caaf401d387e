import { prototypeKeyIn } from "@fleetwire/tools/host";

const membersOf = (value: unknown) => (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;

/** Why to refuse a message before the SDK reads it: the SDK would silently drop such an argument. */
export function argumentRefusal(message: unknown): string | undefined {
  const named = prototypeKeyIn(membersOf(membersOf(message)["params"])["arguments"]);
  return named === undefined ? undefined : `Invalid params: ${named} is not an argument; nothing was done. Call again without it`;
}
