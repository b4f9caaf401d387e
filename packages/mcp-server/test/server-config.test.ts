import { fleetToolsConfigFromEnv, fleetToolsVariables } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { environmentVariables } from "../src/cli/environment.ts";
import { serverConfigFromEnv } from "../src/index.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "secret",
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
