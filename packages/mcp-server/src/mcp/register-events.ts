import type { McpRequestContext, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { receivedFor } from "./received-requests.ts";
import { uncheckedSchema } from "./safe-output.ts";
import type { EventMode } from "./served-events.ts";
import type { ServedTools } from "./served-tools.ts";

/** The Events extension (SEP-3415). */
const EXTENSION = "io.modelcontextprotocol/events";

const ANY_PARAMS = { params: uncheckedSchema({}) };

/** Callers who are not distinguished share what the customer may use. */
const SHARED = { caller: "", most: Number.POSITIVE_INFINITY };

/** Registers the Events extension, with what happens to the fleet as its events. */
export function eventRegistrar({
  byName,
  events,
  isReplica = false,
}: Pick<ServedTools, "byName" | "events" | "isReplica">): (server: McpServer, context?: McpRequestContext) => void {
  if (!byName.has("locate_vehicle")) return () => {};
  return ({ server }) => {
    const modes: EventMode[] = [
      // A replica knows nothing of what another one has seen.
      ...(isReplica ? [] : (["poll"] as const)),
    ];
    if (modes.length === 0) return;
    server.registerCapabilities({ extensions: { [EXTENSION]: {} } });
    const request = (context: ServerContext) => ({ share: receivedFor(context)?.events ?? SHARED, modes });
    server.setRequestHandler("events/list", ANY_PARAMS, async (params, context) => (await events()).list(params, request(context)));
    server.setRequestHandler("events/poll", ANY_PARAMS, async (params, context) => (await events()).poll(params, request(context)));
  };
}
