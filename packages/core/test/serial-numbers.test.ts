import { describe, expect, it } from "vitest";
import { fleetUnderTest } from "./fleet-under-test.ts";

// Bodies are strings, because a literal such as 9007199254740993 would lose digits.
async function positionsOf(body: string) {
  const { fleet, drift } = await fleetUnderTest({ api: [{ body }] });
  return { positions: await fleet.listLivePositions(), drift: drift.flatMap((report) => report.drift) };
}

describe("a serial number is exact", () => {
  it.each([
    ["0", 0],
    ["-5", -5],
    ["356938035643809", 356938035643809],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254740992", "9007199254740992"],
    ["9007199254740993", "9007199254740993"],
    ["9223372036854775807", "9223372036854775807"],
    ["-9223372036854775808", "-9223372036854775808"],
  ])("%s", async (digits, expected) => {
    for (const body of [
      `[{"serialNumber":${digits}}]`,
      `[ { "serialNumber" : ${digits} , "assetId":"v1" } ]`,
      `[{"serialNumber":\n${digits}\n}]`,
    ]) {
      const { positions, drift } = await positionsOf(body);
      expect(positions[0]?.serialNumber).toBe(expected);
      expect(drift).toEqual([]);
    }
  });

  it.each(["1e20", "9007199254740993.0", "1.5", '"12a"', '"3571180021"', '"9007199254740993"', "true", "{}"])(
    "%s is not one, and is reported",
    async (value) => {
      const { positions, drift } = await positionsOf(`[{"assetId":"v1","serialNumber":${value}}]`);
      expect(positions).toEqual([{ assetId: "v1" }]);
      expect(drift).toEqual([{ path: "$[*].serialNumber", kind: "wrong type", count: 1 }]);
    },
  );

  it("does not affect smaller ones", async () => {
    const { positions } = await positionsOf('[{"serialNumber":12},{"serialNumber":9007199254740993},{"serialNumber":-3}]');
    expect(positions.map(({ serialNumber }) => serialNumber)).toEqual([12, "9007199254740993", -3]);
  });

  it("does not accept digits that the service quoted", async () => {
    const { positions, drift } = await positionsOf('[{"serialNumber":"9007199254740993"},{"serialNumber":9007199254740993}]');
    expect(positions).toEqual([{}, { serialNumber: "9007199254740993" }]);
    expect(drift).toEqual([{ path: "$[*].serialNumber", kind: "wrong type", count: 1 }]);
  });

  it("does not change the same text in strings, or the numbers of other fields", async () => {
    const road = 'say "serialNumber": 9007199254740993, or ,"serialNumber":9007199254740993}';
    const { positions } = await positionsOf(
      `[{"road":${JSON.stringify(road)},"latitude":45.7640430000001,"longitude":-4.835,"odometer":123456789012345680,"serialNumber":9007199254740993,"city":"{\\"serialNumber\\":9007199254740993}"}]`,
    );
    expect(positions).toEqual([
      {
        road,
        latitude: 45.7640430000001,
        longitude: -4.835,
        odometer: 123456789012345680,
        serialNumber: "9007199254740993",
        city: '{"serialNumber":9007199254740993}',
      },
    ]);
  });

  it("does not affect a field whose name only ends like it", async () => {
    const { positions } = await positionsOf('[{"a\\"serialNumber":9007199254740993,"serialNumber":9007199254740993}]');
    expect(positions[0]).toEqual({ 'a"serialNumber': 9007199254740992, serialNumber: "9007199254740993" });
  });

  it("counts each difference once, although the text is parsed twice", async () => {
    const { positions, drift } = await positionsOf('[{"speed":"x","colour":1,"serialNumber":9007199254740993},null]');
    expect(positions).toHaveLength(1);
    expect(drift.map(({ path, count }) => [path, count])).toEqual([
      ["$[*].speed", 1],
      ["$[*].colour", 1],
      ["$[*]", 1],
    ]);
  });
});
