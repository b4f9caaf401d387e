export { updatedBaseline } from "./accepted-drift.ts";
export { callPlanOf } from "./call-plan.ts";
export { reportOf } from "./drift-report.ts";
export { type Exchange, type ObservedClient, observe, type RequestLimits } from "./observed-client.ts";
export { mayExist, type PlanOutcome, runPlan, runStep, type StepOutcome } from "./run-plan.ts";
export { DriftBaseline, type DriftFinding, VerifyReport } from "./verify-report.ts";
