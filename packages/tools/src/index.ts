export { type Availability, catalogue, toolAvailability, toolsets } from "./catalogue.ts";
export { createFleetTools, type FleetTools, type FleetToolsOptions } from "./create-fleet-tools.ts";
export type { NameKind } from "./lookup/complete-names.ts";
export type {
  CallEvent,
  Elicitation,
  ExecuteOptions,
  FleetTool,
  FleetToolResult,
  JsonSchema,
  Question,
  SchemaIssue,
  ToolAnnotations,
  ToolDescription,
  ToolHooks,
  ToolSchema,
} from "./model/fleet-tool.ts";
export {
  type FleetToolsConfig,
  type FleetToolsSettings,
  fleetToolsConfigFromEnv,
  fleetToolsConfigOf,
  fleetToolsVariables,
  toolVariables,
} from "./model/settings.ts";
export type { Answer, FailureRecord, Reply, ReportProgress, WriteEvent } from "./model/tool.ts";
export type { WriteStore } from "./writes/signed-store.ts";
