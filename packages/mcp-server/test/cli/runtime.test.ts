import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { configurationProblem, deferRuntime, openRuntime } from "../../src/cli/runtime.ts";

type Env = Readonly<Record<string, string | undefined>>;

const opened = async (options: Record<string, string | boolean>, environment: Record<string, string> = {}) => {
  const { config, notices, close } = await openRuntime(options, environment, (env: Env) => env);
  await close();
  return { env: config, notices };
};

describe("the configuration of a command", () => {
  it("is that of the environment, which flags override", async () => {
    const { env, notices } = await opened(
      { toolsets: "jobs", readOnly: true, clientSecret: "flag" },
      { FLEET_TOOLSETS: "all", HOME: "/h" },
    );
    expect(env).toEqual({ FLEET_TOOLSETS: "jobs", FLEET_READ_ONLY: "1", HOME: "/h" });
    expect(notices).toEqual([]);
  });

  it("does not have the settings that the sandbox replaces, which a notice names", async () => {
    const { env, notices } = await opened(
      { sandbox: true },
      { FLEET_BASE_URL: "https://x.example", FLEET_JOB_URL: " ", FLEET_LOG: "info" },
    );
    expect(env).toMatchObject({ FLEET_LOG: "info", FLEET_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//), sandbox: true });
    expect(notices).toEqual(["sandbox: every vehicle, person and position is made up; ignored: FLEET_BASE_URL"]);
  });

  it("names variables that it does not know", async () => {
    expect((await opened({}, { FLEET_SOMETHING_ELSE: "1" })).notices).toEqual(["ignored unknown variables: FLEET_SOMETHING_ELSE"]);
  });

  it("is none with an empty flag", async () => {
    await expect(opened({ timeZone: "" })).rejects.toMatchObject({ code: "config", message: "configuration: --time-zone is empty" });
  });

  const wrong = (error: unknown) => () => {
    throw error;
  };
  const bad = new FleetError("config", "configuration: bad", { advice: "Fix it" });

  it("suggests the sandbox if it is wrong, unless the sandbox is used", async () => {
    const suggested = {
      code: "config",
      message: "configuration: bad",
      advice: "Fix it; see --help, or try --sandbox, which needs no configuration",
    };
    await expect(openRuntime({}, {}, wrong(bad))).rejects.toMatchObject(suggested);
    expect(() => deferRuntime({}, {}, wrong(bad), {})).toThrow(expect.objectContaining(suggested));
    await expect(openRuntime({ sandbox: true }, {}, wrong(bad))).rejects.toBe(bad);
    const defect = new Error("a defect");
    await expect(openRuntime({}, {}, wrong(defect))).rejects.toBe(defect);
  });

  it("starts no sandbox before it is needed, and stops it", async () => {
    const addresses: (string | undefined)[] = [];
    const read = (env: Env) => {
      addresses.push(env["FLEET_BASE_URL"]);
      return { url: env["FLEET_BASE_URL"] ?? "" };
    };
    const { config, connect, close } = deferRuntime({ sandbox: true }, {}, read, { FLEET_BASE_URL: "http://none" });
    expect(config).toEqual({ url: "http://none", sandbox: true });
    const [{ url }, again] = [await connect(), await connect()];
    expect(again.url).toBe(url);
    expect(addresses).toEqual(["http://none", url]);
    expect((await fetch(url)).status).toBeGreaterThan(0);
    await close();
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
});

it.each([
  [new FleetError("config", "configuration: bad", { advice: "Fix it" }), "configuration: bad. Fix it"],
  [new FleetError("config", "configuration: bad", {} as never), "configuration: bad"],
  [new Error("a defect"), "a defect"],
  ["text", "text"],
])("%s is described as %j", (error, text) => expect(configurationProblem(error)).toBe(text));
