export { checkNames } from "./checks/check-result.ts";
export { type ChecksOptions, type ChecksReport, runChecks } from "./checks/run-checks.ts";
export { Fixture, fixtureText, type NamedFixture } from "./fixtures/fixture.ts";
export { loadFixtures, packageFixtures } from "./fixtures/load-fixtures.ts";
export { InterfaceDocument, loadInterface } from "./interface/interface-document.ts";
export { setUpState } from "./provider/provider-sandbox.ts";
