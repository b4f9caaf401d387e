import { clientVariables, type FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { fleetToolsConfigFromEnv, toolVariables } from "../src/index.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "secret",
  FLEET_BASE_URL: "https://fleet.example.com/api",
};

function refusal(...args: Parameters<typeof fleetToolsConfigFromEnv>): FleetError {
  try {
    fleetToolsConfigFromEnv(...args);
  } catch (error) {
    return error as FleetError;
  }
  throw new Error("the configuration was accepted");
}

describe("the configuration of tools from the environment", () => {
  it("has the client's options, and defaults for the rest", () => {
    expect(fleetToolsConfigFromEnv({ ...required, PATH: "/bin" })).toEqual({
      ...fleetConfigFromEnv(required),
      ...{ timeZone: undefined, readOnly: false, tools: undefined, toolsets: undefined, confirm: "auto", maxResultTokens: 5000 },
      ...{ snapshotSeconds: 5, maxVehicles: 500_000, privacy: "respect", past: "respect", driverNames: "show" },
      sealKey: undefined,
    });
  });

  it("reads every variable", () => {
    const sealKey = btoa("k".repeat(32));
    const profile = { version: 1, facts: [] };
    const read: [variable: string, value: string, option: object][] = [
      ["FLEET_TIME_ZONE", "Europe/Paris", { timeZone: "Europe/Paris" }],
      ["FLEET_READ_ONLY", "1", { readOnly: true }],
      ["FLEET_TOOLS", "locate_vehicle , create_job", { tools: ["locate_vehicle", "create_job"] }],
      ["FLEET_TOOLSETS", "positions", { toolsets: ["positions"] }],
      ["FLEET_CONFIRM", "never", { confirm: "never" }],
      ["FLEET_MAX_RESULT_TOKENS", "1200", { maxResultTokens: 1200 }],
      ["FLEET_SNAPSHOT_SECONDS", "30", { snapshotSeconds: 30 }],
      ["FLEET_MAX_VEHICLES", "1000", { maxVehicles: 1000 }],
      ["FLEET_PRIVACY", "off", { privacy: "off" }],
      ["FLEET_PAST", "full", { past: "full" }],
      ["FLEET_DRIVER_NAMES", "hide", { driverNames: "hide" }],
      ["FLEET_ACTIVITY_WORDS", "FAHREN=driving, An Bord = rest", { activityWords: { FAHREN: "driving", "An Bord": "rest" } }],
      ["FLEET_DISTANCE_UNIT", "mi", { distanceUnit: "mi" }],
      ["FLEET_PROFILE", "/etc/fleet/profile.json", { profile }],
      ["FLEET_SEAL_KEY", sealKey, { sealKey }],
    ];
    const env = Object.fromEntries(read.map(([variable, value]) => [variable, value]));
    const readFile = (path: string) => (path === "/etc/fleet/profile.json" ? ` ${JSON.stringify(profile, null, 2)}\n` : "");
    expect(Object.keys(env)).toEqual(Object.keys(toolVariables));
    expect(fleetToolsConfigFromEnv({ ...required, ...env, FLEET_JOB_NUMBERS: "service" }, { readFile })).toEqual({
      ...fleetConfigFromEnv({ ...required, FLEET_JOB_NUMBERS: "service" }),
      ...Object.assign({}, ...read.map(([, , option]) => option)),
    });
  });

  const seen = { records: 3, of: 3, from: "2026-11-20T10:00:00Z", until: "2026-11-20T10:00:00Z" };
  const notLearnt = "FLEET_PROFILE must be a profile that fleetwire-contract learn wrote: ";
  const factOf = (more: object) =>
    JSON.stringify({ version: 1, facts: [{ fact: "unit", operation: "o", path: "$", unit: "km", ...seen, ...more }] });
  it.each<[string, string | undefined, string]>([
    ["read by no one", undefined, "FLEET_PROFILE must be read from its file: in code with the option readFile, in a tenants file as"],
    ["that is no JSON object", "- canary", "FLEET_PROFILE: the file is not a JSON object"],
    ["that is larger than 1 MB", `{"canary": "${"-".repeat(1_000_000)}"}`, `${notLearnt}it is larger than 1 MB`],
    ["that is no JSON", "{canary", `${notLearnt}it is not JSON`],
    ["with an unknown fact", factOf({ fact: "canary", basis: "observed" }), `${notLearnt}facts.0.fact: Invalid`],
    ["with a documented fact", factOf({ basis: "documented" }), `${notLearnt}facts.0.basis: Invalid input`],
  ])("refuses a profile %s, in one line without its path and values", (_, content, message) => {
    const error = refusal({ ...required, FLEET_PROFILE: "/canary/profile.json" }, content === undefined ? {} : { readFile: () => content });
    expect(error.code).toBe("config");
    expect(error.message).toContain(`configuration: ${message}`);
    expect(JSON.stringify(error)).not.toMatch(/canary|\\n/);
  });

  it("shares no name with the client's", () => {
    for (const name of Object.keys(toolVariables)) expect(Object.keys(clientVariables)).not.toContain(name);
  });

  const malformed = [
    ...["FLEET_READ_ONLY", "FLEET_CONFIRM", "FLEET_SNAPSHOT_SECONDS", "FLEET_PRIVACY", "FLEET_DRIVER_NAMES"],
    ...["FLEET_MAX_RESULT_TOKENS", "FLEET_ACTIVITY_WORDS", "FLEET_SEAL_KEY"],
  ].map((name) => [name, "canary"] as const);

  it.each<readonly [string, string]>([
    ...malformed,
    ["FLEET_TIME_ZONE", "Canary/Wharf"],
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
