import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { SavedWatch, WatchEvent, WatchStore } from "../src/watch.ts";
import { at, brief, eventsOf, type Poll, type Rule, van } from "./watched-polls.ts";

const DAY = 24 * 60;
const SECOND = 1 / 60;
const stopped = { eventType: "stopped" as const, speed: 0 };
const driving = { eventType: "driving" as const, speed: 60 };
const RULES = [{ when: "starts" }, { when: "silent", forMinutes: 30 }] as object[] as Rule[];

/** Vehicles that report every minute, are stopped before `startsAt` and drive from then on; some state another time now and then. */
function fleetAt(minute: number, count: number, startsAt: number, aheadBy: (index: number) => number = () => 0): LivePosition[] {
  const date = Math.floor(minute);
  return Array.from({ length: count }, (_, index) => ({
    ...van(date + aheadBy(index), date < startsAt ? stopped : driving),
    ...{ assetId: `v${index}`, assetName: `Van ${index}`, driverId: `d${index}` },
  }));
}

const counted = (events: readonly WatchEvent[]) => ({
  starts: new Set(events.filter(({ when }) => when === "starts").map(({ vehicle }) => vehicle?.id)).size,
  silent: events.filter(({ when }) => when === "silent").length,
  all: events.length,
});

describe("vehicles that state a time a day ahead", () => {
  it.each<[what: string, count: number, odd: number, from: number, until: number, starts: number]>([
    ["once, 3 of 50", 50, 3, 3, 3, 50],
    ["once, 1 of 1", 1, 1, 3, 3, 1],
    ["once, 2 of 2", 2, 2, 3, 3, 2],
    ["once, 1 of 2", 2, 1, 3, 3, 2],
    ["once, 2 of 3", 3, 2, 3, 3, 3],
    ["once, 3 of 3", 3, 3, 3, 3, 3],
    ["in the first poll, 3 of 50", 50, 3, 0, 0, 50],
    ["in the first poll, 1 of 1", 1, 1, 0, 0, 1],
    ["for 20 minutes, 3 of 50", 50, 3, 3, 23, 50],
    ["for 20 minutes, 1 of 1", 1, 1, 3, 23, 1],
    ["for 40 minutes, 3 of 50", 50, 3, 3, 43, 50],
    ["from now on, 3 of 50", 50, 3, 3, 9999, 47],
  ])("%s", async (_, count, odd, from, until, starts) => {
    const last = until === 9999 ? 60 : until;
    const isOdd = (minute: number) => (index: number) => (index < odd && minute >= from && minute <= until ? DAY : 0);
    const polls = Array.from({ length: last + 10 }, (_, minute): Poll => [minute, fleetAt(minute, count, last + 5, isOdd(minute))]);
    expect(counted(await eventsOf(RULES, polls))).toEqual({ starts, silent: 0, all: starts });
  });

  it("are heard again from a state that an earlier version has saved", async () => {
    const tracks = new Map<string, string>();
    const store: WatchStore = {
      load: (): SavedWatch => ({ tracks: [...tracks], pending: [], readAt: undefined, noData: undefined }),
      save: ({ tracks: changed }) => {
        for (const [key, track] of changed) track === undefined ? tracks.delete(key) : tracks.set(key, track);
      },
      delivered: () => {},
    };
    const rules: Rule[] = [...RULES, { when: "faultBegins" }, { when: "starts", coolDownMinutes: 60 }];
    const codes = (...activeFaultCodes: string[]) => ({ activeFaultCodes });
    await eventsOf(rules, [[0, [van(0, { ...stopped, ...codes("P1", "P2") })]]], { store });
    await eventsOf(rules, [[1, [van(1, { ...stopped, ...codes("P1") })]]], { store });
    for (const [key, track] of tracks) {
      const { date, since, codes: seen, ...more } = JSON.parse(track);
      const later = (time: number) => (time ? time + DAY * 60_000 : time);
      const shifted = seen && Object.fromEntries(Object.entries(seen).map(([code, time]) => [code, later(time as number)]));
      tracks.set(key, JSON.stringify({ ...more, date: later(date), since: later(since), codes: shifted, toldAt: later(date) }));
    }
    const polls: Poll[] = [3, 4, 36, 37].map((minute) => [
      minute,
      [van(minute, { ...driving, ...codes("P1", ...(minute > 36 ? ["P2"] : [])) })],
    ]);
    expect(brief(await eventsOf(rules, polls, { store }))).toEqual([
      "08:03 Van 1 (v1) started driving",
      "08:03 Van 1 (v1) started driving",
      "08:37 Van 1 (v1) has a new fault P2",
    ]);
  });
});

describe("a clock of this machine", () => {
  /** Polls at these true times while the clock differs from them by `aheadBy` minutes. */
  const polled = (minutes: readonly number[], aheadBy: (minute: number) => number, records: (minute: number) => LivePosition[]) =>
    minutes.map((minute): Poll => [minute + aheadBy(minute), records(minute)]);
  const every = (seconds: number, until: number) =>
    Array.from({ length: Math.round((until * 60) / seconds) }, (_, n) => n * seconds * SECOND);

  it.each<[what: string, seconds: number, until: number, aheadBy: (minute: number) => number]>([
    ["a day ahead for twelve seconds", 1, 8, (minute) => (minute >= 4 && minute < 4.2 ? DAY : 0)],
    ["a day ahead for two hours", 30, 140, (minute) => (minute >= 4 && minute < 124 ? DAY : 0)],
    ["40 minutes ahead for two hours", 30, 140, (minute) => (minute >= 4 && minute < 124 ? 40 : 0)],
    ["a day ahead from the start, then corrected", 30, 20, (minute) => (minute < 4 ? DAY : 0)],
    ["ten minutes ahead from the start, then corrected", 30, 20, (minute) => (minute < 4 ? 10 : 0)],
    ["a day behind for two hours", 30, 140, (minute) => (minute >= 4 && minute < 124 ? -DAY : 0)],
    ["ten minutes behind for two hours", 30, 140, (minute) => (minute >= 4 && minute < 124 ? -10 : 0)],
    ["a day behind all the time", 30, 30, () => -DAY],
    ["ten minutes behind all the time", 30, 30, () => -10],
    ["a day ahead all the time", 30, 60, () => DAY],
    ["ahead and back with every read", 30, 60, (minute) => (Math.round(minute * 2) % 2 ? 60 : 0)],
  ])("%s", async (_, seconds, until, aheadBy) => {
    for (const count of [1, 20]) {
      // A fleet is stopped at first, drives once all clocks are right again, and one vehicle reports nothing after minute 2.
      const records = (minute: number) =>
        fleetAt(minute, count + 1, until - 3).map((record, index) =>
          index === count ? { ...record, ...van(Math.min(minute, 2), stopped), assetId: "quiet" } : record,
        );
      const events = await eventsOf(RULES, polled(every(seconds, until), aheadBy, records));
      const silent = events.filter(({ when }) => when === "silent");
      expect(counted(events).starts, `of ${count}`).toBe(count);
      expect(silent.map(({ vehicle, at: time }) => [vehicle?.id, time])).toEqual(until > 35 ? [["quiet", at(32)]] : []);
    }
  });

  it("that jumps because the machine was asleep counts once records say the same", async () => {
    const minutes = [...every(30, 5), 600, 600.5, 601];
    const events = await eventsOf(
      RULES,
      polled(
        minutes,
        () => 0,
        (minute) => fleetAt(minute, 2, 601),
      ),
    );
    expect(counted(events)).toMatchObject({ starts: 2, silent: 0 });
    expect(brief(events)[0]).toBe("18:01 Van 0 (v0) started driving");
  });
});
