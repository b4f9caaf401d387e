export { type Availability, catalogue, toolAvailability, toolsets } from "./available-tools.ts";
export { createFleetTools, type FleetTools, type FleetToolsOptions } from "./create-fleet-tools.ts";
export type {
  Elicitation,
  ExecuteOptions,
  FleetTool,
  FleetToolResult,
  Question,
  ToolAnnotations,
  ToolDescription,
} from "./fleet-tool.ts";
export type { NameKind } from "./names/complete-names.ts";
export type { FailureRecord } from "./results/tool-result.ts";
export type { Answer, Reply, ReportProgress, WriteEvent } from "./tool.ts";
export type { CallEvent, ToolHooks } from "./tool-hooks.ts";
export type { JsonSchema, SchemaIssue, ToolSchema } from "./tool-schema.ts";
export {
  type FleetToolsConfig,
  type FleetToolsSettings,
  fleetToolsConfigFromEnv,
  fleetToolsConfigOf,
  fleetToolsVariables,
  toolVariables,
} from "./tools-config.ts";
export type { WriteStore } from "./writes/write-store.ts";
