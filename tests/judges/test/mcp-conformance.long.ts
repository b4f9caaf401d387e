import { expect, it } from "vitest";
import { runAuthorizationScenarios } from "./authorization-scenarios.ts";

it.each([
  ["2025-11-25", ["auth"]],
  // The suite keeps those that this revision added in a suite of their own.
  ["2026-07-28", ["auth", "draft"]],
])("the authorization scenarios of revision %s pass for the client whose flow is tested against this server", async (revision, suites) => {
  const { required, passed } = await runAuthorizationScenarios(revision, suites);
  expect(passed).toEqual(required);
});
