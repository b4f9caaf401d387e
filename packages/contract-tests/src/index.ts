export {
  type Baseline,
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
  presenceOf,
  readBaseline,
  runChecks,
  type Skip,
} from "./checks/index.ts";
export { harOf } from "./export/har.ts";
export { openApiOf } from "./export/openapi.ts";
export { pactOf } from "./export/pact.ts";
export { Fixture, fixtureText, type NamedFixture } from "./fixtures/fixture.ts";
export { loadFixtures, packageFixtures } from "./fixtures/load-fixtures.ts";
export { ProviderSandbox } from "./provider/provider-sandbox.ts";
export { type ProviderServer, STATE_PATH, startProvider } from "./provider/provider-server.ts";
export { setUpState } from "./provider/states.ts";
export { ContractTable, loadTable } from "./table/index.ts";
