import { expect, it } from "vitest";
import { runAuthorizationScenarios } from "./authorization-scenarios.ts";
import { NODE24_TIMEOUT } from "./node24-command.ts";

it(
  "the conformance suite's authorization scenarios of revision 2026-07-28 pass for the client whose flow is tested against this server",
  async () => {
    // The suite keeps those that this revision added in a suite of their own.
    const { required, passed } = await runAuthorizationScenarios("2026-07-28", ["auth", "draft"]);
    expect(passed).toEqual(required);
  },
  NODE24_TIMEOUT,
);
