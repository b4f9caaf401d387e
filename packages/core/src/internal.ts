// For sister packages of the same version only: anything here may change in any release.

export { parseJson } from "./client/check-body.ts";
export { nextTurn } from "./client/concurrency-limit.ts";
export { traceIdOf } from "./client/operation-method.ts";
export { missingServers, type Routes, schemeOf, serverOf } from "./client/operation-routes.ts";
export { readPages } from "./client/paginate.ts";
export { parseInput } from "./client/parse-input.ts";
export { isTransient, retryAfterOf } from "./client/retry-policy.ts";
export { rejectsOnly } from "./client/write-outcome.ts";
export { commandError, commandSettings, forTerminal, variableLines } from "./command-line.ts";
export { fleetConfigOf, serverVariables } from "./config-from-env.ts";
export { probeContextOf } from "./define-operation.ts";
export {
  ACTIVITIES_PATH,
  DeploymentProfile,
  DURATION_UNITS,
  type DurationUnit,
  type FactOf,
  factsOf,
  type ObservedField,
  type ProfileFact,
  parseProfile,
} from "./deployment-profile.ts";
export {
  bearingDegrees,
  DISTANCE_UNITS,
  DistanceTally,
  type DistanceUnit,
  distanceKm,
  distanceUnitOf,
  EARTH_RADIUS_KM,
  isNullIsland,
  type Point,
  straightKm,
} from "./distance.ts";
export { oneOf, type ReadFile, withFileContents } from "./environment-variables.ts";
export { withAdvice, withDetails } from "./errors.ts";
export { isRecord, valueAt } from "./json-values.ts";
export { notify } from "./notify.ts";
export { rowFields } from "./operation-fields.ts";
export { escapeMarkup, inOneLine, jsonEscapes, replaceUnsafe, separated, textColumns, UNSAFE } from "./plain-text.ts";
export { plausibleRange } from "./schemas/field-metadata.ts";
export { isDayFirstDate, parseDateTime } from "./schemas/parse-date-time.ts";
export {
  isIgnitionOff,
  isLaterPosition,
  isMoving,
  LOW_PERCENT,
  MOVING,
  MOVING_MAX_AGE,
  SILENT_HOURS,
  wasMoving,
} from "./schemas/position-state.ts";
export { definitionOf, isOptional, nestedSchemas, unwrapSchema } from "./schemas/schema-walk.ts";
