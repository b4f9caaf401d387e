export { type Doubt, type Driving, type DrivingTime, drivingTime } from "./driving-time.ts";
export type { Infringement, InfringementDoubt, Rule, Severity } from "./infringement.ts";
export { articleOf } from "./infringement.ts";
export { INFRINGEMENTS_NOT_CONSIDERED, infringementSteps, infringements, NOT_CONSIDERED } from "./infringements.ts";
export { LIMITS, WEEKS_NEEDED, WORK_LIMITS, weekStart } from "./limits.ts";
export type { Activity, ActivityKind, Period, Range } from "./timeline.ts";
