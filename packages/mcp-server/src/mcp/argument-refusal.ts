import { MAX_FIELDS, prototypeKeyIn } from "@fleetwire/tools/host";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const membersOf = (value: unknown) => (isObject(value) ? value : {}) as Record<string, unknown>;

/** Whether an object has more fields than a tool accepts. The SDK would copy them several times before a tool can refuse them. */
function hasTooManyFields(params: unknown): boolean {
  const open = [params].filter(isObject);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const members: readonly unknown[] = Array.isArray(at) ? at : Object.values(at);
    if (members.length > MAX_FIELDS && members !== at) return true;
    for (const inner of members) if (isObject(inner)) open.push(inner);
  }
  return false;
}

/** Returns why a message must be rejected before the SDK reads it: it has too many fields, or an argument that the SDK would silently drop. */
export function argumentRefusal(message: unknown): string | undefined {
  const { params } = membersOf(message);
  if (hasTooManyFields(params))
    return `Invalid params: more than ${MAX_FIELDS} fields in one object; nothing was done. Pass fewer in one call`;
  const named = prototypeKeyIn(membersOf(membersOf(params)["arguments"]));
  return named === undefined ? undefined : `Invalid params: ${named} is not an argument; nothing was done. Call again without it`;
}
