import { ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/server";
import type { ReceivedRequest } from "../mcp/around.ts";
import { argumentRefusal, withoutAbsentParameters } from "../mcp/received-messages.ts";
import { MAX_BATCH } from "./limits.ts";
import { type Refusal, unreadable } from "./refusal.ts";

interface ReceivedBody {
  /** One message, or a batch. */
  body: unknown;
  /** The message, unless the body is a batch. */
  message: ReceivedRequest["message"];
  /** Ids of the requests in the body. */
  requests: RequestId[];
  /** Ids of the requests that the body cancels. */
  cancelled: RequestId[];
  initializes: boolean;
  /** The method of the message, or of the call in a batch. */
  method: unknown;
}

const invalid = (message: string): Refusal => ({ status: 400, code: ProtocolErrorCode.InvalidRequest, message });

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true });

type Message = { id?: RequestId; method?: unknown; params?: { requestId?: RequestId; name?: unknown } } | null;

/** Parses the body of a POST, and rejects anything that the SDK would misread. */
export function readMessages(bytes: ArrayBuffer): ReceivedBody | Refusal {
  let text: string;
  try {
    // A lenient decoder would replace invalid bytes with U+FFFD, which would then reach the service.
    text = STRICT_UTF8.decode(bytes);
  } catch {
    return unreadable("Parse error: the request body is not valid UTF-8");
  }
  let body: unknown;
  try {
    const parsed: unknown = JSON.parse(text);
    body = Array.isArray(parsed) ? parsed.map(withoutAbsentParameters) : withoutAbsentParameters(parsed);
  } catch {
    return unreadable("Parse error: the request body is not valid JSON");
  }
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  const called = messages.filter((message) => message?.method === "tools/call");
  // Hosts that ask for approval show a single call, and no known host sends several in one body.
  if (called.length > 1) return invalid("A batch may contain at most one tools/call; nothing was done. Send the calls one by one");
  if (messages.length > MAX_BATCH) return invalid(`A batch may contain at most ${MAX_BATCH} messages; nothing was done`);
  for (const message of messages) {
    const refusal = argumentRefusal(message);
    if (refusal !== undefined) {
      const id = Array.isArray(body) ? undefined : message?.id;
      return { ...invalid(refusal), code: ProtocolErrorCode.InvalidParams, ...(id !== undefined && { id }) };
    }
  }
  const single = Array.isArray(body) ? undefined : messages[0];
  const name = single?.params?.name;
  return {
    body,
    message: single ? { method: single.method, name: typeof name === "string" ? name : undefined } : undefined,
    requests: messages.flatMap((message) =>
      message?.method !== undefined && (typeof message.id === "string" || typeof message.id === "number") ? [message.id] : [],
    ),
    cancelled: messages.flatMap((message) =>
      message?.method === "notifications/cancelled" && message.params?.requestId !== undefined ? [message.params.requestId] : [],
    ),
    initializes: messages.some((message) => message?.method === "initialize"),
    method: (called[0] ?? messages[0])?.method,
  };
}
