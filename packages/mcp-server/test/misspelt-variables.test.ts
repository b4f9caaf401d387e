import { clientVariables, FleetError, fleetConfigFromEnv, unknownFleetVariables } from "@fleetwire/core";
import { fleetToolsConfigFromEnv, fleetToolsVariables } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { environmentVariables, knownVariables } from "../src/cli/environment.ts";
import { serverConfigFromEnv } from "../src/index.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "canary-secret",
  FLEET_BASE_URL: "https://fleet.example.com/api",
};

function refusal(env: Record<string, string>): string {
  try {
    serverConfigFromEnv(env);
  } catch (error) {
    if (error instanceof FleetError && error.code === "config") return error.message;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

describe("a misspelt variable", () => {
  it.each([
    ["FLEET_READONLY", "FLEET_READ_ONLY", "no underscore"],
    ["FLEETREAD_ONLY", "FLEET_READ_ONLY", "no first underscore"],
    ["FLEET_READ__ONLY", "FLEET_READ_ONLY", "an underscore more"],
    ["fleet_read_only", "FLEET_READ_ONLY", "other case"],
    ["Fleet_Base_Url", "FLEET_BASE_URL", "mixed case"],
    ["FLEETWIRE_READ_ONLY", "FLEET_READ_ONLY", "the prefix of the programs"],
    ["FLEET_READ_ONYL", "FLEET_READ_ONLY", "two letters swapped"],
    ["FLEET_BASE_ULR", "FLEET_BASE_URL", "two letters swapped"],
    ["FLEET_BASE_URI", "FLEET_BASE_URL", "another letter"],
    ["FLEET_TOOL", "FLEET_TOOLS", "a letter less"],
    ["FLEET_TOOL_SET", "FLEET_TOOLSETS", "two slips"],
    ["FLEET_LOGS", "FLEET_LOG", "a letter more"],
    ["FLEET_TIMEZONE", "FLEET_TIME_ZONE", "no underscore"],
    ["FLEET_CUSTOMER", "FLEET_CUSTOMER_ID", "the short name"],
    ["FLEET_MAX_RESULT_TOKEN", "FLEET_MAX_RESULT_TOKENS", "the singular"],
    ["FLEET_DRIVERS_NAMES", "FLEET_DRIVER_NAMES", "a letter more"],
    ["FLEET_CLIENT_SECRETE", "FLEET_CLIENT_SECRET", "a letter more"],
  ])("%s is refused, and %s is suggested: %s", (name, meant) => {
    const message = refusal({ ...required, [name]: "canary-1" });
    expect(message).toBe(`configuration: ${name} is not a Fleetwire variable; did you mean ${meant}?`);
    expect(unknownFleetVariables({ ...required, [name]: "canary-1" }, environmentVariables)).toEqual([]);
  });

  it("is ignored without a value, like a known variable", () => {
    expect(serverConfigFromEnv({ ...required, FLEET_READONLY: " ", FLEET_BASE_ULR: "" }).readOnly).toBe(false);
  });

  it("is refused even if the right one is set too", () => {
    expect(refusal({ ...required, FLEET_READ_ONLY: "1", FLEET_READONLY: "0" })).toContain("FLEET_READONLY");
  });
});

describe("a variable of another program", () => {
  it.each([
    "FLEET_URL",
    "FLEET_SERVER_ENABLE",
    "FLEET_ENROLLMENT_TOKEN",
    "FLEET_TOKEN_NAME",
    "FLEET_CA",
    "FLEET_MYSQL_ADDRESS",
    "FLEET_AUTH_JWT_KEY",
    "FLEET_LOGGING_JSON",
    "FLEET_X",
  ])("%s is ignored, but reported on request", (name) => {
    const env = { ...required, [name]: "canary-1" };
    expect(serverConfigFromEnv(env)).toEqual(serverConfigFromEnv(required));
    expect(unknownFleetVariables(env, environmentVariables)).toEqual([name]);
  });

  it.each(["FLEETING", "MY_FLEET_URL", "PATH", "FLEETCTL_READ"])("%s is not a Fleetwire variable at all", (name) => {
    expect(serverConfigFromEnv({ ...required, [name]: "1" })).toEqual(serverConfigFromEnv(required));
    expect(unknownFleetVariables({ ...required, [name]: "1" }, environmentVariables)).toEqual([]);
  });
});

it("no variable of Fleetwire is mistaken for another", () => {
  const every = Object.fromEntries(Object.keys(environmentVariables).map((name) => [name, "1"]));
  expect(unknownFleetVariables(every, environmentVariables)).toEqual([]);
  expect(() => serverConfigFromEnv(every)).toThrow(/must/);
  expect(() => serverConfigFromEnv(every)).not.toThrow(/is not a Fleetwire variable/);
});

describe("a variable that only another package reads", () => {
  const names = Object.keys(knownVariables);

  it.each(names.filter((name) => !Object.hasOwn(clientVariables, name)))("%s is ignored by a program that only has a client", (name) => {
    expect(fleetConfigFromEnv({ ...required, [name]: "canary-1" })).toEqual(fleetConfigFromEnv(required));
  });

  it.each(names.filter((name) => !Object.hasOwn(fleetToolsVariables, name)))("%s is ignored by a program that has tools", (name) => {
    expect(fleetToolsConfigFromEnv({ ...required, [name]: "canary-1" })).toEqual(fleetToolsConfigFromEnv(required));
  });

  it("is refused by the program that reads it if misspelt", () => {
    const env = { ...required, FLEET_READONLY: "1" };
    expect(fleetConfigFromEnv(env)).toEqual(fleetConfigFromEnv(required));
    expect(() => fleetToolsConfigFromEnv(env)).toThrow(/did you mean FLEET_READ_ONLY\?$/);
  });
});
