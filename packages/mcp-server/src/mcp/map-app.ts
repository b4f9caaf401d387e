import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { escapeMarkup } from "@fleetwire/core/internal";
import type {
  ListResourcesResult,
  ListToolsResult,
  McpServer,
  ReadResourceResult,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { type ServerConfig, tilesSource } from "../server-config.ts";
import { asOwnWords, receivedIn, traceOf } from "./around.ts";
import { capabilitiesOf } from "./elicitation.ts";
import type { ServedTools } from "./served-tools.ts";

const EXTENSION = "io.modelcontextprotocol/ui";
const MIME_TYPE = "text/html;profile=mcp-app";
const MAP_URI = "ui://fleetwire/map";
/** The tool with which the map reads the fleet. Models do not see it. */
const MAP_TOOL = "read_map";
/** The key in `_meta` for the record of a result that must not reach the model (`FLEET_RESULT=text`). */
const RECORD = "fleetwire/record";

/** The tools whose results are shown on the map. */
const SHOWN_ON_MAP = new Set(["locate_vehicle", "find_nearest_vehicles", "list_live_positions", "summarize_fleet", "trips_and_stops"]);

const NOT_SHOWN = `${MAP_TOOL} is for hosts that show the map (MCP Apps). Call locate_vehicle or list_live_positions instead`;

/** The page of the map, as built by packages/map. The path is the same from src/mcp, dist/mcp and dist/bundle. */
const pageUrl = () => new URL("../../dist/map-app.html", import.meta.url);

/** Whether the page exists: a worker has no files, and no URL of its own. */
export function hasMapPage(): boolean {
  try {
    return existsSync(pageUrl());
  } catch {
    return false;
  }
}

/** Wraps a schema that is listed but not enforced: tools validate their own arguments, so that they can explain how to fix them. */
export function uncheckedSchema(schema: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  const jsonSchema = { input: () => schema, output: () => schema };
  return { "~standard": { version: 1, vendor: "fleetwire", validate: (value) => ({ value }), jsonSchema } };
}

type Tools = ListToolsResult["tools"];

/** What hosts may let the page load: nothing, or tiles. */
const uiOf = ({ tilesUrl }: ServerConfig) => ({
  prefersBorder: true,
  csp: { connectDomains: [], resourceDomains: tilesUrl === undefined ? [] : [tilesSource(tilesUrl)] },
});

const listed: Tools[number] = {
  name: MAP_TOOL,
  title: "Read map",
  description: "Positions of all vehicles, for the map",
  annotations: { title: "Read map", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: { type: "object", properties: { asked: { type: "array", items: { type: "string" } } } },
  _meta: { ui: { resourceUri: MAP_URI, visibility: ["app"] } },
};

/** Whether the host that sent a request shows MCP Apps. */
function showsApps(request: ServerContext, { server }: McpServer): boolean {
  const { extensions } = capabilitiesOf(request, server.getClientCapabilities());
  const mimeTypes = extensions?.[EXTENSION]?.["mimeTypes"];
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE);
}

/** The map as an MCP App. Hosts that do not declare the extension do not see it. */
export interface MapApp {
  register(server: McpServer): void;
  /** The list of tools for the host that sent a request. */
  toolsFor(list: ListToolsResult, request: ServerContext, server: McpServer): ListToolsResult;
  /** Leaves the map out of a list of resources for hosts that cannot show it: their users might attach its page to a conversation. */
  visible(method: string, result: object, request: ServerContext, server: McpServer): object;
  /** Adds the record to a result without one, for the map, if the host shows it. */
  withRecord<Result extends object>(result: Result, record: object, tool: string, request: ServerContext, server: McpServer): Result;
}

export function createMapApp(fleet: ServedTools, config: ServerConfig): MapApp {
  const { tilesUrl } = config;
  const ui = uiOf(config);
  const withApp = new WeakMap<ListToolsResult, ListToolsResult>();

  const page = async (): Promise<ReadResourceResult> => {
    const html = await readFile(pageUrl(), "utf8");
    const text =
      tilesUrl === undefined ? html : html.replace("<!-- tiles -->", () => `<meta name="tiles" content="${escapeMarkup(tilesUrl)}">`);
    return { contents: [{ uri: MAP_URI, mimeType: MIME_TYPE, text, _meta: { ui } }] };
  };

  return {
    register: (server) => {
      // Without it, a host that follows the protocol does not show the map.
      server.server.registerCapabilities({ extensions: { [EXTENSION]: {} } });
      server.registerResource("map", MAP_URI, { title: "Map", description: "Vehicles on a map", mimeType: MIME_TYPE, _meta: { ui } }, page);
      server.registerTool(
        MAP_TOOL,
        { ...listed, inputSchema: uncheckedSchema(listed.inputSchema) } as never,
        (async (args: unknown, request: ServerContext) => {
          // A model could call it even though it is not listed, and its result has no token budget.
          if (!showsApps(request, server)) return { content: [{ type: "text", text: NOT_SHOWN }], isError: true };
          const asked = (args as { asked?: unknown } | undefined)?.asked;
          const names = Array.isArray(asked) ? asked.filter((name) => typeof name === "string") : [];
          const { ok, text, structured } = await fleet.readMap(names, {
            signal: request.mcpReq.signal,
            trace: traceOf(request),
            ...receivedIn(request.http?.authInfo)?.hooks,
          });
          return ok
            ? { content: [{ type: "text", text }], structuredContent: structured }
            : { content: [{ type: "text", text }], isError: true };
        }) as never,
      );
    },
    toolsFor: (list, request, server) => {
      if (!showsApps(request, server)) return list;
      const known = withApp.get(list);
      if (known) return known;
      const tools = list.tools.map((tool) =>
        SHOWN_ON_MAP.has(tool.name) ? { ...tool, _meta: { ...tool._meta, ui: { resourceUri: MAP_URI } } } : tool,
      );
      const extended = asOwnWords({ ...list, tools: [...tools, listed] });
      withApp.set(list, extended);
      return extended;
    },
    visible: (method, result, request, server) =>
      method !== "resources/list" || showsApps(request, server)
        ? result
        : { ...result, resources: (result as ListResourcesResult).resources.filter(({ uri }) => uri !== MAP_URI) },
    withRecord: (result, record, tool, request, server) =>
      "content" in result && !("structuredContent" in result) && SHOWN_ON_MAP.has(tool) && showsApps(request, server)
        ? { ...result, _meta: { [RECORD]: record } }
        : result,
  };
}
