import type { ExecuteOptions, FleetToolResult } from "@fleetwire/tools";
import {
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  type McpServer,
  requireScopes,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";
import { asOwnWords, noteFailure, type ReceivedRequest, receivedIn, traceOf } from "./around.ts";
import { elicitationOf, inputRequiredFor } from "./elicitation.ts";
import { type MapApp, uncheckedSchema } from "./map-app.ts";
import { SCOPES } from "./scopes.ts";
import type { ServedTools } from "./served-tools.ts";

const annotationsOf = ({ title, annotations }: ServedTools["tools"][number]): ToolAnnotations => ({
  title,
  readOnlyHint: annotations.readOnly,
  destructiveHint: annotations.destructive,
  idempotentHint: annotations.idempotent,
  openWorldHint: annotations.openWorld,
});

/** Takes a call's options from its request: cancellation, caller, elicitation, trace and progress. */
function optionsOf(server: McpServer, request: ServerContext): ExecuteOptions {
  const { signal, notify, _meta } = request.mcpReq;
  const received = receivedIn(request.http?.authInfo);
  const progressToken = _meta?.progressToken;
  return {
    signal,
    elicitation: elicitationOf(request, server.server.getClientCapabilities()),
    trace: traceOf(request),
    callerId: received?.caller,
    wasPaused: received?.wasPaused,
    ...received?.hooks,
    ...(progressToken !== undefined && {
      progress: (done, total, message) => {
        const params = { progressToken, progress: done, ...(total !== undefined && { total }), message };
        // A host that has disconnected must not fail the call.
        notify({ method: "notifications/progress", params }).catch(() => {});
      },
    }),
  };
}

/** Converts a result to the form selected by FLEET_RESULT. A failure has no record, so it is always text. */
function callResultOf(
  form: ServerConfig["result"],
  { ok, text, structured, ...result }: FleetToolResult,
): CallToolResult | InputRequiredResult {
  if (!ok) return { content: [{ type: "text", text }], isError: true };
  if ("question" in result && result.question) return inputRequiredFor(result.question.text, result.question.state);
  return {
    content: form === "record" ? [] : [{ type: "text", text }],
    ...(form !== "text" && { structuredContent: structured }),
  };
}

interface ToolRegistrar {
  /** Registers tools under their names and aliases, but lists only the names. */
  registerAll(server: McpServer): void;
  /** Registers only what it takes to respond to one message. Returns false, and registers nothing, if that is not just the list or one of the tools. */
  registerFor(server: McpServer, message: NonNullable<ReceivedRequest["message"]>): boolean;
}

export function toolRegistrar(
  { tools, withheld = [], unavailable }: ServedTools,
  form: ServerConfig["result"],
  map: MapApp | undefined,
): ToolRegistrar {
  const registrations = new Map<string, (server: McpServer) => void>();
  const listed = tools.map((tool) => {
    const { name, title, description, inputJsonSchema: inputSchema } = tool;
    // Hosts reject a result without structured content if an output schema is listed.
    const outputSchema = form === "text" ? undefined : tool.outputJsonSchema;
    const texts = { title, description, annotations: annotationsOf(tool) };
    const config = {
      ...texts,
      inputSchema: uncheckedSchema(inputSchema),
      ...(outputSchema && { outputSchema: uncheckedSchema(outputSchema) }),
    };
    for (const alias of [name, ...tool.aliases]) {
      registrations.set(alias, (server) =>
        server.registerTool(alias, config, async (args: unknown, request: ServerContext) => {
          const result = await tool.execute(args, optionsOf(server, request));
          if (!result.ok) noteFailure(request, result.structured.error.code);
          const called = callResultOf(form, result);
          return map && result.ok ? map.withRecord(called, result.structured, name, request, server) : called;
        }),
      );
    }
    return { name, ...texts, inputSchema, ...(outputSchema && { outputSchema }) };
  });
  const refuse = (
    { name, aliases }: (typeof withheld)[number],
    config: { scopeChallenge?: ReturnType<typeof requireScopes> },
    text: string,
  ) => {
    const refusal = (): CallToolResult => ({ content: [{ type: "text", text }], isError: true });
    for (const alias of [name, ...aliases]) registrations.set(alias, (server) => server.registerTool(alias, config, refusal));
  };
  const scopeChallenge = requireScopes(...SCOPES);
  // The SDK challenges such a call before it gets here.
  for (const tool of withheld)
    refuse(tool, { scopeChallenge }, `input: this tool needs the scopes ${SCOPES.join(" and ")}; nothing was sent`);
  for (const tool of unavailable)
    refuse(
      tool,
      {},
      `config: ${tool.name} is not available: ${tool.reason}. Whoever set up this server can change that; \`fleetwire-mcp doctor\` says how. Nothing was sent`,
    );
  const list = asOwnWords({ tools: listed } as ListToolsResult);
  // The SDK would list the aliases too, at a cost in tokens.
  const registerList = (server: McpServer) =>
    server.server.setRequestHandler("tools/list", (_, request) => map?.toolsFor(list, request, server) ?? list);

  return {
    registerAll: (server) => {
      if (listed.length === 0) return;
      for (const register of registrations.values()) register(server);
      registerList(server);
    },
    registerFor: (server, { method, name }) => {
      if (listed.length === 0) return false;
      if (method === "tools/list") {
        server.server.registerCapabilities({ tools: {} });
        registerList(server);
        return true;
      }
      const register = method === "tools/call" && name !== undefined ? registrations.get(name) : undefined;
      register?.(server);
      return register !== undefined;
    },
  };
}
