import { isRecord } from "@fleetwire/core/internal";
import { MAX_FIELDS, prototypeKeyIn } from "@fleetwire/tools/host";

const withoutNulls = (record: Record<string, unknown>) =>
  Object.values(record).includes(null) ? Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) : record;

/** Leaves out parameters that are null, as some hosts send absent ones: the SDK would reject the message. Arguments of tools are left to the tools. */
export function withoutAbsentParameters<Message>(message: Message): Message {
  if (!isRecord(message) || typeof message["method"] !== "string" || !("params" in message)) return message;
  const { params, ...rest } = message as Message & { params: unknown };
  if (params === null) return rest as Message;
  if (!isRecord(params)) return message;
  const known = withoutNulls(params);
  const { arguments: args } = known;
  // Only texts are valid in a prompt.
  const isPrompt = message["method"] === "prompts/get" && isRecord(args);
  return { ...message, params: isPrompt ? { ...known, arguments: withoutNulls(args) } : known };
}

/** Whether an object has more fields than a tool accepts. The SDK would copy them several times before a tool can refuse them. */
function hasTooManyFields(params: unknown): boolean {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
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
  const params = isRecord(message) ? message["params"] : undefined;
  if (hasTooManyFields(params))
    return `Invalid params: more than ${MAX_FIELDS} fields in one object; nothing was done. Pass fewer in one call`;
  const named = prototypeKeyIn(isRecord(params) ? params["arguments"] : undefined);
  return named === undefined ? undefined : `Invalid params: ${named} is not an argument; nothing was done. Call again without it`;
}
