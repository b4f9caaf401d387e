export {
  type CheckName,
  type CheckResult,
  type ChecksOptions,
  type ChecksReport,
  type Coverage,
  checkNames,
  coverageOf,
  type FieldCoverage,
  type Finding,
  gapsOf,
  runChecks,
  type Skip,
} from "./checks/index.ts";
export { Fixture, fixtureText, type NamedFixture } from "./fixtures/fixture.ts";
export { loadFixtures, packageFixtures } from "./fixtures/load-fixtures.ts";
export { InterfaceDocument, type InterfaceField, loadInterface } from "./interface/interface-document.ts";
export { ProviderSandbox, setUpState } from "./provider/provider-sandbox.ts";
