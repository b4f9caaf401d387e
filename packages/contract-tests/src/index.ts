export { type CheckName, type CheckResult, checkNames, type Finding, type Skip } from "./checks/check-result.ts";
export { type Coverage, coverageOf, type FieldCoverage, gapsOf } from "./checks/coverage.ts";
export { type ChecksOptions, type ChecksReport, runChecks } from "./checks/run-checks.ts";
export { Fixture, fixtureText, type NamedFixture } from "./fixtures/fixture.ts";
export { loadFixtures, packageFixtures } from "./fixtures/load-fixtures.ts";
export { InterfaceDocument, type InterfaceField, loadInterface } from "./interface/interface-document.ts";
export { ProviderSandbox, setUpState } from "./provider/provider-sandbox.ts";
