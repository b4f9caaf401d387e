import { isRecord } from "@fleetwire/core/internal";

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
