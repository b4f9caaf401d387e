import type { ExecuteOptions, FleetToolResult } from "@fleetwire/tools";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ListToolsResult,
  type McpServer,
  requireScopes,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";
import { callHooksOf } from "./call-hooks.ts";
import { deliveryOf } from "./delivery.ts";
import { CONFIRM, elicitationOf, FORM } from "./elicitation.ts";
import type { MapApp } from "./map-app.ts";
import { asOwnWords } from "./safe-output.ts";
import { SCOPES } from "./scopes.ts";
import type { ServedTools } from "./served-tools.ts";
import { traceOf } from "./trace-context.ts";

const annotationsOf = ({ title, annotations }: ServedTools["tools"][number]): ToolAnnotations => ({
  title,
  readOnlyHint: annotations.readOnly,
  destructiveHint: annotations.destructive,
  idempotentHint: annotations.idempotent,
  openWorldHint: annotations.openWorld,
});

/** Wraps a schema that is listed but not enforced: tools validate their own arguments, so that they can explain how to fix them. */
function uncheckedSchema(schema: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "fleetwire",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Takes a call's options from its request: cancellation, elicitation, result delivery, trace and progress. */
function optionsOf(server: McpServer, request: ServerContext): ExecuteOptions {
  const { signal, notify, _meta } = request.mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    signal,
    elicitation: elicitationOf(request, server.server.getClientCapabilities()),
    delivered: () => deliveryOf(request, server),
    trace: traceOf(request),
    ...callHooksOf(request),
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
  if ("question" in result && result.question) {
    const question = inputRequired.elicit({ message: result.question.text, requestedSchema: FORM });
    return inputRequired({ inputRequests: { [CONFIRM]: question }, requestState: result.question.state });
  }
  return {
    content: form === "record" ? [] : [{ type: "text", text }],
    ...(form !== "text" && { structuredContent: structured }),
  };
}

/** The SDK challenges such a call before it gets here. */
const refuseScope = (): CallToolResult => ({
  content: [{ type: "text", text: `input: this tool needs the scopes ${SCOPES.join(" and ")}; nothing was sent` }],
  isError: true,
});

/** Registers tools under their names and aliases, but lists only the names. */
export function toolRegistrar(
  { tools, withheld = [] }: ServedTools,
  form: ServerConfig["result"],
  map: MapApp | undefined,
): (server: McpServer) => void {
  const offered = tools.map((tool) => {
    const { name, title, description, inputJsonSchema: inputSchema } = tool;
    // Hosts reject a result without structured content if an output schema is listed.
    const outputSchema = form === "text" ? undefined : tool.outputJsonSchema;
    const texts = { title, description, annotations: annotationsOf(tool) };
    return {
      tool,
      config: { ...texts, inputSchema: uncheckedSchema(inputSchema), ...(outputSchema && { outputSchema: uncheckedSchema(outputSchema) }) },
      listed: { name, ...texts, inputSchema, ...(outputSchema && { outputSchema }) },
    };
  });
  const list = asOwnWords({ tools: offered.map(({ listed }) => listed) } as ListToolsResult);
  return (server) => {
    if (offered.length === 0) return;
    for (const { tool, config } of offered) {
      const handler = async (args: unknown, request: ServerContext) => {
        const result = await tool.execute(args, optionsOf(server, request));
        const called = callResultOf(form, result);
        return map && result.ok ? map.withRecord(called, result.structured, tool.name, request, server) : called;
      };
      for (const name of [tool.name, ...tool.aliases]) server.registerTool(name, config, handler);
    }
    for (const { name, aliases } of withheld)
      for (const alias of [name, ...aliases]) server.registerTool(alias, { scopeChallenge: requireScopes(...SCOPES) }, refuseScope);
    // The SDK would list the aliases too, at a cost in tokens.
    server.server.setRequestHandler("tools/list", (_, request) => map?.toolsFor(list, request, server) ?? list);
  };
}
