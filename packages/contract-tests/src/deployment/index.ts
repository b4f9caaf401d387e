export { callPlanOf } from "./call-plan.ts";
export { reportOf } from "./drift-report.ts";
export { runPlan } from "./run-plan.ts";
export { DriftBaseline, VerifyReport } from "./verify-report.ts";
