import type { Effect } from "@fleetwire/core";
import type { Elicitation, Tool, ToolContext } from "@fleetwire/tools/host";
import { inTime, resultTokens, runTool, type ToolFailure, type ToolResult, withoutMark } from "@fleetwire/tools/host";
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
import type { Logger } from "../log.ts";
import type { ServerConfig } from "../server-config.ts";
import { deliveryOf } from "./delivery.ts";
import { askDuringCall, CONFIRM, elicitationOf, FORM } from "./elicitation.ts";

/** Safety hints, from the effect alone. */
function annotationsOf(effect: Effect, title: string): ToolAnnotations {
  return {
    title,
    readOnlyHint: effect === "read",
    destructiveHint: effect === "update",
    idempotentHint: effect !== "create",
    openWorldHint: true,
  };
}

/** A schema that is shown as it stands and lets everything through: the tool checks its arguments itself, so that it can say how to mend them. */
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

/** What one request brings to a call: its end, who can be asked, and where progress is reported. */
export function contextOf(shared: ToolContext, server: McpServer, request: ServerContext): ToolContext {
  const { signal, notify, _meta } = request.mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    ...shared,
    callOptions: { signal },
    elicitation: elicitationOf(request, server.server.getClientCapabilities()),
    caller: { signal, delivered: () => deliveryOf(request) },
    progress: (done, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: done, ...(total !== undefined && { total }), message };
      // A host that no longer listens is no reason to fail.
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

/** Runs a tool, with a question to the user in between where the revision asks during the call. */
async function run(tool: Tool, args: unknown, context: ToolContext, request: ServerContext) {
  // The time that the user takes is not the service's.
  const runInTime = (elicitation: Elicitation) =>
    inTime(context.callTimeout, request.mcpReq.signal, (signal, endsAt) =>
      runTool(tool, args, { ...context, elicitation, endsAt, callOptions: { ...context.callOptions, signal } }),
    );
  const result = await runInTime(context.elicitation);
  if (!("ask" in result) || request.mcpReq.envelope !== undefined) return result;
  return runInTime({ canElicit: true, reply: await askDuringCall(result, request) });
}

async function answer(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  request: ServerContext,
  log: Logger,
  form: ServerConfig["result"],
): Promise<CallToolResult | InputRequiredResult> {
  const startedAt = performance.now();
  const result = await run(tool, args, context, request);
  const failed = "error" in result;
  const asks = "ask" in result;
  const entry = {
    tool: tool.name,
    ms: Math.round(performance.now() - startedAt),
    tokens: asks ? 0 : resultTokens(result),
    outcome: failed ? withoutMark(result.error).split(":")[0] : asks ? "asks" : "ok",
  };
  log[failed ? "warn" : "info"](entry, "tool call");
  if (asks) {
    const question = inputRequired.elicit({ message: result.ask, requestedSchema: FORM });
    return inputRequired({ inputRequests: { [CONFIRM]: question }, requestState: result.state });
  }
  return sentAs(form, result);
}

/** A result as FLEET_RESULT wants it. A failure has no record, and is text in any case. */
function sentAs(form: ServerConfig["result"], result: ToolResult | ToolFailure): CallToolResult {
  if ("error" in result) return { content: [{ type: "text", text: result.error }], isError: true };
  return {
    content: form === "record" ? [] : [{ type: "text", text: result.text }],
    ...(form !== "text" && { structuredContent: result.structured }),
  };
}

/** Registers tools under their names and aliases, and lists the names. */
export function toolRegistrar(
  tools: readonly Tool[],
  shared: ToolContext,
  log: Logger,
  form: ServerConfig["result"],
): (server: McpServer) => void {
  const offered = tools.map((tool) => {
    const { name, title, description, effect, inputSchema } = tool;
    // Where a schema is listed, hosts refuse a result without a record.
    const outputSchema = form === "text" ? undefined : tool.outputSchema;
    const texts = { title, description, annotations: annotationsOf(effect, title) };
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
      for (const name of [tool.name, ...(tool.aliases ?? [])])
        server.registerTool(name, config, async (args, request) =>
          answer(tool, args, contextOf(shared, server, request), request, log, form),
        );
    }
    // The SDK would list the aliases too, and a model pays for each.
    server.server.setRequestHandler("tools/list", () => list);
  };
}
