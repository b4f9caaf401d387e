import { prototypeKeyIn } from "@fleetwire/tools/host";

const membersOf = (value: unknown) => (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;

/** Why a message of a host is refused before the SDK reads it: that would drop such an argument and go on without it. */
export function argumentRefusal(message: unknown): string | undefined {
  const named = prototypeKeyIn(membersOf(membersOf(message)["params"])["arguments"]);
  return named === undefined ? undefined : `Invalid params: ${named} is no argument; nothing was done. Call again without it`;
}
