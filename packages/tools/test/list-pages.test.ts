import { describe, expect, it } from "vitest";
import { cannedFleet, fleetOf, type Position } from "./canned-fleet.ts";
import { LIST_TOOLS, readAllPages } from "./listed-fleet.ts";
import { type Responder, type Script, servedFleet } from "./served-fleet.ts";

type Args = Record<string, unknown>;

const byCount = (a: string, b: string) => Number(a.replace(/\D/g, "")) - Number(b.replace(/\D/g, ""));

const cursorOf = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url");

describe.each(LIST_TOOLS)("$tool", ({ tool, args = {}, key, head, serve }) => {
  it.each<[rows: number, args: Args, budget: string | undefined]>([
    [0, {}, undefined],
    [52, { limit: 3 }, undefined],
    [24, {}, "200"],
    [700, { limit: 500, fields: [key] }, undefined],
  ])("returns each of %i rows once with %j and a budget of %s", async (rows, asked, budget) => {
    const { script, keys } = serve(rows);
    const fleet = await servedFleet({ script, env: { FLEET_MAX_RESULT_TOKENS: budget } });
    const { items, largest, calls } = await readAllPages(fleet, tool, { ...args, ...asked });
    expect(items.map((item) => item[key]).toSorted(byCount)).toEqual(keys);
    expect(largest).toBeLessThanOrEqual(Number(budget ?? 5_000));
    if (rows === 0) expect(calls).toBe(1);
  });

  it("returns 20 rows by default, at most the given limit, and states its total", async () => {
    const { record, text } = await servedFleet({ script: serve(52).script });
    for (const [limit, shown] of [
      [{}, 20],
      [{ limit: 7 }, 7],
    ] as const)
      expect(await record(tool, { ...args, fields: [key], ...limit })).toMatchObject({
        returned: shown,
        total: 52,
        next: expect.any(String),
      });
    expect((await text(tool, args)).startsWith(head)).toBe(true);
  });

  it("refuses other limits, and cursors that it did not issue, without a request", async () => {
    const { failure, service } = await servedFleet({ script: serve(3).script });
    for (const limit of [0, 501, -1, 1.5, "twenty"]) expect(await failure(tool, { ...args, limit })).toMatch(/^input: \w+: limit: /);
    for (const cursor of ["garbage", "==", "77u_WzFd", "🚚", cursorOf({ a: 1 }), cursorOf([-1]), cursorOf([1, 2, 3, 4, "x"])]) {
      const error = await failure(tool, { ...args, cursor });
      expect(error).toMatch(/^input: cursor: .* Next: Call again without cursor/);
    }
    expect(service.received).toEqual([]);
  });
});

describe("a fleet that changes between pages", () => {
  /** Another order, other places and other times at each call; some vehicles come and go. */
  function moving(fleet: Position[]): Script {
    let calls = 0;
    return {
      listLivePositions: () => {
        calls++;
        const moved = fleet.map((one) => ({ ...one, speed: calls, date: `2026-11-20T08:${10 + calls}:00Z`, city: `City ${calls}` }));
        const turned = [...moved.slice((calls * 13) % fleet.length), ...moved.slice(0, (calls * 13) % fleet.length)];
        return { body: calls % 2 === 0 ? [...turned, { assetId: `new${calls}`, assetName: `Aardvark ${calls}` }] : turned };
      },
    };
  }

  it("is listed with each vehicle once", async () => {
    const { items } = await readAllPages(await servedFleet({ script: moving(cannedFleet()) }), "list_live_positions", { limit: 3 });
    const names = (fleet: Position[]) => fleet.map(({ assetName }) => assetName).toSorted();
    expect(names(items)).toEqual(names(cannedFleet()));
  });

  it("may lose the vehicle at which a page ended", async () => {
    const fleet = fleetOf(9);
    const { record, service } = await servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
    const { next } = await record("list_live_positions", { limit: 4 });
    service.script.listLivePositions = () => ({ body: fleet.filter(({ assetName }) => assetName !== "Truck 4") });
    const { items } = await record("list_live_positions", { limit: 4, cursor: next });
    expect(items.map(({ assetName }: Position) => assetName)).toEqual(["Truck 5", "Truck 6", "Truck 7", "Truck 8"]);
  });

  it("may have jobs added before the last one shown", async () => {
    let numbers = ["J3", "J2", "J1"];
    const { record } = await servedFleet({ script: { listJobs: () => ({ body: numbers.map((jobNumber) => ({ jobNumber })) }) } });
    const { next } = await record("list_jobs", { limit: 2 });
    numbers = ["J4", ...numbers];
    expect((await record("list_jobs", { limit: 2, cursor: next })).items).toEqual([{ jobNumber: "J1" }]);
  });

  it.each<[string, Position[]]>([
    ["no name and no id", [{}, {}, {}]],
    ["the same name and no id", [{ assetName: "Van" }, { assetName: "Van" }]],
    [
      "names that differ in case, and ids in zeros",
      ["1", "01", "001"].flatMap((assetId) => [
        { assetName: "van", assetId },
        { assetName: "VAN", assetId: `0${assetId}1` },
      ]),
    ],
    ["names that look the same", ["Caf\u00e9", "Cafe\u0301"].map((assetName) => ({ assetName }))],
    ["names of 10 kB with the same beginning", ["a", "b", "c"].map((end) => ({ assetName: "V".repeat(10_000) + end }))],
    ["names of control characters", ["\u0001", "\u0002", "\u200b", ""].map((assetName) => ({ assetName }))],
  ])("is listed with each vehicle once if several have %s", async (_, fleet) => {
    const rows = fleet.map((position, odometer) => ({ ...position, odometer }));
    const served = await servedFleet({ script: { listLivePositions: () => ({ body: rows }) } });
    const { items } = await readAllPages(served, "list_live_positions", { limit: 1, fields: ["odometer", "assetName"] });
    expect(items.map(({ odometer }) => odometer).toSorted((a, b) => a - b)).toEqual([...rows.keys()]);
  });
});

it("a list of which the service sends fewer rows than it counted ends", async () => {
  const faults = { items: [], pagination: { totalItems: 9, totalPages: 1_000_000_000 } };
  const activities = { count: 1_000_000_000, data: [] };
  const script: Script = { listVehicleFaults: () => ({ body: faults }), queryTachoActivity: () => ({ body: activities }) };
  const served = await servedFleet({ script });
  expect(await readAllPages(served, "list_vehicle_faults", {})).toMatchObject({ items: [], calls: 1 });
  expect(await readAllPages(served, "query_tacho_activity", { period: "yesterday" })).toMatchObject({ items: [], calls: 1 });
});

it("a list whose pages do not end stops at a number of requests, and says what was read", async () => {
  const listVehicleFaults: Responder = ({ url }) => {
    const pageIndex = Number(url.searchParams.get("pageIndex"));
    const items = [{ id: "v1", faults: [{ code: `P${pageIndex}`, startDate: "2026-11-20T07:00:00Z" }] }];
    return { body: { items, pagination: { totalItems: 1e6, totalPages: 1e6, pageIndex } } };
  };
  const { failure, service } = await servedFleet({ script: { listLivePositions: () => ({ body: [] }), listVehicleFaults } });
  expect(await failure("list_vehicle_faults")).toMatch(
    /^input: the call reached the limit of 1000 requests: read were .*\d{3,4} of listVehicleFaults.*; the rest of listVehicleFaults was not\. Next: Ask for/,
  );
  expect(service.of("listVehicleFaults").length).toBeLessThanOrEqual(1001);
});
