import type { LivePosition } from "@fleetwire/core";
import type { WatchEvent } from "@fleetwire/tools/watch";
import { describe, expect, it } from "vitest";
import { at, brief, driving, eventsOf, keptWatch, type Poll, stopped, van } from "./watched-polls.ts";

const DAY = 24 * 60;
const RULES = [{ when: "starts" }, { when: "silent", forMinutes: 30 }];

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
    ["once, 3 of 9", 9, 3, 3, 3, 9],
    ["once, 1 of 1", 1, 1, 3, 3, 1],
    ["once, 2 of 2", 2, 2, 3, 3, 2],
    ["once, 1 of 2", 2, 1, 3, 3, 2],
    ["once, 2 of 3", 3, 2, 3, 3, 3],
    ["once, 3 of 3", 3, 3, 3, 3, 3],
    ["in the first poll, 3 of 9", 9, 3, 0, 0, 9],
    ["in the first poll, 1 of 1", 1, 1, 0, 0, 1],
    ["for 20 minutes, 3 of 9", 9, 3, 3, 23, 9],
    ["for 20 minutes, 1 of 1", 1, 1, 3, 23, 1],
    ["for 40 minutes, 3 of 9", 9, 3, 3, 43, 9],
    ["from now on, 3 of 9", 9, 3, 3, 9999, 9],
    ["from the first poll on, 1 of 1", 1, 1, 0, 9999, 1],
    ["from the first poll on, 1 of 2", 2, 1, 0, 9999, 2],
  ])("%s", async (_, count, odd, from, until, starts) => {
    const last = until === 9999 ? 60 : until;
    const isOdd = (minute: number) => (index: number) => (index < odd && minute >= from && minute <= until ? DAY : 0);
    const polls = Array.from({ length: last + 10 }, (_, minute): Poll => [minute, fleetAt(minute, count, last + 5, isOdd(minute))]);
    expect(counted(await eventsOf(RULES, polls))).toEqual({ starts, silent: 0, all: starts });
  });

  it("are heard again from a state that an earlier version has saved", async () => {
    const { store, tracks } = keptWatch();
    const rules = [...RULES, { when: "faultBegins" }, { when: "starts", coolDownMinutes: 60 }];
    const polls = (...states: [minute: number, more: LivePosition, ...codes: string[]][]) =>
      states.map(([minute, more, ...activeFaultCodes]): Poll => [minute, [van(minute, { ...more, activeFaultCodes })]]);
    await eventsOf(rules, polls([0, stopped, "P1", "P2"]), { store });
    await eventsOf(rules, polls([1, stopped, "P1"]), { store });
    for (const [key, track] of tracks) {
      const { date, since, codes, ...more } = JSON.parse(track);
      const later = (time: number) => (time ? time + DAY * 60_000 : time);
      const shifted = codes && Object.fromEntries(Object.entries(codes).map(([code, time]) => [code, later(time as number)]));
      tracks.set(key, JSON.stringify({ ...more, date: later(date), since: later(since), codes: shifted, toldAt: later(date) }));
    }
    const after = polls([3, driving, "P1"], [4, driving, "P1"], [36, driving, "P1"], [37, driving, "P1", "P2"]);
    const started = "08:03 Van 1 (v1) started driving";
    expect(brief(await eventsOf(rules, after, { store }))).toEqual([started, started, "08:37 Van 1 (v1) has a new fault P2"]);
  });
});

describe("a clock of this machine", () => {
  const every = (seconds: number, from: number, until: number) =>
    Array.from({ length: Math.round(((until - from) * 60) / seconds) }, (_, n) => from + (n * seconds) / 60);
  const during = (from: number, until: number, by: number) => (minute: number) => (minute >= from && minute < until ? by : 0);
  const hours = every(120, 0, 140);

  it.each<[what: string, minutes: number[], aheadBy: (minute: number) => number]>([
    ["a day ahead for twelve seconds", [...every(30, 0, 4), ...every(1, 4, 4.5), ...every(30, 4.5, 8)], during(4, 4.2, DAY)],
    ["a day ahead for two hours", hours, during(4, 124, DAY)],
    ["40 minutes ahead for two hours", hours, during(4, 124, 40)],
    ["a day ahead from the start, then corrected", every(30, 0, 20), during(0, 4, DAY)],
    ["ten minutes ahead from the start, then corrected", every(30, 0, 20), during(0, 4, 10)],
    ["a day behind for two hours", hours, during(4, 124, -DAY)],
    ["ten minutes behind for two hours", hours, during(4, 124, -10)],
    ["a day behind all the time", every(60, 0, 30), () => -DAY],
    ["ten minutes behind all the time", every(60, 0, 30), () => -10],
    ["a day ahead all the time", every(60, 0, 60), () => DAY],
    ["ahead and back with every read", every(60, 0, 60), (minute) => (Math.round(minute) % 2 ? 60 : 0)],
  ])("%s", async (_, minutes, aheadBy) => {
    const until = Math.ceil(minutes.at(-1) as number);
    const check = async (count: number) => {
      // A fleet is stopped at first, drives once all clocks are right again, and one vehicle reports nothing after minute 2.
      const records = (minute: number) => [
        ...fleetAt(minute, count, until - 3),
        { ...van(Math.min(Math.floor(minute), 2), stopped), assetId: "quiet" },
      ];
      const polls = minutes.map((minute): Poll => [minute + aheadBy(minute), records(minute)]);
      const events = await eventsOf(RULES, polls);
      const silent = events.filter(({ when }) => when === "silent");
      expect(counted(events).starts, `of ${count}`).toBe(count);
      expect(silent.map(({ vehicle, at: time }) => [vehicle?.id, time])).toEqual(until > 35 ? [["quiet", at(32)]] : []);
    };
    await Promise.all([1, 4].map(check));
  });

  it("that jumps because the machine was asleep counts once records say the same", async () => {
    const minutes = [...every(30, 0, 5), 600, 600.5, 601];
    const events = await eventsOf(
      RULES,
      minutes.map((minute): Poll => [minute, fleetAt(minute, 2, 601)]),
    );
    expect(counted(events)).toMatchObject({ starts: 2, silent: 0 });
    expect(brief(events)[0]).toBe("18:01 Van 0 (v0) started driving");
  });
});

describe("dates as services send them", () => {
  const far = { latitude: 48.9, longitude: 2.35 };
  const inside = { ...stopped, latitude: 48.85, longitude: 2.35 };
  const place = { lat: 48.85, lng: 2.35, radiusMetres: 300 };
  const watched = [
    { when: "starts" },
    { when: "stops", forMinutes: 10 },
    { when: "silent", forMinutes: 30 },
    { when: "arrives", at: place },
    { when: "leaves", at: place },
  ];
  const TIMES = Array.from({ length: 50 }, (_, n) => 2 * n);
  /** Drives from 5 to 20 and 50 to 60, is inside between, and sends nothing from minute 60 on. */
  const stateAt = (minute: number) =>
    minute < 5 || minute >= 60 ? { ...stopped, ...far } : minute >= 20 && minute < 50 ? inside : { ...driving, ...far };
  const shift = (isOdd: (minute: number, index: number) => boolean, by: number) => (minute: number, index: number) =>
    at(minute + (isOdd(minute, index) ? by : 0));
  const first = (_: number, index: number) => index === 0;
  const all = () => true;
  const HOUR = 60;

  it.each<[what: string, dateOf: (minute: number, index: number) => string | null | undefined, isKnownToSend?: boolean]>([
    ["the right ones", (minute) => at(minute)],
    ["one vehicle an hour behind", shift(first, -HOUR)],
    ["all an hour behind", shift(all, -HOUR)],
    ["local time of America as UTC", shift(all, -5 * HOUR)],
    ["local time of Europe as UTC", shift(all, 2 * HOUR)],
    ["local time of Europe as UTC, at the end of summer", (minute) => at(minute + (minute < 30 ? 2 * HOUR : HOUR))],
    ["local time of Europe as UTC, then corrected", shift((minute) => minute < 30, 2 * HOUR)],
    ["one vehicle two hours ahead", shift(first, 2 * HOUR)],
    ["one vehicle ten years ago", shift(first, -3650 * DAY)],
    ["one vehicle a year ahead", shift(first, 365 * DAY)],
    ["one vehicle a day ahead every other time", shift((minute, index) => index === 0 && minute % 4 === 2, DAY)],
    ["one vehicle an hour behind every other time", shift((minute, index) => index === 0 && minute % 4 === 2, -HOUR)],
    ["without an offset", (minute) => at(minute).slice(0, 19)],
    ["with an offset", (minute) => at(minute + 2 * HOUR).replace("Z", "+02:00")],
    ["none", () => undefined, false],
    ["the year 1 of one vehicle", (minute, index) => (index === 0 ? "0001-01-01T00:00:00Z" : at(minute)), false],
    ["none of one vehicle", (minute, index) => (index === 0 ? null : at(minute)), false],
    ["1970 of one vehicle", (minute, index) => (index === 0 ? "1970-01-01T00:00:00Z" : at(minute)), false],
  ])("%s", async (_, dateOf, isKnownToSend = true) => {
    const pollsOf = (count: number) =>
      TIMES.map((minute): Poll => {
        const sent = Math.min(minute, 60);
        const recordOf = (index: number) => ({ ...van(0, stateAt(sent)), assetId: `v${index}`, date: dateOf(sent, index) }) as LivePosition;
        return [minute, Array.from({ length: count }, (_, index) => recordOf(index))];
      });
    const { store } = keptWatch();
    const restarted = async (polls: readonly Poll[]) => [
      ...(await eventsOf(watched, polls.slice(0, 20), { store })),
      ...(await eventsOf(watched, polls.slice(22), { store })),
    ];
    for (const events of await Promise.all([eventsOf(watched, pollsOf(1)), eventsOf(watched, pollsOf(3)), restarted(pollsOf(2))])) {
      const whens = events.filter(({ vehicle }) => vehicle?.id === "v0").map(({ when }) => when);
      const silent = isKnownToSend ? ["silent"] : [];
      expect(whens.sort()).toEqual(["arrives", "leaves", ...silent, "starts", "starts", "stops", "stops"]);
    }
  });

  it.each([1, 3])("tell each event once to a watch of %i whose clock is an hour behind from a restart on, for a day", async (count) => {
    const { store } = keptWatch();
    const isDriving = (minute: number) => (minute >= 20 && minute < 700) || minute >= 1500;
    const polls = (from: number, until: number, behind = 0) =>
      Array.from({ length: (until - from) / 20 }, (_, n): Poll => {
        const minute = from + 20 * n;
        return [minute - behind, fleetAt(minute, count, isDriving(minute) ? minute : minute + 1)];
      });
    const before = await eventsOf(RULES, polls(0, 60), { store });
    const after = await eventsOf(RULES, [...polls(80, 1440, HOUR), ...polls(1440, 1560)], { store });
    expect(counted([...before, ...after])).toEqual({ starts: count, silent: 0, all: 2 * count });
  });

  it("say after a restart with a clock set back since when there is no data", async () => {
    const { store } = keptWatch();
    await eventsOf(watched, [[60, [van(60, stopped)]]], { store });
    const events = await eventsOf(watched, [[0, [van(0, stopped)]], ...[1, 2, 3].map((minute): Poll => [minute, 503])], { store });
    expect(events.map(({ when }) => when)).toEqual(["noData"]);
  });
});
