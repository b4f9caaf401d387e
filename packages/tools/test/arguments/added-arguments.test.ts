import { describe, expect, it } from "vitest";
import { fleetUnderTest, JOB } from "../fleet-under-test.ts";

describe("arguments that a host adds", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a call's id", { toolCallId: "toolu_1" }],
    ["the tool", { tool: { name: "locate_vehicle", description: "d" } }],
    ["a chat message", { sessionId: "s", action: "sendMessage", chatInput: "Where is truck 12?" }],
  ])("are ignored: %s", async (_, added) => {
    const { tools } = await fleetUnderTest();
    expect((await tools.call("locate_vehicle", { query: "truck 12", ...added })).text).toContain("Truck 12");
    expect((await tools.call("create_job", { ...JOB, dryRun: true, ...added })).text).not.toMatch(/toolCallId|sendMessage|"tool"/);
  });

  it("are refused if unknown", async () => {
    const { tools } = await fleetUnderTest();
    expect((await tools.call("locate_vehicle", { query: "truck 12", tool_call_id: "1" })).text).toMatch(/tool_call_id: is not a field/);
  });

  it.each([[null], [undefined]])("may be %s altogether", async (args) => {
    const { tools } = await fleetUnderTest();
    expect((await tools.call("summarize_fleet", args)).ok).toBe(true);
  });
});

describe.each(["null", "None", "undefined", " None ", "NULL", "none", "N/A", "n/a", "nil", "Not specified", "-", "N.A.", "—", '"null"'])(
  "the text %j",
  (nothing) => {
    it.each<[string, Record<string, unknown>, string]>([
      ["list_live_positions", { limit: 3 }, "where"],
      ["list_live_positions", { limit: 3 }, "cursor"],
      ["list_live_positions", {}, "limit"],
      ["list_vehicle_faults", { limit: 3 }, "vehicle"],
      ["find_nearest_vehicles", { to: "truck 12" }, "group"],
      ["driver_hours", {}, "driver"],
      ["summarize_driver_activity", { period: "yesterday" }, "group"],
    ])("means nothing in %s %j for %s", async (tool, args, field) => {
      const { tools } = await fleetUnderTest();
      const [expected, given] = [await tools.call(tool, args), await tools.call(tool, { ...args, [field]: nothing })];
      expect(given).toEqual(expected);
    });

    it.each<[string, Record<string, unknown>, string]>([
      ["create_job", { ...JOB, jobNumber: "J-1" }, "contactEmail"],
      ["create_job", { ...JOB, jobNumber: "J-1" }, "vehicleName"],
      ["create_job", { ...JOB, jobNumber: "J-1" }, "status"],
      ["create_job", { ...JOB, jobNumber: "J-1" }, "orderNumbers"],
      ["update_group", { group: "Lyon Vans", name: "N" }, "vehicles"],
    ])("is not sent in %s %j for %s, nor by itself in a list", async (tool, args, field) => {
      const { tools } = await fleetUnderTest();
      const dryRun = (value: unknown) => tools.call(tool, { ...args, dryRun: true, [field]: value });
      const expected = await dryRun(undefined);
      expect(expected.ok).toBe(true);
      for (const value of [nothing, [nothing]]) expect(await dryRun(value)).toEqual(expected);
    });

    it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      ["list_live_positions", { vehicle: ["Truck 12", nothing] }, { vehicle: ["Truck 12"] }],
      ["list_jobs", { query: { status: nothing, limit: "5" } }, { query: { limit: "5" } }],
      ["list_jobs", { query: `status=${nothing}&limit=5` }, { query: "limit=5" }],
    ])("means nothing inside %s %j", async (tool, args, expected) => {
      const { tools } = await fleetUnderTest();
      expect(await tools.call(tool, args)).toEqual(await tools.call(tool, expected));
    });

    it("is an absent value in a condition", async () => {
      const { tools } = await fleetUnderTest();
      const count = async (value: string) =>
        (await tools.call("list_live_positions", { where: `driverName=${value}` })).structured as { total?: number };
      expect((await count(nothing)).total).toBe((await count("none")).total);
    });

    it("is refused in a list of a write, which would otherwise send less than was meant", async () => {
      const { tools, writes } = await fleetUnderTest({ env: { FLEET_CONFIRM: "never" } });
      for (const orderNumbers of [["A-1", nothing], JSON.stringify(["A-1", nothing])]) {
        const { ok, text } = await tools.call("create_job", { ...JOB, orderNumbers });
        expect([ok, text]).toEqual([false, expect.stringContaining("Next: Call again without orderNumbers, or ask the user for it.")]);
      }
      expect(writes()).toEqual([]);
    });

    it.each(["constructor", "toString"])("is refused for %s, which is no field", async (field) => {
      const { tools } = await fleetUnderTest();
      for (const [tool, args] of [
        ["create_job", JOB],
        ["driver_hours", {}],
      ] as const)
        expect((await tools.call(tool, { ...args, [field]: nothing })).text).toContain(`${field}: is not a field of ${tool}`);
    });

    it("is looked up where a name is required", async () => {
      const { tools } = await fleetUnderTest();
      expect((await tools.call("locate_vehicle", { query: nothing })).text).toMatch(/^No vehicle/);
    });
  },
);
