import { isJSONRPCRequest, ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/server";
import { argumentRefusal } from "../mcp/argument-refusal.ts";
import { invalid, type Refusal, unreadable } from "./refusal.ts";

interface ReceivedBody {
  /** As it was sent: a message, or a batch of them. */
  body: unknown;
  /** Ids of the requests in it. */
  requests: RequestId[];
  /** Ids of the requests that it cancels. */
  cancelled: RequestId[];
  initializes: boolean;
}

type Message = { id?: RequestId; method?: unknown; params?: { requestId?: RequestId } } | null;

/** Reads the body of a POST. What the SDK would read as something else than was sent is refused here. */
export function readMessages(bytes: ArrayBuffer, largestBatch: number): ReceivedBody | Refusal {
  let text: string;
  try {
    // Anything lenient would send U+FFFD on to the service, in the place of what was meant.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return unreadable("Parse error: the request body is not valid UTF-8");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return unreadable("Parse error: the request body is not valid JSON");
  }
  const messages = (Array.isArray(body) ? body : [body]) as Message[];
  const called = messages.filter((message) => message?.method === "tools/call");
  // Hosts that approve a request by hand show one; none is known to put several calls into one body.
  if (called.length > 1) return invalid("A batch may hold one tools/call at most; nothing was done. Send the calls one by one");
  if (messages.length > largestBatch) return invalid(`A batch may hold ${largestBatch} messages at most; nothing was done`);
  for (const message of messages) {
    const refusal = argumentRefusal(message);
    if (refusal !== undefined) {
      const id = Array.isArray(body) ? undefined : message?.id;
      return { ...invalid(refusal), code: ProtocolErrorCode.InvalidParams, ...(id !== undefined && { id }) };
    }
  }
  return {
    body,
    requests: messages.flatMap((message: unknown) => (isJSONRPCRequest(message) ? [message.id] : [])),
    cancelled: messages.flatMap((message) =>
      message?.method === "notifications/cancelled" && message.params?.requestId !== undefined ? [message.params.requestId] : [],
    ),
    initializes: messages.some((message) => message?.method === "initialize"),
  };
}
