import {
  type McpRequestContext,
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";
import { receivedIn, traceOf } from "./around.ts";
import type { ServedTools } from "./served-tools.ts";

/** Records are JSON but served as text: code that converts resources to messages, such as Anthropic's helper, rejects application/json. */
const RECORD = "text/plain";

function contentsOf(uri: string, { ok, text, structured }: { ok: boolean; text: string; structured: object }): ReadResourceResult {
  if (!ok) throw new Error(text);
  return { contents: [{ uri, mimeType: RECORD, text: JSON.stringify(structured) }] };
}

const decoded = (variable: string | string[] | undefined) => {
  const text = String(variable ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const VEHICLE = "fleet://vehicle/";

/** The vehicle in a resource's URI, as the host wrote it; undefined for any other resource. */
export const vehicleIn = (uri: string): string | undefined => (uri.startsWith(VEHICLE) ? decoded(uri.slice(VEHICLE.length)) : undefined);

const EVENTS = "fleet://events";

/** The resource with a caller's rules and events. Each caller has one of its own, since hosts are notified by URI. */
export const eventsUri = (caller: string | undefined): string => (caller ? `${EVENTS}/${encodeURIComponent(caller)}` : EVENTS);

/** Whether a URI is that of somebody's rules and events. */
export const isEventsUri = (uri: string): boolean => uri === EVENTS || uri.startsWith(`${EVENTS}/`);

/** Registers the resources: vehicles, and the caller's events. */
export function resourceRegistrar(
  fleet: ServedTools,
  { snapshotSeconds }: Pick<ServerConfig, "snapshotSeconds">,
): (server: McpServer, context?: McpRequestContext) => void {
  const showsPositions = fleet.byName.has("locate_vehicle");
  const hasRules = fleet.byName.has("watch_fleet");

  // Created once, since HTTP creates a server for each request.
  const vehicleTemplate = new ResourceTemplate(`${VEHICLE}{vehicle}`, {
    list: undefined,
    complete: { vehicle: (typed) => fleet.completeNames("vehicle", typed) },
  });

  return (server, context) => {
    if (showsPositions) {
      server.registerResource(
        "vehicle",
        vehicleTemplate,
        {
          title: "Vehicle",
          description: "Latest position and status of one vehicle, by name, registration or id",
          mimeType: RECORD,
          cacheHint: { ttlMs: snapshotSeconds * 1_000, cacheScope: "private" },
        },
        async ({ href }, { vehicle }, request) => {
          const result = await fleet.readVehicle(decoded(vehicle), { signal: request.mcpReq.signal, trace: traceOf(request) });
          if (result.ok && result.structured["vehicle"] === undefined) throw new ResourceNotFoundError(href, result.text);
          return contentsOf(href, result);
        },
      );
    }

    if (hasRules) {
      const caller = receivedIn(context?.authInfo)?.caller;
      const uri = eventsUri(caller);
      server.registerResource(
        "events",
        uri,
        {
          title: "Events",
          description: "Your rules of watch_fleet, and the last events that they noticed",
          mimeType: RECORD,
          cacheHint: { ttlMs: 0, cacheScope: "private" },
        },
        async (_, request) => {
          const result = await fleet.readEvents(caller, { signal: request.mcpReq.signal, trace: traceOf(request) });
          return contentsOf(uri, result);
        },
      );
    }
  };
}
