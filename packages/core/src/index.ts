export type { StoredToken, TokenStore } from "./client/access-token.ts";
export { previewRequest, type RequestPreview } from "./client/build-request.ts";
export type { CallHooks, RequestEvent, ResponseEvent, RetryEvent } from "./client/call-hooks.ts";
export type { DriftReport } from "./client/check-body.ts";
export type { FleetClientOptions } from "./client/client-options.ts";
export { createFleetClient } from "./client/create-client.ts";
export type { Drift, DriftKind } from "./client/drift.ts";
export { maskedDrift } from "./client/drift.ts";
export type { FleetClient } from "./client/fleet-client.generated.ts";
export type {
  CallMetadata,
  CallOptions,
  OperationMethod,
  OptionalInputListMethod,
  OptionalInputMethod,
  OptionalInputPagedMethod,
  PagedMethod,
  RequestMethod,
  ResultWithMetadata,
  WriteOptions,
} from "./client/operation-method.ts";
export { parseTraceContext, type TraceContext } from "./client/operation-method.ts";

export { clientVariables, type FleetConfig, fleetConfigFromEnv } from "./config-from-env.ts";
export { defineOperation } from "./define-operation.ts";
export { type DeploymentProfile, readProfile } from "./deployment-profile.ts";
export {
  type Environment,
  type EnvironmentVariable,
  readVariables,
  unknownFleetVariables,
  type VariableTable,
  type VariableValues,
} from "./environment-variables.ts";
export { FleetError, type FleetErrorCode, type FleetErrorDetails, fleetErrorCodes, quoted } from "./errors.ts";
export { type OpenApiOptions, openApiDocument } from "./openapi/openapi-document.ts";
export {
  type AuthScheme,
  authSchemes,
  type Creation,
  type DocumentedError,
  type Effect,
  type IdempotencyKey,
  type InputOf,
  type LikelyRecords,
  type NamedEntity,
  type Operation,
  type OperationSpec,
  type OutcomePaths,
  type OutputOf,
  type Paging,
  type ProbeContext,
  type Refusal,
  type RowQuery,
  type ServerName,
  type SplitRecords,
  serverNames,
  type ToolMetadata,
  type ToolRows,
} from "./operation.ts";
export { pathOf, type RequestField, requestFields } from "./operation-fields.ts";
export { type OperationName, type Operations, operations } from "./operations/index.ts";
export type * from "./operations/inputs.generated.ts";
export { AccessToken } from "./schemas/access-token.ts";
export type { Measure, NonSensitiveKind, SensitiveKind, Sensitivity } from "./schemas/field-metadata.ts";
export { type FieldMetadata, fieldMetadata, metadataOf } from "./schemas/field-metadata.ts";
export { ApiError, Group, GroupId } from "./schemas/group.ts";
export {
  Job,
  JobCreation,
  JobError,
  JobHistoryEntry,
  JobPhoto,
  JobRequest,
  JobSignature,
  JobType,
  ResourceFile,
  StatusHistoryEntry,
  SubStatus,
  TaskAnswer,
  TaskAnswerValue,
  VisitResult,
} from "./schemas/job.ts";
export { type JsonSchema, type JsonSchemaOptions, jsonSchemaOf } from "./schemas/json-schema.ts";
export { LivePosition } from "./schemas/live-position.ts";
export { Identifier } from "./schemas/scalars.ts";
export type { ShapeSchema } from "./schemas/schema-walk.ts";
export { TachoActivity, TachoActivityPage, TachoDriver, TachoSort } from "./schemas/tacho-activity.ts";
export { Fault, FaultDetails, Pagination, VehicleFaults, VehicleFaultsPage } from "./schemas/vehicle-fault.ts";
