import { expect, it } from "vitest";
import { NOW, servedFleet } from "./served-fleet.ts";

async function shown(fleet: readonly object[], asked: readonly string[] = []) {
  const { tools } = await servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
  const { text, structured } = await tools.readMap(asked);
  return { text, ...(structured as { total: number; withoutPlace: number; rows: unknown[][] }) };
}

const at = (assetId: string, longitude: number) => ({ assetId, assetName: `Truck ${assetId}`, latitude: 50, longitude });

it("a map has the fields that it draws, shortened, and counts the vehicles without a place", async () => {
  const truck = {
    assetId: "v1",
    assetName: `Truck\n${"x".repeat(99)}`,
    latitude: 50.1234567,
    longitude: 9,
    speed: 50,
    electricCharging: false,
  };
  const { text, total, withoutPlace, rows, ...more } = await shown([truck, { assetId: "v2" }, { assetId: "v3", latitude: 1 }]);
  expect(text).toBe("The map shows 1 of 3 vehicles.");
  expect([total, withoutPlace]).toEqual([3, 2]);
  expect(rows).toEqual([["v1", `Truck ${"x".repeat(53)}…`, null, 50.12346, 9, null, 50, null, null, false, null]]);
  expect(more).toEqual({
    now: new Date(NOW).toISOString(),
    columns: [
      ...["assetId", "assetName", "assetRegistration", "latitude", "longitude", "heading", "speed", "eventType"],
      ...["ignitionStatus", "electricCharging", "date"],
    ],
  });
});

it.each([
  ["by name", ["Truck e"], "edcba"],
  ["several", ["a", "e"], "aebcd"],
])("the vehicles asked for come first, then those near the first of them: %s", async (_, asked, order) => {
  const fleet = [at("a", 1), at("b", 3.5), at("c", 4), at("d", 5), at("e", 9)];
  expect((await shown(fleet, asked)).rows.map(([id]) => id).join("")).toBe(order);
});

it("a map has as many vehicles as fit a megabyte, from all over the fleet", async () => {
  const named = (name: string) => (index: number) => ({ ...at(`v${String(index).padStart(5, "0")}`, 9), assetName: name });
  const lengthOf = (row: unknown) => JSON.stringify(row).length;
  const [bare] = (await shown([named("")(0)])).rows;
  // Each row takes a hundred bytes, with the comma after it.
  const fleet = Array.from({ length: 10_010 }, (_, index) => named("x".repeat(99 - lengthOf(bare)))(index));
  const { rows, text } = await shown(fleet);
  expect(text).toBe("The map shows 10000 of 10010 vehicles.");
  expect(lengthOf(rows)).toBe(1_000_001);
  expect(new Set(rows.slice(0, 100).map(([id]) => String(id).slice(0, 3))).size).toBe(10);
});
