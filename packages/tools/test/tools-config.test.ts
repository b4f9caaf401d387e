import { clientVariables, type FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { fleetToolsConfigFromEnv, toolVariables } from "../src/index.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "secret",
  FLEET_BASE_URL: "https://fleet.example.com/api",
};

function refusal(env: Record<string, string | undefined>): FleetError {
  try {
    fleetToolsConfigFromEnv(env);
  } catch (error) {
    return error as FleetError;
  }
  throw new Error("the configuration was accepted");
}

describe("the configuration of tools from the environment", () => {
  it("has the client's options, and defaults for the rest", () => {
    expect(fleetToolsConfigFromEnv({ ...required, PATH: "/bin" })).toEqual({
      ...fleetConfigFromEnv(required),
      timeZone: undefined,
      readOnly: false,
      tools: undefined,
      toolsets: undefined,
      confirm: "auto",
      maxResultTokens: 5000,
      snapshotSeconds: 5,
      fullReadSeconds: 0,
      maxVehicles: 500_000,
      privacy: "respect",
      past: "respect",
      driverNames: "show",
      sealKey: undefined,
    });
  });

  it("reads every variable", () => {
    const sealKey = btoa("k".repeat(32));
    const env = {
      FLEET_TIME_ZONE: "Europe/Paris",
      FLEET_READ_ONLY: "1",
      FLEET_TOOLS: "locate_vehicle , create_job",
      FLEET_TOOLSETS: "positions",
      FLEET_CONFIRM: "never",
      FLEET_MAX_RESULT_TOKENS: "1200",
      FLEET_SNAPSHOT_SECONDS: "30",
      FLEET_FULL_READ_SECONDS: "300",
      FLEET_MAX_VEHICLES: "1000",
      FLEET_PRIVACY: "off",
      FLEET_PAST: "full",
      FLEET_DRIVER_NAMES: "hide",
      FLEET_ACTIVITY_WORDS: "FAHREN=driving, Bereit zur Abfahrt = availability",
      FLEET_DISTANCE_UNIT: "mi",
      FLEET_SEAL_KEY: sealKey,
    };
    expect(Object.keys(env)).toEqual(Object.keys(toolVariables));
    expect(fleetToolsConfigFromEnv({ ...required, ...env, FLEET_JOB_NUMBERS: "service" })).toEqual({
      ...fleetConfigFromEnv({ ...required, FLEET_JOB_NUMBERS: "service" }),
      timeZone: "Europe/Paris",
      readOnly: true,
      tools: ["locate_vehicle", "create_job"],
      toolsets: ["positions"],
      confirm: "never",
      maxResultTokens: 1200,
      snapshotSeconds: 30,
      fullReadSeconds: 300,
      maxVehicles: 1000,
      privacy: "off",
      past: "full",
      driverNames: "hide",
      activityWords: { FAHREN: "driving", "Bereit zur Abfahrt": "availability" },
      distanceUnit: "mi",
      sealKey,
    });
  });

  it("shares no name with the client's", () => {
    for (const name of Object.keys(toolVariables)) expect(Object.keys(clientVariables)).not.toContain(name);
  });

  const malformed = [
    ...["FLEET_READ_ONLY", "FLEET_CONFIRM", "FLEET_SNAPSHOT_SECONDS", "FLEET_FULL_READ_SECONDS", "FLEET_PRIVACY", "FLEET_DRIVER_NAMES"],
    ...["FLEET_MAX_RESULT_TOKENS", "FLEET_ACTIVITY_WORDS", "FLEET_SEAL_KEY"],
  ].map((name) => [name, "canary"] as const);

  it.each<readonly [string, string]>([
    ...malformed,
    ["FLEET_TIME_ZONE", "Canary/Wharf"],
    ["FLEET_TOOLS", "canary,"],
    ["FLEET_MAX_RESULT_TOKENS", "-5"],
    ["FLEET_MAX_RESULT_TOKENS", "1e4"],
    ["FLEET_MAX_RESULT_TOKENS", "100"],
    ["FLEET_ACTIVITY_WORDS", "REST=rest,canary=sleeping"],
    ["FLEET_SEAL_KEY", btoa("canary")],
  ])("names %s=%s without its value", (name, value) => {
    const error = refusal({ ...required, [name]: value });
    expect(error.code).toBe("config");
    expect(error.message).toMatch(new RegExp(`^configuration: ${name} must `));
    expect(JSON.stringify(error).toLowerCase()).not.toContain("canary");
  });

  it("names everything malformed, missing or misspelt in one error, the client's included", () => {
    const env = { ...Object.fromEntries(malformed), FLEET_JOB_URL: "canary", FLEET_BASE_ULR: "canary", FLEET_PRIVCY: "canary" };
    const { message } = refusal(env);
    expect(new Set(message.match(/FLEET_[A-Z_]+/g))).toEqual(new Set([...Object.keys(env), ...Object.keys(required), "FLEET_PRIVACY"]));
    expect(message.toLowerCase()).not.toContain("canary");
  });

  it("says what replaced FLEET_CONFIRM=always", () => {
    expect(refusal({ ...required, FLEET_CONFIRM: "always" }).message).toBe(
      "configuration: FLEET_CONFIRM must be auto or never; auto (the default) replaces always",
    );
  });
});
