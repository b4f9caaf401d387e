import { describe, expect, it } from "vitest";
import { listVehicleFaults } from "../src/tools/list-vehicle-faults.ts";
import { queryTachoActivity } from "../src/tools/query-tacho-activity.ts";
import { withStopLamp } from "../src/tools/stop-lamps.ts";
import { cannedService, rowsOf, toolsOver } from "./canned-service.ts";

type Json = Record<string, unknown>;

const fault = (code: string, more: Json = {}) => ({ code, startDate: "2026-11-19T06:00:00Z", ...more });
const vehicle = (id: string, ...codes: string[]) => ({ id, assetName: id, faults: codes.map((code) => fault(code)) });

/** The result of list_vehicle_faults if the service sends these pages, one for each index. */
async function faultsOf(pages: readonly Json[][], pagination: Json | undefined, args: Json = {}) {
  const service = await cannedService(({ operation, fields }) => {
    if (operation === "listLivePositions")
      return [
        { assetId: "a", assetName: "a", assetGroupId: "g1", assetGroupName: "North" },
        { assetId: "b", assetName: "b", assetGroupId: "g2", assetGroupName: "South" },
      ];
    return { items: pages[Number(fields["pageIndex"])] ?? [], ...(pagination && { pagination }) };
  });
  const { text, structured } = await toolsOver(service).call(listVehicleFaults, args);
  return {
    head: text.split("\n", 1)[0] ?? "",
    rows: rowsOf(structured),
    structured,
    requests: service.asked.filter((one) => one.operation === "listVehicleFaults"),
  };
}

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
    const { head: text, structured } = await faultsOf(pages, pagination, { count: "total" });
    expect(text.slice(0, head.length)).toBe(head);
    expect(structured["total"]).toBe(head.startsWith("At least") ? undefined : Number(head[0]));
  });

  it("if two groups list the same vehicle", async () => {
    const { head, requests } = await faultsOf(
      [[vehicle("a", "P1")]],
      { totalItems: 1, totalPages: 1 },
      { group: ["North", "South"], count: "total" },
    );
    expect(requests.map(({ fields }) => fields["groupId"])).toEqual(["g1", "g2"]);
    expect(head).toMatch(/^1 fault of 1 vehicle\./);
  });
});

it.each<[what: string, pagination: (size: number) => Json | undefined]>([
  ["rounds totalPages down", () => ({ totalItems: 5, totalPages: 2 })],
  ["caps the page size, and states it", () => ({ pageSize: 2 })],
  ["caps the page size without totals", () => undefined],
])("all pages are read of a service that %s", async (_, pagination) => {
  const all = ["a", "b", "c", "d", "e"].map((id) => vehicle(id, "P1"));
  const { rows } = await faultsOf([all.slice(0, 2), all.slice(2, 4), all.slice(4)], pagination(2));
  expect(rows.map(({ assetName }) => assetName).toSorted()).toEqual(["a", "b", "c", "d", "e"]);
});

describe("activities of a service whose count is below what it sends", () => {
  const data = ["a", "b", "c", "d"].map((id) => ({
    driverId: id,
    activities: [{ startTime: "2026-11-19T06:00:00", endTime: "2026-11-19T07:00:00", vehicleFriendlyName: id }],
  }));

  it("are read to the end, and the count is not told", async () => {
    const service = await cannedService(({ operation, fields }) =>
      operation === "listLivePositions" ? [] : { count: 1, data: data.slice(Number(fields["skip"]), Number(fields["skip"]) + 3) },
    );
    const { call } = toolsOver(service);
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const { text, structured } = await call(queryTachoActivity, {
        period: "yesterday",
        limit: 3,
        ...(cursor !== undefined && { cursor }),
      });
      expect(text).not.toContain("in all");
      seen.push(...rowsOf(structured).map(({ vehicleFriendlyName }) => vehicleFriendlyName));
      cursor = structured["next"];
    } while (cursor !== undefined);
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
  const service = await cannedService(({ operation, fields }) =>
    operation === "listLivePositions"
      ? [{ assetId: "a", assetName: "a" }]
      : { items: pages[Number(fields["pageIndex"])] ?? [], pagination: { totalItems: 5 } },
  );
  const { context } = toolsOver(service);
  expect([...(await withStopLamp(["a", "b"], context))]).toEqual(["a"]);
});
