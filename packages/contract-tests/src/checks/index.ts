export { type CheckName, type CheckResult, checkNames, type Finding, type Skip } from "./check-result.ts";
export { checkClient } from "./client-check.ts";
export { type Coverage, checkCoverage, coverageOf, type FieldCoverage, gapsOf } from "./coverage.ts";
export { checkInterface } from "./interface-check.ts";
export { type ChecksOptions, type ChecksReport, runChecks } from "./run-checks.ts";
export { checkSandbox } from "./sandbox-check.ts";
