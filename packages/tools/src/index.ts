export { availableTools } from "./available-tools.ts";
export type { ToolFailure, ToolQuestion, ToolResult } from "./results/tool-result.ts";
export { runTool } from "./run-tool.ts";
export type { ReadTool, Tool, ToolContext, ToolSettings, WriteTool } from "./tool.ts";
export { type FleetToolsConfig, fleetToolsConfigFromEnv, fleetToolsConfigOf, fleetToolsVariables, toolVariables } from "./tools-config.ts";
