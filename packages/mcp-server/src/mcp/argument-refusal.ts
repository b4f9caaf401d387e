import { MAX_VALUES, prototypeKeyIn } from "@fleetwire/tools/host";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const membersOf = (value: unknown) => (isObject(value) ? value : {}) as Record<string, unknown>;

/** Whether a value holds more values than a tool accepts, which the SDK would copy several times before a tool can refuse them. */
function holdsTooMany(value: unknown): boolean {
  let values = 0;
  const open = [value].filter(isObject);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    values += Array.isArray(at) ? at.length : Object.keys(at).length;
    if (values > MAX_VALUES) return true;
    for (const inner of Object.values(at)) if (isObject(inner)) open.push(inner);
  }
  return false;
}

/** Returns why a message must be rejected before the SDK reads it: it holds too many values, or an argument that the SDK would silently drop. */
export function argumentRefusal(message: unknown): string | undefined {
  const params = membersOf(membersOf(message)["params"]);
  if (Object.keys(params).length > MAX_VALUES || Object.values(params).some(holdsTooMany))
    return `Invalid params: more than ${MAX_VALUES} values; nothing was done. Pass fewer in one call`;
  const named = prototypeKeyIn(membersOf(params["arguments"]));
  return named === undefined ? undefined : `Invalid params: ${named} is not an argument; nothing was done. Call again without it`;
}
