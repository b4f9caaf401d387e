export { articleOf } from "./articles.ts";
export { type Doubt, type Driving, type DrivingTime, drivingTime } from "./driving-time.ts";
export type { Infringement, InfringementDoubt, Rule, Severity } from "./infringement.ts";
export { infringementSteps, infringements } from "./infringements.ts";
export { LIMITS, WEEKS_NEEDED, WORK_LIMITS, weekStart } from "./limits.ts";
export { INFRINGEMENTS_NOT_CONSIDERED, NOT_CONSIDERED } from "./not-considered.ts";
export type { Range } from "./range.ts";
export type { Activity, ActivityKind, Period } from "./timeline.ts";
