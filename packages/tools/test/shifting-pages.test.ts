import { describe, expect, it } from "vitest";
import { servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

const fault = (code: string, more: Json = {}) => ({ code, startDate: "2026-11-19T06:00:00Z", ...more });
const vehicle = (id: string, ...codes: string[]) => ({ id, assetName: id, faults: codes.map((code) => fault(code)) });

const FLEET = [
  { assetId: "a", assetName: "a", assetGroupId: "g1", assetGroupName: "North", latitude: 51, longitude: 9 },
  { assetId: "b", assetName: "b", assetGroupId: "g2", assetGroupName: "South", latitude: 51, longitude: 9 },
];

/** A service that sends these pages of faults, one for each index. */
const serve = (pages: readonly Json[][], pagination?: Json) =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: FLEET }),
      listVehicleFaults: ({ url }) => ({ body: { items: pages[Number(url.searchParams.get("pageIndex"))] ?? [], pagination } }),
    },
  });

describe("faults are counted once", () => {
  it.each<[what: string, pages: Json[][], pagination: Json | undefined, head: string]>([
    [
      "if a vehicle moves to the next page",
      [
        [vehicle("a", "P1"), vehicle("b", "P2")],
        [vehicle("b", "P2"), vehicle("c", "P4")],
      ],
      { totalItems: 4, totalPages: 2 },
      "At least 3 faults of at least 3 vehicles among the 3 vehicles loaded; there are more (the service counts 4).",
    ],
    [
      "if a vehicle is added while the pages are read",
      [
        [vehicle("a", "P1"), vehicle("b", "P2")],
        [vehicle("b", "P2"), vehicle("c", "P4")],
      ],
      { totalItems: 3, totalPages: 2 },
      "3 faults of 3 vehicles.",
    ],
    [
      "if a vehicle is split between pages",
      [[vehicle("a", "P1")], [vehicle("a", "P1", "P2")]],
      { totalItems: 1, totalPages: 2 },
      "2 faults of 1 vehicle.",
    ],
    ["but twice if a vehicle lists them twice", [[vehicle("a", "P1", "P1")]], { totalItems: 1, totalPages: 1 }, "2 faults of 1 vehicle."],
    ["and told apart without an id", [[{ faults: [fault("P1")] }], [{ faults: [fault("P1")] }, {}]], undefined, "2 faults of 0 vehicles."],
    [
      "and so are vehicles without any",
      [
        [{ id: "a", faults: [] }, vehicle("b", "P1")],
        [
          { id: "a", faults: [] },
          { id: "b", faults: [] },
          { id: "c", faults: [] },
        ],
      ],
      { totalItems: 3, totalPages: 2 },
      "1 fault of 1 vehicle. b. Also listed, without any fault: 2 vehicles.",
    ],
    [
      "and the service may list each in an entry of its own",
      [[vehicle("a", "P1"), vehicle("a", "P2")], [vehicle("a", "P3")]],
      { totalItems: 3, totalPages: 2 },
      "3 faults of 1 vehicle.",
    ],
    ["and the service may count faults", [[vehicle("a", "P1", "P2")]], { totalItems: 2, totalPages: 1 }, "2 faults of 1 vehicle."],
    [
      "or fewer arrive than announced",
      [[vehicle("a", "P1")]],
      { totalItems: 40, totalPages: 20 },
      "At least 1 fault of at least 1 vehicle among the 1 vehicle loaded; there are more (the service counts 40).",
    ],
  ])("%s", async (_, pages, pagination, head) => {
    const { text, record } = await serve(pages, pagination);
    expect((await text("list_vehicle_faults", { count: "total" })).slice(0, head.length)).toBe(head);
    expect((await record("list_vehicle_faults", { count: "total" })).total).toBe(head.startsWith("At least") ? undefined : Number(head[0]));
  });

  it("if two groups list the same vehicle", async () => {
    const { text, service } = await serve([[vehicle("a", "P1")]], { totalItems: 1, totalPages: 1 });
    expect(await text("list_vehicle_faults", { group: ["North", "South"], count: "total" })).toMatch(/^1 fault of 1 vehicle\./);
    expect(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("groupId"))).toEqual(["g1", "g2"]);
  });
});

it.each<[what: string, pagination: Json | undefined]>([
  ["rounds totalPages down", { totalItems: 5, totalPages: 2 }],
  ["caps the page size, and states it", { pageSize: 2 }],
  ["caps the page size without totals", undefined],
])("all pages are read of a service that %s", async (_, pagination) => {
  const all = ["a", "b", "c", "d", "e"].map((id) => vehicle(id, "P1"));
  const { record } = await serve([all.slice(0, 2), all.slice(2, 4), all.slice(4)], pagination);
  const { items } = await record("list_vehicle_faults");
  expect(items.map(({ assetName }: Json) => assetName).toSorted()).toEqual(["a", "b", "c", "d", "e"]);
});

describe("activities of a service whose count is below what it sends", () => {
  const data = ["a", "b", "c", "d"].map((id) => ({
    driverId: id,
    activities: [{ startTime: "2026-11-19T06:00:00", endTime: "2026-11-19T07:00:00", vehicleFriendlyName: id }],
  }));

  it("are read to the end, and the count is not told", async () => {
    const { record, service } = await serve([]);
    service.script.queryTachoActivity = ({ body: { skip } }) => ({ body: { count: 1, data: data.slice(skip, skip + 3) } });
    const seen: unknown[] = [];
    for (let next: unknown = ""; next !== undefined; ) {
      const page = await record("query_tacho_activity", { period: "yesterday", limit: 3, ...(next !== "" && { cursor: next }) });
      expect(page.note).not.toContain("in all");
      seen.push(...page.items.map(({ vehicleFriendlyName }: Json) => vehicleFriendlyName));
      next = page.next;
    }
    expect(seen).toEqual(["a", "b", "c", "d"]);
  });
});

it("the search for a stop lamp reads a vehicle's faults from all pages", async () => {
  const lit = { ...fault("P3", { endDate: "1900-01-01T00:00:00Z" }), inProgress: true, details: { lamps: ["STOP"] } };
  const pages = [
    [vehicle("a", "P1")],
    [vehicle("a", "P1"), vehicle("b", "P2")],
    [
      { id: "a", faults: [lit] },
      { id: "a", faults: [fault("P4")] },
    ],
  ];
  const { record } = await serve(pages, { totalItems: 5 });
  const { items } = await record("find_nearest_vehicles", { to: "51, 9", driveHours: 0 });
  expect(items.map(({ assetName }: Json) => assetName)).toEqual(["b"]);
});
