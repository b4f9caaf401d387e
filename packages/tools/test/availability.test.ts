import { describe, expect, it } from "vitest";
import { servedFleet } from "./served-fleet.ts";

type Env = Record<string, string | undefined>;

const POSITIONS = ["locate_vehicle", "find_nearest_vehicles", "summarize_fleet", "list_live_positions"];
const TACHO = ["driver_hours", "summarize_driver_activity", "query_tacho_activity"];
const ALL = [...POSITIONS, "list_vehicle_faults", ...TACHO, "list_jobs", "create_job", "list_tire_events", "update_group"];

const without = (...names: string[]): Env => Object.fromEntries(names.map((name) => [`FLEET_${name}`, undefined]));

const NO_TOKENS = without("AUTH_URL");

/** Those of the tools that are offered; tools of newer operations are ignored. */
const offered = async (env: Env) => (await servedFleet({ env })).tools.tools.map(({ name }) => name).filter((name) => ALL.includes(name));

it.each<[string, Env, absent: string[]]>([
  ["nothing is missing", {}, []],
  ["no tachograph server", without("TACHO_URL"), TACHO],
  ["no token service", NO_TOKENS, [...TACHO, "list_jobs", "list_tire_events", "create_job"]],
  [
    ...(["no token service, positions by bearer token", { ...NO_TOKENS, FLEET_AUTH_SCHEMES: "listLivePositions=bearer" }] as const),
    [...POSITIONS, ...TACHO, "list_jobs", "list_tire_events", "create_job"],
  ],
  ["a fleet server in addition to the base server", { FLEET_FLEET_URL: "https://fleet.example.com" }, []],
  ["read-only", { FLEET_READ_ONLY: "1" }, ["create_job", "update_group"]],
])("tools that cannot be called are not offered: %s", async (_, env, absent) => {
  expect(await offered(env)).toEqual(ALL.filter((name) => !absent.includes(name)));
});

describe("FLEET_TOOLS and FLEET_TOOLSETS select tools", () => {
  it.each<[Env, string[]]>([
    [{ FLEET_TOOLSETS: "jobs, tires" }, ["list_jobs", "create_job", "list_tire_events"]],
    [{ FLEET_TOOLS: "update_group,locate_vehicle" }, ["locate_vehicle", "update_group"]],
    [{ FLEET_TOOLS: "listVehicleFaults", FLEET_TOOLSETS: "tacho" }, ["list_vehicle_faults", ...TACHO]],
    [{ FLEET_TOOLSETS: "jobs,groups", FLEET_READ_ONLY: "1" }, ["list_jobs"]],
  ])("%j", async (env, names) => expect(await offered(env)).toEqual(names));

  it.each<[Env, RegExp]>([
    [{ FLEET_TOOLS: "locate_truck" }, /FLEET_TOOLS: there is no tool locate_truck/],
    [{ FLEET_TOOLSETS: "positions,jbos" }, /FLEET_TOOLSETS: there is no toolset jbos/],
    [{ FLEET_TOOLS: "a b" }, /FLEET_TOOLS must be a list of names/],
  ])("%j is refused", async (env, expected) => expect(servedFleet({ env })).rejects.toThrow(expected));
});

it.each<[tool: string, Env]>([
  ["create_job", { FLEET_READ_ONLY: "1" }],
  ["createJob", { FLEET_TOOLSETS: "positions" }],
  ["request_access_token", {}],
])("a call of %s with %j sends nothing", async (tool, env) => {
  const { failure, service } = await servedFleet({ env });
  expect(await failure(tool, { id: "north", name: "N", address: "Lyon" })).toMatch(/^input: /);
  expect(service.received).toEqual([]);
});

it("an alias needs approval like its tool", async () => {
  const { record, service } = await servedFleet({ env: { FLEET_CONFIRM: "auto" } });
  expect(await record("createJob", { address: "Lyon" })).toMatchObject({ confirmation: expect.any(String) });
  expect(service.of("createJob")).toEqual([]);
});
