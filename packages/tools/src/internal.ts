// For packages/console of the same version, which bundles it, so it is not published: anything here may change.
export { type ActivityWords, DEFAULT_WORDS, readActivities } from "./aggregate/activity-words.ts";
export { type Fault, faultsOfVehicle } from "./aggregate/faults-of-vehicle.ts";
export { readHours } from "./aggregate/hours-left.ts";
export { withDeadline } from "./call-deadline.ts";
export { callRead } from "./catalogue/call-read.ts";
export { findRecords } from "./catalogue/undocumented-list.ts";
export { readFleet } from "./fleet/fleet-reader.ts";
export { fullRecords } from "./fleet/full-records.ts";
export type { Position } from "./fleet/position.ts";
export { resolveName } from "./names/resolve-name.ts";
export { fold } from "./names/spelling.ts";
export { singleLine } from "./results/clip-values.ts";
export type { ToolContext } from "./tool.ts";
export { contextOf } from "./tool-contexts.ts";
