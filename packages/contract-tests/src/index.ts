export { type CheckName, checkNames, type Finding, type Skip, type Verdict } from "./checks/finding.ts";
export { type ChecksOptions, type ChecksResult, runChecks } from "./checks/run-checks.ts";
export { Fixture, fixtureText, type NamedFixture } from "./fixtures/fixture.ts";
export { loadFixtures, ownFixtures } from "./fixtures/load-fixtures.ts";
export { Stage } from "./provider/stage.ts";
export { stageFor } from "./provider/states.ts";
export { ContractTable, loadTable } from "./table/contract-table.ts";
export { type Coverage, coverageOf, type FieldCoverage, gapsOf } from "./table/coverage.ts";
