import type { McpRequestContext, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { receivedFor, receivedRequests } from "./received-requests.ts";
import { uncheckedSchema } from "./safe-output.ts";
import { type EventMode, MAX_EVENT_VEHICLES } from "./served-events.ts";
import type { ServedTools } from "./served-tools.ts";

/** The Events extension (SEP-3415). */
const EXTENSION = "io.modelcontextprotocol/events";

/** The request that stays open for as long as its sender wants to hear of events. */
export const STREAM = "events/stream";

/** A token may be revoked at any time, so whoever listens over HTTP has to show it again. */
const MAX_LIFETIME = 15 * 60_000;

function lifetimeOf({ http }: ServerContext): number | undefined {
  if (http === undefined) return undefined;
  const { expiresAt = Number.POSITIVE_INFINITY } = http.authInfo ?? {};
  return Math.min(MAX_LIFETIME, expiresAt * 1_000 - Date.now());
}

const ANY_PARAMS = { params: uncheckedSchema({}) };

/** Callers who are not distinguished share what the customer may use. */
const SHARED = { caller: "", most: Number.POSITIVE_INFINITY, vehicles: MAX_EVENT_VEHICLES };

/** Registers the Events extension, with what happens to the fleet as its events. */
export function eventRegistrar({
  byName,
  events,
  isReplica = false,
  callbackHosts = [],
}: Pick<ServedTools, "byName" | "events" | "isReplica" | "callbackHosts">): (server: McpServer, context?: McpRequestContext) => void {
  if (!byName.has("locate_vehicle")) return () => {};
  return ({ server }, { era, requestInfo } = { era: "legacy" }) => {
    const received = requestInfo && receivedRequests.get(requestInfo);
    const canStream = requestInfo === undefined || (era !== "legacy" && (received?.canStream ?? true));
    // Nothing is sent to an address that a caller chooses, unless the operator has allowed its host.
    const canSend = requestInfo !== undefined && !isReplica && callbackHosts.length > 0;
    const modes: EventMode[] = [
      // A replica knows nothing of what another one has seen.
      ...(isReplica ? [] : (["poll"] as const)),
      ...(canStream ? (["push"] as const) : []),
      ...(canSend ? (["webhook"] as const) : []),
    ];
    if (modes.length === 0) return;
    // Clients that receive webhooks also look for `events`, its name before SEP-3415.
    server.registerCapabilities({ extensions: { [EXTENSION]: {} }, ...(canSend && { events: {} }) });
    const request = (context: ServerContext) => ({ share: receivedFor(context)?.events ?? SHARED, modes });
    server.setRequestHandler("events/list", ANY_PARAMS, async (params, context) => (await events()).list(params, request(context)));
    server.setRequestHandler("events/poll", ANY_PARAMS, async (params, context) => (await events()).poll(params, request(context)));
    server.setRequestHandler(STREAM, ANY_PARAMS, async (params, context) => {
      const { id, signal, notify } = context.mcpReq;
      return (await events()).stream(params, { ...request(context), id, signal, notify, lifetime: lifetimeOf(context) });
    });
    if (!canSend) return;
    server.setRequestHandler("events/subscribe", ANY_PARAMS, async (params, context) =>
      (await events()).subscribe(params, { ...request(context), lifetime: lifetimeOf(context) ?? MAX_LIFETIME }),
    );
    server.setRequestHandler("events/unsubscribe", ANY_PARAMS, async (params, context) =>
      (await events()).unsubscribe(params, request(context)),
    );
  };
}
