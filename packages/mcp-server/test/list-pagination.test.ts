import { describe, expect, it } from "vitest";
import { cannedFleet, fleetOf, type Position } from "../../tools/test/canned-fleet.ts";
import { LIST_TOOLS, readAllPages } from "./listed-fleet.ts";
import { errorOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const byCount = (a: string, b: string) => Number(a.replace(/\D/g, "")) - Number(b.replace(/\D/g, ""));

describe.each(LIST_TOOLS)("$tool, read to the last page", ({ tool, args = {}, key, serve }) => {
  const PAGE_CASES: [number, Record<string, unknown>, string | undefined][] = [
    // rows, arguments, FLEET_MAX_RESULT_TOKENS
    [0, {}, undefined],
    [1, {}, undefined],
    [1, { limit: 1 }, undefined],
    [52, {}, undefined],
    [12, { limit: 1 }, undefined],
    [52, { limit: 3 }, undefined],
    [52, { limit: 500 }, undefined],
    [24, {}, "200"],
    [24, { limit: 3 }, "200"],
    [24, { limit: 500 }, "200"],
    [52, { limit: 500 }, "500"],
    [1_500, { limit: 500, fields: [key] }, "5000"],
  ];

  it.each(PAGE_CASES)("returns each of %i rows once with %j and a budget of %s", async (rows, asked, budget) => {
    const { script, keys } = serve(rows);
    const server = await serverUnderTest({ script, env: { FLEET_MAX_RESULT_TOKENS: budget } });
    const { items, largest, calls } = await readAllPages(server, tool, { ...args, ...asked });
    const seen = items.map((item) => item[key]);
    expect(seen.toSorted(byCount)).toEqual(keys);
    expect(largest).toBeLessThanOrEqual(Number(budget ?? 5_000));
    if (rows <= 1) expect(calls).toBe(1);
  });

  it("returns 20 rows by default, and at most the given limit", async () => {
    const { script } = serve(100);
    const { call } = await serverUnderTest({ script });
    for (const [limit, shown] of [
      [undefined, 20],
      [1, 1],
      [7, 7],
      [60, 60],
    ]) {
      const { returned, next } = structuredOf(await call(tool, { ...args, fields: [key], ...(limit !== undefined && { limit }) }));
      expect({ limit, returned }).toEqual({ limit, returned: shown });
      expect(next).toBeTypeOf("string");
    }
  });

  it.each([[0], [501], [-1], [1.5], ["twenty"]])("refuses the limit %j", async (limit) => {
    const { call, service } = await serverUnderTest();
    expect(errorOf(await call(tool, { ...args, limit }))).toMatch(/^input: \w+: limit: /);
    expect(service.received).toEqual([]);
  });

  it.each([
    ["garbage"],
    ["=="],
    ["eyJhIjoxfQ"],
    [Buffer.from("[-1]").toString("base64url")],
    [Buffer.from('[1,2,3,4,"x"]').toString("base64url")],
  ])("refuses the cursor %j with advice", async (cursor) => {
    const { call } = await serverUnderTest({ script: serve(3).script });
    const error = errorOf(await call(tool, { ...args, cursor }));
    expect(error).toMatch(/^input: cursor: /);
    expect(error).toContain("Call again without cursor");
  });
});

describe("totals", () => {
  it.each([
    ["list_live_positions", "20 of 52 vehicles.", 52],
    ["list_vehicle_faults", "20 of 52 faults; all 52 are of 27 vehicles.", 52],
    ["query_tacho_activity", "20 activities; 35 driver entries in all.", 35],
    ["list_jobs", "20 of 52 jobs.", 52],
    ["list_tire_events", "20 of 52 events.", 52],
  ])("%s counts correctly: %s", async (tool, expected, total) => {
    const { args = {}, serve } = LIST_TOOLS.find((entry) => entry.tool === tool) ?? (LIST_TOOLS[0] as (typeof LIST_TOOLS)[0]);
    const { call } = await serverUnderTest({ script: serve(52).script });
    const result = await call(tool, args);
    expect(textOf(result).startsWith(expected)).toBe(true);
    expect(structuredOf(result)).toMatchObject({ total, returned: 20 });
  });
});

describe("list_live_positions of a moving fleet", () => {
  /** Another order, other places and other times at each call; some vehicles come and go. */
  function moving(fleet: Position[]) {
    let calls = 0;
    return () => {
      calls++;
      const moved = fleet.map((position, index) => ({
        ...position,
        latitude: 40 + ((calls * 7 + index) % 9),
        speed: calls,
        date: `2026-11-20T08:${10 + calls}:00Z`,
        city: `City ${calls}`,
      }));
      const turned = [...moved.slice((calls * 13) % fleet.length), ...moved.slice(0, (calls * 13) % fleet.length)];
      return { body: calls % 2 === 0 ? [...turned, { assetId: `new${calls}`, assetName: `Aardvark ${calls}` }] : turned };
    };
  }

  it.each([[1], [3], [20]])("returns each vehicle once with limit %i", async (limit) => {
    const server = await serverUnderTest({ script: { listLivePositions: moving(cannedFleet()) } });
    const { items } = await readAllPages(server, "list_live_positions", { limit });
    const names = items.map(({ assetName }) => assetName);
    expect(names.toSorted()).toEqual(
      cannedFleet()
        .map(({ assetName }) => assetName)
        .toSorted(),
    );
  });

  it("continues correctly if the vehicle it stopped at has disappeared", async () => {
    const fleet = fleetOf(9);
    const { call, service } = await serverUnderTest({ script: { listLivePositions: () => ({ body: fleet }) } });
    const { next } = structuredOf(await call("list_live_positions", { limit: 4 }));
    service.script.listLivePositions = () => ({ body: fleet.filter(({ assetName }) => assetName !== "Truck 4") });
    const { items } = structuredOf(await call("list_live_positions", { limit: 4, cursor: next }));
    expect(items.map(({ assetName }: Position) => assetName)).toEqual(["Truck 5", "Truck 6", "Truck 7", "Truck 8"]);
  });

  it("sorts numbers in names by value", async () => {
    const server = await serverUnderTest({ script: { listLivePositions: () => ({ body: fleetOf(121) }) } });
    const { items } = await readAllPages(server, "list_live_positions", { limit: 50, fields: ["assetName"] });
    expect(items.map(({ assetName }) => assetName)).toEqual(Array.from({ length: 121 }, (_, index) => `Truck ${index + 1}`));
  });

  const same = (count: number, more: Position) => Array.from({ length: count }, (_, index) => ({ ...more, odometer: index }));

  it.each([
    ["no name and no id", same(7, {})],
    ["the same name and no id", same(7, { assetName: "Van" })],
    [
      "names that differ in case, and ids in zeros",
      ["1", "01", "001"].flatMap((id) => [
        { assetName: "van", assetId: id },
        { assetName: "VAN", assetId: `0${id}1` },
      ]),
    ],
    ["names of 10 kB with the same beginning", ["a", "b", "c"].map((end) => ({ assetName: "V".repeat(10_000) + end }))],
    ["names of control characters", ["\u0001", "\u0002", "\u200b", ""].map((assetName) => ({ assetName }))],
  ])("returns each vehicle once if several have %s", async (_, fleet) => {
    const rows = fleet.map((position, index) => ({ ...position, odometer: index }));
    const server = await serverUnderTest({ script: { listLivePositions: () => ({ body: rows }) } });
    const { items } = await readAllPages(server, "list_live_positions", { limit: 2, fields: ["odometer", "assetName"] });
    expect(items.map(({ odometer }) => odometer).toSorted((a, b) => a - b)).toEqual(rows.map(({ odometer }) => odometer));
  });
});

describe("lists whose service has its own page size", () => {
  const fault = (code: string) => ({ id: "v1", faults: [{ code, startDate: "2026-11-19T06:02:00Z" }] });

  it("list_vehicle_faults adapts to smaller pages of the service", async () => {
    const pages = [["a", "b"], ["c", "d"], ["e"]];
    const server = await serverUnderTest({
      script: {
        listVehicleFaults: ({ url }) => ({
          body: {
            items: (pages[Number(url.searchParams.get("pageIndex"))] ?? []).map(fault),
            pagination: { totalItems: 5, totalPages: 3, pageSize: 2 },
          },
        }),
      },
    });
    const { items } = await readAllPages(server, "list_vehicle_faults", {});
    expect(items.map(({ code }) => code)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("list_vehicle_faults ends at a short page if the service sends no totals", async () => {
    const keys = Array.from({ length: 450 }, (_, at) => String(at).padStart(3, "0"));
    const server = await serverUnderTest({
      script: {
        listVehicleFaults: ({ url }) => {
          const size = Number(url.searchParams.get("pageSize"));
          const start = Number(url.searchParams.get("pageIndex")) * size;
          return { body: { items: keys.slice(start, start + size).map(fault) } };
        },
      },
    });
    const { items } = await readAllPages(server, "list_vehicle_faults", { limit: 500, fields: "code" });
    expect(items.map(({ code }) => code)).toEqual(keys);
  });

  it("query_tacho_activity adapts to a smaller limit of the service", async () => {
    const data = ["a", "b", "c", "d", "e"].map((assetId) => ({ driverId: assetId, activities: [{ vehicleFriendlyName: assetId }] }));
    const server = await serverUnderTest({
      script: {
        queryTachoActivity: ({ body }) => ({ body: { count: 5, data: data.slice(body.skip, body.skip + Math.min(body.limit, 2)) } }),
      },
    });
    const { items } = await readAllPages(server, "query_tacho_activity", {
      startTime: "2026-11-19T00:00:00Z",
      endTime: "2026-11-20T00:00:00Z",
    });
    expect(items.map(({ vehicleFriendlyName }) => vehicleFriendlyName)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("query_tacho_activity ends if the service has fewer rows than it counted", async () => {
    const server = await serverUnderTest({ script: { queryTachoActivity: () => ({ body: { count: 1_000_000_000, data: [] } }) } });
    const { items, calls } = await readAllPages(server, "query_tacho_activity", {
      startTime: "2026-11-19T00:00:00Z",
      endTime: "2026-11-20T00:00:00Z",
    });
    expect({ items, calls }).toEqual({ items: [], calls: 1 });
  });

  it("list_vehicle_faults ends if the service has fewer rows than it counted", async () => {
    const server = await serverUnderTest({
      script: { listVehicleFaults: () => ({ body: { items: [], pagination: { totalItems: 9, totalPages: 1_000_000_000 } } }) },
    });
    const { items, calls } = await readAllPages(server, "list_vehicle_faults", {});
    expect({ items, calls }).toEqual({ items: [], calls: 1 });
  });
});
