import { expect, test } from "vitest";
import { callSandbox, FRIDAY } from "./sandbox-caller.ts";

const call = callSandbox();
const ask = async (query: Record<string, string> = {}) => call.send("GET", call.urls.tires, { query, headers: await call.bearer() });
const { note, total, events } = (await ask({ limit: "1000" })).body as { note: string; total: number; events: Record<string, string>[] };

test("tire events are of the fleet and the last seven days, in a shape labelled as the sandbox's own", async () => {
  expect([note, total]).toEqual([expect.stringContaining("sandbox's own"), events.length]);
  const vehicles = (await call.live({ showAllVehicleStatus: "true" })).map(({ assetId }: { assetId: string }) => assetId);
  expect(total).toBeGreaterThan(3);
  for (const { date = "", vehicleId } of events) {
    expect(FRIDAY - Date.parse(date) >= 0 && FRIDAY - Date.parse(date) <= 7 * 86_400_000).toBe(true);
    expect(vehicles).toContain(vehicleId);
  }
  const { vehicleId = "" } = events[0] ?? {};
  const ofOne = events.filter((event) => event["vehicleId"] === vehicleId);
  expect((await ask({ vehicleId })).body).toMatchObject({ total: ofOne.length, events: ofOne });
  expect((await ask({ vehicleId: "nosuchvehicle" })).body).toMatchObject({ total: 0, events: [] });
});

test("tire events are paginated by skip and limit, with the same total", async () => {
  expect((await ask({ skip: "1", limit: "2" })).body).toMatchObject({ total, events: events.slice(1, 3) });
  expect((await ask({ skip: "100000" })).body).toMatchObject({ total, events: [] });
  for (const [field, value] of [["limit", "0"] as const, ["limit", "many"] as const, ["skip", "-1"] as const])
    expect(await ask({ [field]: value })).toMatchObject({ status: 400, body: { offendingFields: [field] } });
});
