// For sister packages of the same version only: anything here may change in any release.

export { parseJson } from "./client/check-body.ts";
export { valueAt } from "./client/field-path.ts";
export { rejectsOnly } from "./client/idempotency-key.ts";
export { nextTurn } from "./client/next-turn.ts";
export { missingServers, type Routes, schemeOf, serverOf } from "./client/operation-routes.ts";
export { readPages } from "./client/paginate.ts";
export { type InputTarget, parseInput } from "./client/parse-input.ts";
export { retryAfterOf } from "./client/retry-policy.ts";
export { traceIdOf } from "./client/trace-context.ts";
export { commandError, commandSettings, forTerminal, variableLines } from "./command-line.ts";
export { fleetConfigOf, serverVariables } from "./config-from-env.ts";
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
export { DISTANCE_UNITS, type DistanceEvidence, DistanceTally, type DistanceUnit, distanceUnitOf, straightKm } from "./distance-unit.ts";
export { oneOf, type ReadFile, withFileContents } from "./environment-variables.ts";
export { withAdvice, withDetails } from "./errors.ts";
export { bearingDegrees, distanceKm, EARTH_RADIUS_KM, isNullIsland, type Point } from "./geography.ts";
export { isRecord } from "./is-record.ts";
export { notify } from "./notify.ts";
export { probeContextOf } from "./probe-context.ts";
export { rowFields } from "./row-fields.ts";
export { plausibleRange } from "./schemas/field-metadata.ts";
export { isIgnitionOff, isMoving, MOVING, MOVING_MAX_AGE, wasMoving } from "./schemas/is-moving.ts";
export { isLaterPosition } from "./schemas/latest-position.ts";
export { LOW_PERCENT, SILENT_HOURS } from "./schemas/needs-attention.ts";
export { isDayFirstDate, parseDateTime } from "./schemas/parse-date-time.ts";
export { definitionOf, isOptional, nestedSchemas, unwrapSchema } from "./schemas/schema-walk.ts";
export { textColumns } from "./text-columns.ts";
export { escapeMarkup, inOneLine, jsonEscapes, replaceUnsafe, UNSAFE } from "./unsafe-text.ts";
