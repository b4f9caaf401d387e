import { describe, expect, it } from "vitest";
import { faultPages, type Script, servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetType: "TRUCK", assetGroupId: "g1", assetGroupName: "North" },
  { assetId: "v3", assetName: "Van 3", assetType: "VAN", assetGroupId: "g2", assetGroupName: "South" },
  { assetName: "Lorry 8" },
];

const fault = (code: string, startDate = "2026-11-19T06:00:00Z", more: Json = {}) => ({ code, startDate, inProgress: false, ...more });
const ENGINE = { sourceDescription: "Engine control unit" };

const FAULTS = [
  {
    ...{ id: "v1", assetName: "Truck 1" },
    faults: [
      fault("P1", "2026-11-18T06:00:00Z", { inProgress: true, details: { ...ENGINE, lamps: ["RED_STOP"] } }),
      fault("P2", "2026-11-02T06:00:00Z", { endDate: "2026-11-03T06:00:00Z", details: { lamps: ["AMBER"] } }),
    ],
  },
  { id: "v3", assetName: "Van 3", faults: [fault("P1", "2026-11-10T06:00:00Z", { inProgress: true, details: ENGINE })] },
];

const served = (faults: Script = faultPages(FAULTS)) => servedFleet({ script: { listLivePositions: () => ({ body: FLEET }), ...faults } });

const tool = "list_vehicle_faults";

describe("faults are listed", () => {
  it.each<[what: string, args: Json, expected: string[], sentence: string]>([
    ["the latest first", {}, ["P1", "P1", "P2"], "3 faults of 2 vehicles."],
    ["by page, with the total", { limit: 1 }, ["P1"], "1 of 3 faults; all 3 are of 2 vehicles."],
    ["if open", { where: "inProgress=true" }, ["P1", "P1"], "2 faults of 2 vehicles."],
    ["if open with the red lamp", { where: "open=true, lamps=red" }, ["P1"], "lamps=red matched: “RED_STOP”"],
    ["by a lamp that none lights", { where: "lamps=blue" }, [], "No lamps matches “blue”. Values: “AMBER, RED_STOP”"],
    ["of several vehicles", { vehicle: "truck 1 and van 3" }, ["P1", "P1", "P2"], "Only Truck 1 (v1), Van 3 (v3)."],
    ["if active in a period", { period: "2026-11-15/2026-11-19" }, ["P1", "P1"], "Active in it, even if begun earlier; begun=true"],
    ["if begun in a period", { period: "2026-11-15/2026-11-19", begun: true }, ["P1"], "Only those begun in it."],
  ])("%s", async (_, args, expected, sentence) => {
    const { record, text } = await served();
    expect((await record(tool, { fields: "code", ...args })).items.map(({ code }: Json) => code)).toEqual(expected);
    expect(await text(tool, { fields: "code", ...args })).toContain(sentence);
  });

  it("with codes and lamps if there are few, and otherwise with the vehicles whose red lamp is lit", async () => {
    const { text } = await served();
    const lines = async (args: Json) => (await text(tool, args)).split("\n");
    expect((await lines({ where: "open=true" }))[1]).toBe("assetName | code | startDate | lamps");
    expect((await lines({ period: "2026-11-01/2026-11-19" }))[1]).toContain("endDate");
    expect((await lines({ where: "open=true", fields: "code" }))[0]).toContain("Red stop lamp: Truck 1.");
  });

  it.each([
    [{ fields: "code,endDate" }, true],
    [{ fields: "code,endDate,inProgress" }, false],
    [{ where: "open=true" }, false],
  ])("with %j says that those without an endDate are open: %s", async (args, says) => {
    const { text } = await served();
    expect((await text(tool, args)).includes("No endDate: still open.")).toBe(says);
  });

  it.each([
    [{ period: "today", startDate: "2026-11-01T00:00Z" }, "period and startDate were both given. Next: Pass only one."],
    [{ vehicle: "lorry 8" }, "vehicle: the live positions have no id for “Lorry 8”"],
  ])("never without what was asked for: %j", async (args, message) => {
    const { failure, service } = await served();
    expect(await failure(tool, args)).toContain(message);
    expect(service.of("listVehicleFaults")).toEqual([]);
  });
});

const vehicle = (id: string, ...codes: string[]) => ({ ...(id && { id, assetName: id }), faults: codes.map((code) => fault(code)) });

/** A service that sends these pages, one for each index. */
const pagesOf = (pages: readonly Json[][], pagination: Json | undefined): Script => ({
  listVehicleFaults: ({ url }) => ({
    body: { items: pages[Number(url.searchParams.get("pageIndex"))] ?? [], ...(pagination && { pagination }) },
  }),
});

/** Pages as "a:P1,P2 b:P3 | c:". */
const paged = (text: string) =>
  text.split(" | ").map((page) =>
    page.split(" ").map((one) => {
      const [id = "", codes = ""] = one.split(":");
      return vehicle(id, ...codes.split(",").filter(Boolean));
    }),
  );

describe("faults are counted once", () => {
  const PART = (faults: string, loaded: string, counted: number) =>
    `At least ${faults} of at least ${loaded} among the ${loaded} loaded; there are more (the service counts ${counted}).`;
  it.each<[what: string, pages: string, totalItems: number | undefined, head: string]>([
    ["if a vehicle moves to the next page", "a:P1 b:P2 | b:P2 c:P4", 4, PART("3 faults", "3 vehicles", 4)],
    ["if a vehicle is split between pages", "a:P1 | a:P1,P2", 1, "2 faults of 1 vehicle."],
    ["and so are vehicles without any", "a: b:P1 | a: b: c:", 3, "1 fault of 1 vehicle. b. Also listed, without any fault: 2 vehicles."],
    ["and the service may list each in an entry of its own", "a:P1 a:P2 | a:P3", 3, "3 faults of 1 vehicle."],
    ["or fewer arrive than announced", "a:P1", 40, PART("1 fault", "1 vehicle", 40)],
  ])("%s", async (_, pages, totalItems, head) => {
    const sent = paged(pages);
    const { call } = await served(
      pagesOf(sent, totalItems === undefined ? undefined : { totalItems, totalPages: totalItems === 40 ? 20 : sent.length }),
    );
    const { text, structured } = await call(tool, { count: "total" });
    expect(text.slice(0, head.length)).toBe(head);
    expect((structured as Json)["total"]).toBe(head.startsWith("At least") ? undefined : Number(head[0]));
  });

  it("if two groups list the same vehicle", async () => {
    const { text, service } = await served(pagesOf([[vehicle("v1", "P1")]], { totalItems: 1, totalPages: 1 }));
    expect(await text(tool, { group: ["North", "South"], count: "total" })).toMatch(/^1 fault of 1 vehicle\./);
    expect(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("groupId"))).toEqual(["g1", "g2"]);
  });
});

it.each<[what: string, pagination: Json | undefined]>([
  ["rounds totalPages down", { totalItems: 5, totalPages: 2 }],
  ["caps the page size, and states it", { pageSize: 2 }],
])("all pages are read of a service that %s", async (_, pagination) => {
  const { record } = await served(pagesOf(paged("a:P1 b:P1 | c:P1 d:P1 | e:P1"), pagination));
  expect((await record(tool)).items.map(({ assetName }: Json) => assetName).toSorted()).toEqual(["a", "b", "c", "d", "e"]);
});

it("activities of a service whose count is below what it sends are read to the end, without the count", async () => {
  const data = ["a", "b", "c", "d"].map((id) => ({
    driverId: id,
    activities: [{ startTime: "2026-11-19T06:00:00", endTime: "2026-11-19T07:00:00", vehicleFriendlyName: id }],
  }));
  const { allItems } = await servedFleet({
    script: {
      listLivePositions: () => ({ body: [] }),
      queryTachoActivity: ({ body: { skip } }) => ({ body: { count: 1, data: data.slice(skip, skip + 3) } }),
    },
  });
  const seen = await allItems("query_tacho_activity", { period: "yesterday", limit: 3 });
  expect(seen.map(({ vehicleFriendlyName }) => vehicleFriendlyName)).toEqual(["a", "b", "c", "d"]);
});

it.each([
  [{ period: "2026-11-18T06:00/2026-11-18T09:00" }, "times without an offset read in UTC"],
  [{ period: "2026-11-18 06:00 to 2026-11-18 09:00:00" }, "times without an offset read in UTC"],
  [{ where: "startDate>2026-11-18T05:00" }, "2026-11-18T05:00: read in UTC."],
  [{ period: "2026-11-18 06:00Z/2026-11-18 10:00+01:00" }, undefined],
])("a time without an offset is read in the user's zone, and the result says so, with a blank as with a T: %j", async (args, remark) => {
  const { items, note } = await (await served()).record(tool, { ...args, vehicle: "truck 1" });
  expect(items.map(({ code }: Json) => code)).toEqual(["P1"]);
  if (remark) expect(note).toContain(remark);
  else expect(note).not.toContain("read in");
});
