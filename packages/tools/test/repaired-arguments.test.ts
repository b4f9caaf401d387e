import { describe, expect, it } from "vitest";
import { errorOf, serverUnderTest } from "./server-under-test.ts";

const TIMES = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
const script = {
  listLivePositions: () => ({ body: [] }),
  queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
  listJobs: () => ({ body: [] }),
  createJob: ({ body }: { body: object }) => ({ body: { job: { ...body, jobId: "j1" } } }),
};

const REPAIRED: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["numbers", { lat: "45.7", lng: " -4.8 " }, { lat: 45.7, lng: -4.8 }],
  ["an integer", { address: "Lyon", jobRadius: "150" }, { address: "Lyon", jobRadius: 150 }],
  ["a list", { address: "Lyon", orderNumbers: '["O1", "12"]' }, { address: "Lyon", orderNumbers: ["O1", "12"] }],
  ["a list of one", { address: "Lyon", orderNumbers: "4711" }, { address: "Lyon", orderNumbers: ["4711"] }],
  ["a choice in another case", { address: "Lyon", status: "in progress" }, { address: "Lyon", status: "IN_PROGRESS" }],
];

describe("arguments sent as strings", () => {
  it.each(REPAIRED)("%s are converted if the schema requires it", async (_, args, body) => {
    const { call, service } = await serverUnderTest({ script });
    await call("create_job", { ...args, jobNumber: "J1" });
    expect(service.of("createJob")[0]?.body).toEqual({ ...body, jobNumber: "J1" });
  });

  it("booleans, even if null is allowed", async () => {
    const { call, service } = await serverUnderTest({ script });
    await call("list_live_positions", { showAllVehicleStatus: "true", vehicleIds: '["v1"]', limit: "5" });
    expect(Object.fromEntries(service.received[0]?.url.searchParams ?? [])).toMatchObject({
      showAllVehicleStatus: "true",
      vehicleIds: "v1",
    });
    await call("create_job", { address: "Lyon", override: "false" });
    expect(service.of("createJob")[0]?.url.search).toBe("?override=false");
  });

  it("objects, with their members in the given order", async () => {
    const { call, service } = await serverUnderTest({ script });
    await call("query_tacho_activity", { ...TIMES, sort: '{"driverKey": "DESC", "driverId": "ASC"}' });
    expect(JSON.stringify(service.of("queryTachoActivity")[0]?.body.sort)).toBe('{"driverKey":"DESC","driverId":"ASC"}');
    await call("list_jobs", { query: '{"status": "NEW"}' });
    expect(service.of("listJobs")[0]?.url.search).toBe("?status=NEW");
  });

  it.each<[string, unknown, [string, string][]]>([
    [
      "as in a URL",
      "status=NEW&limit=5",
      [
        ["status", "NEW"],
        ["limit", "5"],
      ],
    ],
    ["with its question mark", "?status=NEW", [["status", "NEW"]]],
    [
      "escaped",
      "name=A%26B&place=Lyon%20Sud",
      [
        ["name", "A&B"],
        ["place", "Lyon Sud"],
      ],
    ],
    ["a time with a zone", "from=2026-11-20T08:00:00+01:00", [["from", "2026-11-20T08:00:00+01:00"]]],
    ["an incomplete escape", "discount=5%", [["discount", "5%"]]],
    ["a repeated name", "id=1&id=2", [["id", "1,2"]]],
    ["an empty value", "status=", [["status", ""]]],
    [
      "an object",
      { status: "NEW", limit: 5, open: true, ids: ["a", "b"] },
      [
        ["status", "NEW"],
        ["limit", "5"],
        ["open", "true"],
        ["ids", "a,b"],
      ],
    ],
    ["nothing", "", []],
    ["null", null, []],
  ])("a query %s", async (_, query, sent) => {
    const { call, service } = await serverUnderTest({ script });
    expect((await call("list_jobs", { query })).isError).toBeUndefined();
    expect([...(service.of("listJobs")[0]?.url.searchParams ?? [])]).toEqual(sent);
  });

  it("numbers become strings if the schema requires a string", async () => {
    const { call, service } = await serverUnderTest({ script });
    await call("create_job", { address: 12, jobNumber: 7, orderNumbers: [1, "2", -3], override: null });
    expect(service.of("createJob")[0]?.body).toEqual({ address: "12", jobNumber: "7", orderNumbers: ["1", "2", "-3"] });
    expect(service.of("createJob")[0]?.url.search).toBe("?override=null");
  });

  it("stay unchanged if the schema accepts a string", async () => {
    const { call, service } = await serverUnderTest({ script });
    const texts = { address: "12", jobNumber: "007", notes: '["a"]', jobTitle: "true" };
    await call("create_job", texts);
    expect(service.of("createJob")[0]?.body).toEqual(texts);
    await call("list_jobs", { query: { limit: "5" } });
    expect(service.of("listJobs")[0]?.url.search).toBe("?limit=5");
  });

  it.each([
    ["list_live_positions", { vehicleIds: "v1,v2" }],
    ["list_live_positions", { vehicleIds: '{"0": "v1"}' }],
    ["list_live_positions", { showAllVehicleStatus: "yes" }],
    ["list_live_positions", { limit: "0x10" }],
    ["list_live_positions", { limit: "5.5" }],
    ["create_job", { lat: "45,7", lng: 4 }],
    ["create_job", { address: 1.5 }],
    ["create_job", { address: "Lyon", jobNumber: 2 ** 63 }],
    ["create_job", { address: { street: "x" } }],
    ["locate_vehicle", { query: null }],
    ["locate_vehicle", { query: "" }],
    ["list_jobs", { query: "NEW" }],
    ["list_jobs", { query: "status=NEW&open" }],
    ["list_jobs", { query: 5 }],
    ["list_jobs", { query: "[1]" }],
  ])("are refused if they cannot be converted: %s %j", async (tool, args) => {
    const { call, service } = await serverUnderTest({ script });
    expect(errorOf(await call(tool, args))).toMatch(/^input: /);
    expect(service.received).toEqual([]);
  });
});
