import { describe, expect, it } from "vitest";
import { serverUnderTest } from "./server-under-test.ts";

type Env = Record<string, string | undefined>;

const ALL = [
  ...["locate_vehicle", "list_live_positions", "list_vehicle_faults", "query_tacho_activity"],
  ...["list_jobs", "list_tire_events", "create_job", "update_group"],
];

const without = (...names: string[]): Env => Object.fromEntries(names.map((name) => [`FLEET_${name}`, undefined]));

async function offered(env: Env): Promise<string[]> {
  const { client } = await serverUnderTest({ env });
  return (await client.listTools()).tools.map(({ name }) => name);
}

const ABSENT: [string, Env, string[]][] = [
  ["nothing is missing", {}, []],
  ["no tachograph server", without("TACHO_URL"), ["query_tacho_activity"]],
  ["no job server", without("JOB_URL"), ["create_job"]],
  ["no API host", without("API_HOST"), ["list_jobs"]],
  ["no token service", without("AUTH_URL"), ["query_tacho_activity", "list_jobs", "list_tire_events", "create_job"]],
  [
    "no token service, and positions by bearer",
    { ...without("AUTH_URL"), FLEET_AUTH_SCHEMES: "listLivePositions=bearer" },
    ["locate_vehicle", "list_live_positions", "query_tacho_activity", "list_jobs", "list_tire_events", "create_job"],
  ],
  [
    "no token service, and tires by basic",
    { ...without("AUTH_URL"), FLEET_AUTH_SCHEMES: "listTireEvents=basic" },
    ["query_tacho_activity", "list_jobs", "create_job"],
  ],
  ["a fleet server beside the base", { FLEET_FLEET_URL: "https://fleet.example.com" }, []],
  ["read-only", { FLEET_READ_ONLY: "1" }, ["create_job", "update_group"]],
  ["read-only off", { FLEET_READ_ONLY: "0" }, []],
];

describe("tools that cannot be called are not listed", () => {
  it.each(ABSENT)("%s", async (_, env, absent) => {
    expect(await offered(env)).toEqual(ALL.filter((name) => !absent.includes(name)));
  });

  it.each([
    ["create_job", { address: "Quai Perrache 10, Lyon" }],
    ["update_group", { id: "north" }],
  ])("and refused: %s in read-only mode", async (name, args) => {
    const { call, service } = await serverUnderTest({ env: { FLEET_READ_ONLY: "1" } });
    await expect(call(name, args)).rejects.toThrow(name);
    expect(service.received).toEqual([]);
  });

  it("and refused: a tool of that name was never there", async () => {
    const { call } = await serverUnderTest();
    await expect(call("request_access_token")).rejects.toThrow("request_access_token");
  });
});
