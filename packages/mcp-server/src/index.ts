export { availableTools } from "./available-tools.ts";
export { type HttpService, type HttpServiceOptions, serveHttp } from "./http/serve-http.ts";
export { createLog } from "./log.ts";
export type { ToolFailure, ToolQuestion, ToolResult } from "./results/tool-result.ts";
export { runTool } from "./run-tool.ts";
export { createServerFactory, type FleetServerOptions } from "./server.ts";
export type { ReadTool, ServerConfig, Tool, ToolContext, ToolSettings, WriteTool } from "./tool.ts";
