import { describe, expect, it } from "vitest";
import { ageText, describeVehicle, mapVehicle } from "../src/map/map-vehicle.ts";

const NOW = Date.parse("2026-11-22T16:46:21Z");
const TRUCK = {
  assetId: "a12",
  assetName: "Truck 12",
  latitude: 53.1,
  longitude: 14.7,
  heading: 156,
  speed: 78,
  eventType: "driving",
  date: "2026-11-22T16:46:00Z",
} as const;

describe("a vehicle on the map", () => {
  it.each([
    ["drives", {}, { state: "driving", isStale: false }],
    ["drives, although it charges", { electricCharging: true }, { state: "driving" }],
    ["charges while it stands", { eventType: "stopped", electricCharging: true }, { state: "charging" }],
    ["has an undocumented event", { eventType: "towed", speed: 0 }, { state: "other" }],
    ["is a trailer, which reports pings", { eventType: "ping" }, { state: "driving" }],
    ["is parked, though its speed is not 0", { eventType: "ping", speed: 0.4 }, { state: "other" }],
    ["drives, though its ignition is off", { ignitionStatus: "OFF" }, { state: "other" }],
    ["has been silent for 11 minutes while driving", { date: "2026-11-22T16:35:00Z" }, { state: "driving", isStale: true }],
    ["has been silent for half an hour while driving", { date: "2026-11-22T16:16:00Z" }, { isStale: true }],
    ["has stood still for half an hour", { eventType: "stopped", date: "2026-11-22T16:16:00Z" }, { isStale: false }],
    ["has a wrong clock, by five hours", { eventType: "stopped", date: "2026-11-22T21:46:00Z" }, { isStale: true }],
    ["has a clock that is five minutes fast", { date: "2026-11-22T16:51:00Z" }, { isStale: false }],
    ["has no name", { assetName: undefined }, { name: "a12" }],
    ["has an empty name, and a registration", { assetName: "", assetRegistration: "DW 6706N" }, { name: "DW 6706N" }],
    ["has neither a name nor an id", { assetName: undefined, assetId: undefined }, { name: "Unnamed vehicle" }],
  ])("%s", (_, changes, expected) => {
    expect(mapVehicle({ ...TRUCK, ...changes } as never, NOW)).toMatchObject(expected);
  });

  it.each([
    ["is withheld", { latitude: undefined, longitude: undefined }],
    ["is impossible", { latitude: 91 }],
    ["is 0, 0", { latitude: 0, longitude: 0 }],
    ["is next to 0, 0", { latitude: 0.00001, longitude: -0.002 }],
  ])("is missing if its place %s", (_, changes) => {
    expect(mapVehicle({ ...TRUCK, ...changes } as never, NOW)).toBeUndefined();
  });

  it.each([
    ["2026-11-22T16:46:51Z", "0 s ago"],
    ["2026-11-22T16:00:21Z", "46 min ago"],
    ["2026-11-22T21:46:21Z", "5 h in the future"],
    ["2027-11-22T16:46:21Z", "365 days in the future"],
  ])("of %s is %s old", (date, text) => expect(ageText(Date.parse(date), NOW)).toBe(text));

  it("is described in words", () => {
    const truck = mapVehicle(TRUCK, NOW);
    expect(truck && describeVehicle(truck, NOW)).toBe("Truck 12: driving 78 km/h south-east, seen 21 s ago");
  });
});
