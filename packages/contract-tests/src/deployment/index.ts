export { callPlanOf } from "./call-plan.ts";
export { type DeploymentReport, reportOf } from "./drift-report.ts";
export { type PlanOutcome, runPlan } from "./run-plan.ts";
