export { type HttpService, type HttpServiceOptions, serveHttp } from "./http-service.ts";
export { createLog } from "./log.ts";
export type { ToolFailure, ToolResult } from "./results/tool-result.ts";
export { runTool } from "./run-tool.ts";
export { availableTools, createServerFactory, type FleetServerOptions } from "./server.ts";
export type { Tool, ToolContext, ToolSettings } from "./tool.ts";
