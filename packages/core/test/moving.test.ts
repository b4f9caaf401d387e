import { isLaterPosition, isMoving } from "@fleetwire/core/internal";
import { describe, expect, it } from "vitest";
import type { LivePosition } from "../src/index.ts";

const NOW = Date.parse("2026-11-20T08:34:00Z");
const before = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

describe("a vehicle is moving", () => {
  it.each<[what: string, position: LivePosition, expected: boolean]>([
    ["driving", { eventType: "driving", speed: 80, ignitionStatus: "ON" }, true],
    ["driving, at a red light", { eventType: "driving", speed: 0 }, true],
    ["driving, its speed withheld", { eventType: "driving" }, true],
    ["a trailer's ping at speed", { eventType: "ping", speed: 80 }, true],
    ["a trailer, which has no ignition", { eventType: "ping", speed: 80, ignitionStatus: "OFF" }, true],
    ["another event at speed", { eventType: "defect", speed: 60 }, true],
    ["parked, ignition off, 0.4 km/h", { eventType: "stopped", speed: 0.4, ignitionStatus: "OFF" }, false],
    ["parked, 0.4 km/h, of an unknown event", { speed: 0.4 }, false],
    ["a trailer's ping at 3 km/h", { eventType: "ping", speed: 3 }, false],
    ["stopped, though with a speed", { eventType: "stopped", speed: 40 }, false],
    ["idling, though with a speed", { eventType: "idling", speed: 40 }, false],
    ["driving with the ignition off", { eventType: "driving", speed: 40, ignitionStatus: "Ignition off" }, false],
    ["driving with the ignition cutoff armed", { eventType: "driving", speed: 40, ignitionStatus: "CUTOFF" }, true],
    ["driving, 10 minutes ago", { eventType: "driving", speed: 80, date: before(10) }, true],
    ["a trailer's ping 13 minutes ago", { eventType: "ping", speed: 80, date: before(13) }, false],
    ["driving, 11 minutes in the future", { eventType: "driving", speed: 80, date: before(-11) }, false],
    ["driving, on a clock that is 2 minutes ahead", { eventType: "driving", date: before(-2) }, true],
    ["driving, at an unknown time", { eventType: "driving", speed: 80, date: "soon" }, false],
    ["no event and no speed", {}, false],
  ])("%s: %j is %j", (_, position, expected) => {
    expect(isMoving({ date: before(1), ...position }, NOW)).toBe(expected);
  });
});

describe("of two records of a vehicle", () => {
  const EIGHT = "2026-11-20T08:00:00Z";
  it.each<[what: string, LivePosition, LivePosition, expected: boolean]>([
    ["the later counts", { date: "2026-11-20T08:00:01Z" }, { date: EIGHT }, true],
    ["the later counts, whatever its offset", { date: "2026-11-20T03:30:00-05:00" }, { date: EIGHT }, true],
    ["the earlier does not, whatever its offset", { date: "2026-11-20T08:30:00+01:00" }, { date: EIGHT }, false],
    ["a fraction of a second counts", { date: "2026-11-20T08:00:00.500Z" }, { date: EIGHT }, true],
    ["the private one counts at the same instant", { date: "2026-11-20T09:00:00+01:00", privacy: true }, { date: EIGHT }, true],
    ["the public one does not at the same instant", { date: EIGHT }, { date: EIGHT, privacy: true }, false],
    ["the later counts, even if the other is private", { date: "2026-11-20T08:01:00Z" }, { date: EIGHT, privacy: true }, true],
    ["one with a date counts", { date: EIGHT }, { date: "soon" }, true],
    ["the private one counts without dates", { privacy: true }, {}, true],
    ["the first counts if both are alike", { date: EIGHT }, { date: EIGHT }, false],
  ])("%s", (_, one, other, expected) => {
    expect(isLaterPosition(one, other)).toBe(expected);
  });
});
