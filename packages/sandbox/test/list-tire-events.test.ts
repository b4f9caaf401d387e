import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY } from "./sandbox-caller.ts";

const call = callSandbox();
const ask = async (query: Record<string, string> = {}) => call.send("GET", call.urls.tires, { query, headers: await call.bearer() });
const all = (await ask({ limit: "1000" })).body;

describe("chosen S34: tire events", () => {
  test("cover the last seven days, in a shape labelled as the sandbox's own", () => {
    expect(all).toMatchObject({ note: expect.stringContaining("sandbox's own"), total: all.events.length });
    expect(all.total).toBeGreaterThan(0);
    for (const { date } of all.events) expect(FRIDAY - Date.parse(date) >= 0 && FRIDAY - Date.parse(date) <= 7 * 86_400_000).toBe(true);
  });

  test("belong to vehicles of the fleet, and can be filtered by vehicle", async () => {
    const ids = (await call.live({ showAllVehicleStatus: "true" })).map(({ assetId }: { assetId: string }) => assetId);
    expect(ids).toEqual(expect.arrayContaining(all.events.map((event: { vehicleId: string }) => event.vehicleId)));
    const { vehicleId } = all.events[0];
    const ofOne = all.events.filter((event: { vehicleId: string }) => event.vehicleId === vehicleId);
    expect((await ask({ vehicleId })).body).toMatchObject({ total: ofOne.length, events: ofOne });
    expect((await ask({ vehicleId: "nosuchvehicle" })).body).toMatchObject({ total: 0, events: [] });
  });

  test("are paginated by skip and limit, with the same total", async () => {
    expect((await ask({ skip: "1", limit: "2" })).body).toMatchObject({ total: all.total, events: all.events.slice(1, 3) });
    expect((await ask({ skip: "100000" })).body).toMatchObject({ total: all.total, events: [] });
  });

  test.each([{ limit: "0" }, { limit: "many" }, { skip: "-1" }])("are refused for %o", async (query) => {
    expect(await ask(query as Record<string, string>)).toMatchObject({ status: 400, body: { offendingFields: Object.keys(query) } });
  });
});
