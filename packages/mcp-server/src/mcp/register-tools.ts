import type { ExecuteOptions, FleetTool, FleetToolResult, FleetTools } from "@fleetwire/tools";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ListToolsResult,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";
import { deliveryOf } from "./delivery.ts";
import { CONFIRM, elicitationOf, FORM } from "./elicitation.ts";

const annotationsOf = ({ title, annotations }: FleetTool): ToolAnnotations => ({
  title,
  readOnlyHint: annotations.readOnly,
  destructiveHint: annotations.destructive,
  idempotentHint: annotations.idempotent,
  openWorldHint: annotations.openWorld,
});

/** A schema that is shown as it stands and lets everything through: the tool checks its arguments itself, so that it can say how to fix them. */
function shown(schema: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "fleetwire",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** What one request brings to a call: its end, who can be asked, whether its result arrives, and where progress is reported. */
function optionsOf(server: McpServer, request: ServerContext): ExecuteOptions {
  const { signal, notify, _meta } = request.mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    signal,
    elicitation: elicitationOf(request, server.server.getClientCapabilities()),
    delivered: () => deliveryOf(request),
    ...(progressToken !== undefined && {
      progress: (done, total, message) => {
        const params = { progressToken, progress: done, ...(total !== undefined && { total }), message };
        // A host that no longer listens is no reason to fail.
        notify({ method: "notifications/progress", params }).catch(() => {});
      },
    }),
  };
}

/** A result as FLEET_RESULT wants it. A failure has no record, and is text in any case. */
function sentAs(form: ServerConfig["result"], { ok, text, structured, ...result }: FleetToolResult): CallToolResult | InputRequiredResult {
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

/** Registers tools under their names and aliases, and lists the names. */
export function toolRegistrar({ tools }: FleetTools, form: ServerConfig["result"]): (server: McpServer) => void {
  const offered = tools.map((tool) => {
    const { name, title, description, inputJsonSchema: inputSchema } = tool;
    // Where a schema is listed, hosts refuse a result without a record.
    const outputSchema = form === "text" ? undefined : tool.outputJsonSchema;
    const texts = { title, description, annotations: annotationsOf(tool) };
    return {
      tool,
      config: { ...texts, inputSchema: shown(inputSchema), ...(outputSchema && { outputSchema: shown(outputSchema) }) },
      listed: { name, ...texts, inputSchema, ...(outputSchema && { outputSchema }) },
    };
  });
  const list = { tools: offered.map(({ listed }) => listed) } as ListToolsResult;
  return (server) => {
    if (offered.length === 0) return;
    for (const { tool, config } of offered) {
      const answer = async (args: unknown, request: ServerContext) => sentAs(form, await tool.execute(args, optionsOf(server, request)));
      for (const name of [tool.name, ...tool.aliases]) server.registerTool(name, config, answer);
    }
    // The SDK would list the aliases too, and a model pays for each.
    server.server.setRequestHandler("tools/list", () => list);
  };
}
