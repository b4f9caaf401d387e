import { describe, expect, it } from "vitest";
import { cannedFleet } from "../canned-fleet.ts";
import { servedFleet, tachoRecords } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const JOB = { address: "Lyon", vehicleName: "Truck 12", jobNumber: "J-1" };
const serve = () =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: cannedFleet() }),
      listVehicleFaults: () => ({ body: { items: [], pagination: { totalItems: 0, totalPages: 0 } } }),
      listJobs: ({ url }) => ({ body: { jobs: [{ jobNumber: url.search }] } }),
      ...tachoRecords([]),
    },
  });

describe("arguments that a host adds", () => {
  it.each<[string, Args]>([
    ["a call's id", { toolCallId: "toolu_1" }],
    ["the tool", { tool: { name: "locate_vehicle", description: "d" } }],
    ["a chat message", { sessionId: "s", action: "sendMessage", chatInput: "Where is truck 12?" }],
  ])("are ignored: %s", async (_, added) => {
    const { text } = await serve();
    expect(await text("locate_vehicle", { query: "truck 12", ...added })).toContain("Truck 12");
    expect(await text("create_job", { ...JOB, dryRun: true, ...added })).not.toMatch(/toolCallId|sendMessage|"tool"/);
  });
});

describe("a text that means nothing", () => {
  it("is written in many ways", async () => {
    const { call } = await serve();
    const expected = await call("list_live_positions", { limit: 3 });
    const texts = ["null", "None", "undefined", " None ", "NULL", "none", "N/A", "n/a", "nil", "Not specified", "-", "N.A.", "—", '"null"'];
    for (const where of texts) expect(await call("list_live_positions", { limit: 3, where }), where).toEqual(expected);
  });

  it.each<[string, Args, Args]>([
    ["find_nearest_vehicles", { to: "truck 12" }, { group: "null" }],
    ["list_live_positions", { vehicle: ["Truck 12"] }, { vehicle: ["Truck 12", "None"] }],
    ["list_jobs", { query: { limit: "5" } }, { query: { status: "null", limit: "5" } }],
    ["list_live_positions", { where: "driverName=none" }, { where: "driverName=N/A" }],
  ])("means nothing in a read: %s %j with %j", async (tool, args, added) => {
    const { call } = await serve();
    const [expected, given] = [await call(tool, args), await call(tool, { ...args, ...added })];
    expect(expected.ok).toBe(true);
    expect(given).toEqual("where" in args ? expect.objectContaining({ ok: true }) : expected);
    const total = ({ structured }: typeof given) => (structured as { total?: number }).total;
    expect(total(given)).toBe(total(expected));
  });

  it.each<[string, Args, string]>([
    ["create_job", JOB, "contactEmail"],
    ["create_job", JOB, "orderNumbers"],
    ["update_group", { id: "g1", name: "N" }, "vehicles"],
  ])("is not sent in %s %j for %s, nor by itself in a list", async (tool, args, field) => {
    const { call } = await serve();
    const dryRun = (value: unknown) => call(tool, { ...args, dryRun: true, [field]: value });
    const expected = await dryRun(undefined);
    expect(expected.ok).toBe(true);
    for (const nothing of ["None", ["None"], '"null"', ["N/A"]]) expect(await dryRun(nothing)).toEqual(expected);
  });

  it("is refused in a list of a write, which would otherwise send less than was meant", async () => {
    const { failure, service } = await serve();
    for (const orderNumbers of [["A-1", "None"], '["A-1", "n/a"]']) {
      const text = await failure("create_job", { ...JOB, orderNumbers });
      expect(text).toContain("Next: Call again without orderNumbers, or ask the user for it.");
    }
    expect(service.of("createJob")).toEqual([]);
  });

  it("is refused for what is no field, and looked up where a name is required", async () => {
    const { failure, question } = await serve();
    for (const field of ["constructor", "toString"])
      expect(await failure("create_job", { ...JOB, [field]: "None" })).toContain(`${field}: is not a field of create_job`);
    for (const query of ["null", "N/A", "—"]) expect(await question("locate_vehicle", { query })).toMatch(/^No vehicle/);
  });
});
