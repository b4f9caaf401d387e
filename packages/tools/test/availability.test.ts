import { describe, expect, it } from "vitest";
import { serverUnderTest } from "./server-under-test.ts";

type Env = Record<string, string | undefined>;

const ALL = [
  ...["locate_vehicle", "find_nearest_vehicles", "summarize_fleet", "list_live_positions", "list_vehicle_faults"],
  ...["driver_hours", "summarize_driver_activity", "query_tacho_activity", "list_jobs", "create_job", "list_tire_events", "update_group"],
];

const POSITIONS = ["locate_vehicle", "find_nearest_vehicles", "summarize_fleet", "list_live_positions"];
const TACHO = ["driver_hours", "summarize_driver_activity", "query_tacho_activity"];

const without = (...names: string[]): Env => Object.fromEntries(names.map((name) => [`FLEET_${name}`, undefined]));

/** Those of the tools that are listed; tools of newer operations are ignored. */
async function offered(env: Env): Promise<string[]> {
  const { client } = await serverUnderTest({ env });
  return (await client.listTools()).tools.map(({ name }) => name).filter((name) => ALL.includes(name));
}

const ABSENT: [string, Env, string[]][] = [
  ["nothing is missing", {}, []],
  ["no tachograph server", without("TACHO_URL"), [...TACHO]],
  ["no job server", without("JOB_URL"), ["create_job"]],
  ["no API host", without("API_HOST"), ["list_jobs"]],
  ["no token service", without("AUTH_URL"), [...TACHO, "list_jobs", "list_tire_events", "create_job"]],
  [
    "no token service, positions by bearer token",
    { ...without("AUTH_URL"), FLEET_AUTH_SCHEMES: "listLivePositions=bearer" },
    [...POSITIONS, ...TACHO, "list_jobs", "list_tire_events", "create_job"],
  ],
  [
    "no token service, tire events by basic auth",
    { ...without("AUTH_URL"), FLEET_AUTH_SCHEMES: "listTireEvents=basic" },
    [...TACHO, "list_jobs", "create_job"],
  ],
  ["a fleet server in addition to the base server", { FLEET_FLEET_URL: "https://fleet.example.com" }, []],
  ["read-only", { FLEET_READ_ONLY: "1" }, ["create_job", "update_group"]],
  ["read-only off", { FLEET_READ_ONLY: "0" }, []],
];

describe("tools that cannot be called are not listed", () => {
  it.each(ABSENT)("%s", async (_, env, absent) => {
    expect(await offered(env)).toEqual(ALL.filter((name) => !absent.includes(name)));
  });

  it.each([
    ["create_job", { address: "Quai Perrache 10, Lyon" }],
    ["update_group", { id: "north", name: "N" }],
  ])("and are refused: %s in read-only mode", async (name, args) => {
    const { call, service } = await serverUnderTest({ env: { FLEET_READ_ONLY: "1" } });
    await expect(call(name, args)).rejects.toThrow(name);
    expect(service.received).toEqual([]);
  });

  it("and are refused: a tool that does not exist", async () => {
    const { call } = await serverUnderTest();
    await expect(call("request_access_token")).rejects.toThrow("request_access_token");
  });
});

describe("FLEET_TOOLS and FLEET_TOOLSETS select tools", () => {
  it.each<[Env, string[]]>([
    [{ FLEET_TOOLSETS: "positions" }, POSITIONS],
    [{ FLEET_TOOLSETS: "jobs, tires" }, ["list_jobs", "create_job", "list_tire_events"]],
    [{ FLEET_TOOLS: "update_group,locate_vehicle" }, ["locate_vehicle", "update_group"]],
    [{ FLEET_TOOLS: "listVehicleFaults", FLEET_TOOLSETS: "tacho" }, ["list_vehicle_faults", ...TACHO]],
    [{ FLEET_TOOLSETS: "jobs,groups", FLEET_READ_ONLY: "1" }, ["list_jobs"]],
    [{ FLEET_TOOLSETS: "groups", FLEET_READ_ONLY: "1" }, []],
  ])("%j", async (env, names) => {
    const { client } = await serverUnderTest({ env });
    const listed = client.getServerCapabilities()?.tools ? (await client.listTools()).tools.map(({ name }) => name) : [];
    expect(listed.filter((name) => ALL.includes(name))).toEqual(names);
  });

  it.each<[Env, RegExp]>([
    [{ FLEET_TOOLS: "locate_truck" }, /FLEET_TOOLS: there is no tool locate_truck/],
    [{ FLEET_TOOLSETS: "positions,jbos" }, /FLEET_TOOLSETS: there is no toolset jbos/],
    [{ FLEET_TOOLSETS: "constructor" }, /there is no toolset constructor/],
    [{ FLEET_TOOLS: "a b" }, /FLEET_TOOLS must be a list of names/],
  ])("%j is refused", async (env, expected) => {
    await expect(serverUnderTest({ env })).rejects.toThrow(expected);
  });
});

describe("a tool's alias, the operation name of the OpenAPI document", () => {
  it("calls the tool but is not listed", async () => {
    const { client, call, service } = await serverUnderTest({ script: { listLivePositions: () => ({ body: [] }) } });
    expect((await call("listLivePositions")).isError).toBeUndefined();
    expect(service.of("listLivePositions")).toHaveLength(1);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("listLivePositions");
  });

  it.each<[Env]>([[{ FLEET_READ_ONLY: "1" }], [{ FLEET_TOOLSETS: "positions" }], [without("JOB_URL")]])(
    "is refused whenever the tool is: %j",
    async (env) => {
      const { call, service } = await serverUnderTest({ env });
      await expect(call("createJob", { address: "Lyon" })).rejects.toThrow("createJob");
      expect(service.received).toEqual([]);
    },
  );

  it("asks for confirmation like the tool", async () => {
    const { call, service } = await serverUnderTest({ person: () => ({ action: "decline" }), env: { FLEET_CONFIRM: "auto" } });
    expect((await call("createJob", { address: "Lyon" })).structuredContent).toMatchObject({ result: "declined" });
    expect(service.received).toEqual([]);
  });
});
