import { clientVariables, fleetConfigFromEnv, unknownFleetVariables } from "@fleetwire/core";
import { environmentVariables, knownVariables } from "@fleetwire/mcp-server/environment";
import { fleetToolsConfigFromEnv, fleetToolsVariables } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { serverConfigFromEnv } from "../src/index.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "canary-secret",
  FLEET_BASE_URL: "https://fleet.example.com/api",
};

describe("the server's configuration from the environment", () => {
  it("extends the tools' configuration, with its own defaults", () => {
    expect(serverConfigFromEnv(required)).toEqual({ ...fleetToolsConfigFromEnv(required), result: "both", log: "warn" });
  });

  it("reads its own variables", () => {
    const env = { FLEET_RESULT: "record", FLEET_TILES_URL: "https://{s}.tiles.example/{z}/{x}/{y}.png", FLEET_LOG: "debug" };
    expect(Object.keys({ ...fleetToolsVariables, ...env })).toEqual(Object.keys(environmentVariables));
    expect(serverConfigFromEnv({ ...required, ...env })).toMatchObject({ result: "record", tilesUrl: env.FLEET_TILES_URL, log: "debug" });
  });

  it("names invalid variables of all packages in one error", () => {
    const env = { FLEET_JOB_NUMBERS: "canary", FLEET_PRIVACY: "canary", FLEET_LOG: "canary", FLEET_RESULT: "canary", FLEET_REED_ONLY: "1" };
    expect(() => serverConfigFromEnv({ ...required, ...env, FLEET_CLIENT_ID: "" })).toThrow(
      "configuration: FLEET_CLIENT_ID is missing (client id); FLEET_JOB_NUMBERS must be one of client, service; " +
        "FLEET_PRIVACY must be one of respect, off; FLEET_RESULT must be one of both, text, record; " +
        "FLEET_LOG must be one of silent, error, warn, info, debug; FLEET_REED_ONLY is not a Fleetwire variable; did you mean FLEET_READ_ONLY?",
    );
  });
});

describe("a misspelt variable", () => {
  it.each([
    ["FLEET_READONLY", "FLEET_READ_ONLY"],
    ["FLEET_TOOL_SET", "FLEET_TOOLSETS"],
    ["FLEET_DRIVERS_NAMES", "FLEET_DRIVER_NAMES"],
  ])("%s is refused, even beside the right one, and %s is suggested", (name, meant) => {
    const env = { FLEET_READ_ONLY: "1", ...required, [name]: "canary-1" };
    expect(() => serverConfigFromEnv(env)).toThrow(`configuration: ${name} is not a Fleetwire variable; did you mean ${meant}?`);
    expect(unknownFleetVariables(env, environmentVariables)).toEqual([]);
  });

  it("is refused only by the program that reads it, and ignored without a value", () => {
    const env = { ...required, FLEET_READONLY: "1" };
    expect(fleetConfigFromEnv(env)).toEqual(fleetConfigFromEnv(required));
    expect(() => fleetToolsConfigFromEnv(env)).toThrow(/did you mean FLEET_READ_ONLY\?$/);
    expect(serverConfigFromEnv({ ...required, FLEET_READONLY: " ", FLEET_BASE_ULR: "" }).readOnly).toBe(false);
  });
});

it("no variable of Fleetwire is mistaken for another, nor refused by a program that does not read it", () => {
  const every = Object.fromEntries(Object.keys(environmentVariables).map((name) => [name, "1"]));
  expect(unknownFleetVariables(every, environmentVariables)).toEqual([]);
  expect(() => serverConfigFromEnv(every)).toThrow(/must/);
  expect(() => serverConfigFromEnv(every)).not.toThrow(/is not a Fleetwire variable/);
  const others = (read: object) =>
    Object.fromEntries(Object.keys(knownVariables).flatMap((name) => (name in read ? [] : [[name, "canary-1"]])));
  expect(fleetConfigFromEnv({ ...required, ...others(clientVariables) })).toEqual(fleetConfigFromEnv(required));
  expect(fleetToolsConfigFromEnv({ ...required, ...others(fleetToolsVariables) })).toEqual(fleetToolsConfigFromEnv(required));
});
