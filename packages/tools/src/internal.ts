// For packages/console of the same version, which bundles it, so it is not published: anything here may change.

export { contextOf } from "./create-fleet-tools.ts";
export { readActivities, wordsOf } from "./fleet/activity-words.ts";
export { type Fault, faultsOfVehicle, fullRecords, readFleet } from "./fleet/fleet-reader.ts";
export type { Position } from "./fleet/position.ts";
export { limitedClient } from "./fleet/request-limit.ts";
export type { ActivityWords } from "./model/settings.ts";
export { resolveName } from "./names/resolve-name.ts";
export { readHours } from "./past/driving-rules.ts";
export { callRead, findRecords } from "./query/read-records.ts";
export { withDeadline } from "./runtime/call-deadline.ts";
export { singleLine } from "./text/clip-values.ts";
export { fold } from "./text/spelling.ts";
export type { ToolContext } from "./writes/write-tool.ts";
