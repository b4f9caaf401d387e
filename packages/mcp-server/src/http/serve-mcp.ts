import { classifyInboundRequest, ProtocolError, type RequestId } from "@modelcontextprotocol/server";
import { withReceived } from "../mcp/around.ts";
import { listenedTo } from "../mcp/subscriptions.ts";
import type { Caller } from "./access.ts";
import type { Admission } from "./admission.ts";
import type { Exchange } from "./exchange.ts";
import { readBody } from "./guard.ts";
import { sendsOnlyResult, withoutProgress } from "./json-response.ts";
import { type HttpLimits, WATCHES_PER_REQUEST } from "./limits.ts";
import { readMessages } from "./read-messages.ts";
import { bodyOf, INCOMPLETE, type Refusal, refused } from "./refusal.ts";
import { loggedMethod, type RequestRecord } from "./request-log.ts";

const SESSION = "mcp-session-id";

interface ServingOptions {
  admission: Admission;
  limits: HttpLimits;
  /** Whether this process may have been paused since, while another one that shares its state went on. */
  wasPausedSince?: ((receivedAt: number) => boolean) | undefined;
}

const tenantOf = ({ fleet: { tenant, customer } }: Caller) => tenant ?? customer ?? "";

/** Tells callers apart: two customers may have a caller with the same id. */
export const nameOf = (caller: Caller): string => JSON.stringify([tenantOf(caller), caller.id]);

/** A request whose caller is known. */
interface Incoming {
  request: Request;
  exchange: Exchange;
  caller: Caller;
  /** Whether the caller would be let in again, for what outlives a request: a token may be revoked at any time. */
  isAllowed: () => Promise<boolean>;
  record: RequestRecord;
}

const ACCEPT_BOTH = "application/json, text/event-stream";

/** Whether an Accept header allows JSON, and whether it asks for event streams. Wildcards allow JSON, which every client can read. */
function acceptedTypes(header: string | null): { json: boolean; stream: boolean } {
  if (header === null || header.trim() === "") return { json: true, stream: false };
  const ranges = header
    .toLowerCase()
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type = ""]) => type);
  const accepts = (...types: string[]) => ranges.some((range) => types.includes(range));
  return { json: accepts("application/json", "application/*", "*/*"), stream: accepts("text/event-stream", "text/*") };
}

const unfinished = (id: RequestId | undefined): Refusal => ({
  status: 503,
  message: "The server stopped during the call; it is not known whether anything changed",
  ...(id !== undefined && { id }),
});

/**
 * Passes a body through, reads it to its end even if its reader leaves, and reports that end. It never errors: an interrupted body just ends early, with
 * the trailer.
 */
function observedBody(source: ReadableStream<Uint8Array>, trailer: () => string) {
  let isRead = true;
  let ended = Promise.resolve();
  const relay = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const reader = source.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (value !== undefined && isRead) controller.enqueue(value);
      if (done) break;
    }
    if (!isRead) return;
    const last = trailer();
    if (last !== "") controller.enqueue(new TextEncoder().encode(last));
    controller.close();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      ended = relay(controller);
    },
    cancel: () => {
      isRead = false;
    },
  });
  return { body, ended };
}

/** Reads a request's messages and passes them to the SDK, with the caller's identity. */
export async function serveMcp(incoming: Incoming, { admission, limits, wasPausedSince }: ServingOptions): Promise<Response> {
  const { request: raw, exchange, caller, isAllowed, record } = incoming;
  const { written } = exchange;
  // Callers that hang up or are slow to send their request must not count towards the limits.
  const bytes = await Promise.race([readBody(raw), written.then(() => undefined)]);
  if (bytes === undefined || "status" in bytes) return refused(bytes ?? INCOMPLETE);
  const received = readMessages(bytes);
  if ("status" in received) return refused(received);
  const { body, message, requests, cancelled, initializes } = received;
  record.line.method = loggedMethod(received.method);
  const name = nameOf(caller);
  const call = admission.start(name, tenantOf(caller));
  if ("status" in call) return refused(call);
  let called: Promise<void> | undefined;
  let checking: NodeJS.Timeout | undefined;
  try {
    const { method, url } = raw;
    const accepted = acceptedTypes(raw.headers.get("accept"));
    const headers = new Headers([...raw.headers]);
    // The SDK insists on both in older revisions.
    if (accepted.json || accepted.stream) headers.set("accept", ACCEPT_BOTH);
    const request = new Request(url, { method, headers, signal: call.signal });
    const protocolVersionHeader = headers.get("mcp-protocol-version") ?? undefined;
    const older =
      classifyInboundRequest({ httpMethod: method, ...(protocolVersionHeader && { protocolVersionHeader }), body }).kind === "legacy";
    const session = older ? headers.get(SESSION) : null;
    if (session !== null) {
      // Callers choose session ids, so a caller could pass another's.
      const owned = `${name} ${session}`;
      // Older revisions cancel with a separate request, which the SDK passes to another server instance.
      for (const id of cancelled) admission.cancel(owned, id);
      call.register(owned, requests);
    }
    // In the current revision, closing the stream cancels the call. In older ones, the call continues.
    if (!older) void written.then((complete) => (complete && !call.listens) || call.abort());
    const { mcp, respondInJson, subscriptions } = caller.fleet.endpoint(caller.auth.scopes.includes("fleet:write"));
    const uris = older ? undefined : listenedTo(body);
    if (uris !== undefined) {
      call.listens = true;
      const own = limits.watchesPerCaller;
      const share = own <= WATCHES_PER_REQUEST ? { share: name, most: own } : { share: crypto.randomUUID(), most: WATCHES_PER_REQUEST };
      try {
        await subscriptions?.open(uris, call.signal, { caller: name, ...share });
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return refused({ status: 200, code: error.code, message: error.message, ...(requests[0] !== undefined && { id: requests[0] }) });
      }
      checking = setInterval(async () => (await isAllowed()) || call.abort(), limits.tokenCheckMs);
    }
    // A host that has cancelled expects no response. Any other host would keep waiting.
    const isCutShort = () => admission.isEnding() && call.signal.aborted;
    const authInfo = withReceived(caller.auth, {
      hooks: record.hooks,
      message,
      ...(wasPausedSince && { wasPaused: () => wasPausedSince(record.startedAt) }),
      caller: name,
    });
    const parsedBody = accepted.stream ? body : withoutProgress(body);
    const onlyResult = accepted.json && (!accepted.stream || sendsOnlyResult(body));
    const serveRequest = older && onlyResult ? respondInJson : mcp.fetch;
    const response = await serveRequest(request, { parsedBody, authInfo });

    if (older && initializes && response.ok) response.headers.set(SESSION, crypto.randomUUID());
    const source = response.body;
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    // A body that is not streamed was complete when the call ended, unless the SDK found the request aborted.
    if (source === null || !streams) return isCutShort() && !response.ok ? refused(unfinished(requests[0])) : response;
    const unfinishedEvent = (id: RequestId) => `event: message\ndata: ${bodyOf(unfinished(id))}\n\n`;
    const { body: observed, ended } = observedBody(source, () => (isCutShort() ? requests.map(unfinishedEvent).join("") : ""));
    called = ended;
    return new Response(observed, { status: response.status, headers: response.headers });
  } finally {
    // The call itself may end after its response.
    void Promise.all([written, called]).then(() => {
      clearInterval(checking);
      call.end();
    });
  }
}
