import type { LivePosition, TachoActivity, TachoDriver, VehicleFaultsPage } from "@fleetwire/core";
import { type Activity, type Infringement, infringements, type Rule } from "@fleetwire/driving-time";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { type PlantedFact, truthOf } from "@fleetwire/sandbox/truth";
import { beforeAll, describe, expect, test } from "vitest";
import { tryRandomPolls } from "./physics.ts";
import { callSandbox } from "./sandbox-caller.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday, with eight weeks of planted facts before it. */
const NOW = Date.UTC(2026, 10, 23);
const FROM = NOW - 8 * 7 * DAY;
const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
const options: SandboxOptions = { rhythm: "week" };
const call = callSandbox(options);
const truth = truthOf(createSandbox({ ...options, clock: () => NOW }));
const facts = truth.facts(FROM, NOW);
const trucks = truth.vehicles().filter(({ hasTachograph }) => hasTachograph);

/** The rules that what was planted breaks; it may break others too. */
const BROKEN: Partial<Record<PlantedFact["kind"], Rule[]>> = {
  shortBreaks: ["drivingWithoutBreak"],
  lateBreak: ["drivingWithoutBreak"],
  noBreak: ["workWithoutBreak", "workBreaks"],
  longWait: ["dailyRest"],
  longNight: ["nightWork"],
  longDay: ["dailyDriving"],
  longWeek: ["weeklyDriving", "fortnightlyDriving", "weeklyWork"],
  noWeekend: ["weeklyRestDue"],
  shortWeekend: ["weeklyRest"],
  lateSaturday: ["weeklyRest", "weeklyRestCompensation"],
};

const KINDS = { DRIVING: "driving", WORK: "work", AVAILABILITY: "availability", REST: "rest" } as const;
const rulesOf = ({ rule, also = [] }: Infringement): Rule[] => [rule, ...also];
const byDriver = new Map<string, TachoActivity[]>();

beforeAll(async () => {
  call.setClock(NOW);
  for (let at = FROM - 18 * 7 * DAY; at < NOW; at += 28 * DAY) {
    const { body } = await call.tacho({ startTime: iso(at), endTime: iso(Math.min(NOW, at + 28 * DAY)), limit: 1000 });
    for (const { driverId = "", activities = [] } of body.data as TachoDriver[]) {
      const known = byDriver.get(driverId) ?? [];
      byDriver.set(driverId, [
        ...known,
        ...activities.filter(({ startTime, endTime }) => known.at(-1)?.startTime !== startTime || known.at(-1)?.endTime !== endTime),
      ]);
    }
  }
}, 120_000);

function judged(driverId: string) {
  const list = byDriver.get(driverId) ?? [];
  const isTeam = list.some(({ driverCardSlot }) => driverCardSlot === 2);
  const activities = list.map(({ activity, startTime = "", endTime, flagManualEntry }): Activity => {
    const end = endTime === undefined ? {} : { end: Date.parse(endTime) };
    const kind = KINDS[activity as keyof typeof KINDS];
    return { kind, start: Date.parse(startTime), ...end, ...(isTeam && !flagManualEntry && { team: true }) };
  });
  return infringements(activities, { start: FROM, end: NOW }, NOW);
}

describe("chosen S49: what is planted breaks rules", () => {
  test("of every kind", () => {
    const kinds = new Set(truth.facts(NOW - 54 * 7 * DAY, NOW).map(({ kind }) => kind));
    for (const kind of Object.keys(BROKEN)) expect(kinds).toContain(kind);
    const rules = new Set([...byDriver.keys()].flatMap(judged).flatMap(rulesOf));
    const planted = new Set<Rule>([...Object.values(BROKEN).flat(), "averageWork"]);
    expect([...rules].filter((rule) => !planted.has(rule))).toEqual([]);
    expect(rules.size).toBeGreaterThan(8);
  });

  test("which the driver's activities show at that time", () => {
    for (const { kind, driverId, start, end } of facts) {
      // The limits of a fortnight, and the time for compensation, may lie after now.
      if (end > NOW - 28 * DAY) continue;
      const shown = judged(driverId).filter((found) => found.start < end + DAY && found.end > start - DAY);
      expect([kind, shown.flatMap(rulesOf)]).toEqual([kind, expect.arrayContaining(BROKEN[kind] ?? [])]);
    }
  });

  test("and nobody else breaks any for certain", () => {
    const planted = new Set(facts.filter(({ kind }) => BROKEN[kind]).map(({ driverId }) => driverId));
    const lawful = [...byDriver.keys()].filter((driverId) => !planted.has(driverId));
    expect(lawful.length).toBeGreaterThan(3);
    const before = truth.facts(FROM - 14 * DAY, FROM).map(({ driverId }) => driverId);
    for (const driverId of lawful.filter((id) => !before.includes(id)))
      expect(judged(driverId).flatMap(({ rule, certainty }) => (certainty === "certain" ? [[driverId, rule]] : []))).toEqual([]);
  });
});

describe("chosen S49: weeks are like those of a fleet", () => {
  const kmOn = (from: number) => trucks.reduce((sum, { id }) => sum + truth.km(id, from, from + DAY), 0);

  test("with quiet Sundays", () => {
    const [sundays, tuesdays] = [6, 1].map((weekday) => {
      let km = 0;
      for (let monday = FROM; monday < NOW; monday += 7 * DAY) km += kmOn(monday + weekday * DAY);
      return km;
    }) as [number, number];
    expect(sundays).toBeGreaterThan(0);
    expect(sundays).toBeLessThan(tuesdays / 10);
  });

  test("with plausible distances for one driver, and other tours on each day", () => {
    const teams = new Set(facts.filter(({ kind }) => kind === "team").map(({ vehicleId }) => vehicleId));
    const days: number[] = [];
    for (const { id } of trucks.filter((truck) => !teams.has(truck.id))) {
      const tours = new Set<string>();
      for (let day = NOW - 28 * DAY; day < NOW; day += DAY) {
        const trips = truth.trips(id, day, day + DAY).filter(({ start }) => start >= day);
        if (trips.length === 0) continue;
        days.push(trips.reduce((sum, { km }) => sum + km, 0));
        const tour = trips.map(({ start, end }) => end - start).join();
        expect([id, tours.has(tour)]).toEqual([id, false]);
        tours.add(tour);
      }
    }
    const median = days.toSorted((one, other) => one - other)[days.length >> 1];
    expect(median).toBeGreaterThan(400);
    expect(median).toBeLessThan(600);
  });

  test("with nights beside the road, jams, and private journeys with a tachograph", () => {
    const [monday, tuesday] = [NOW - 14 * DAY, NOW - 13 * DAY];
    const nights = trucks.map(({ id }) => truth.stops(id, tuesday, tuesday + HOUR)[0]);
    expect(nights.filter((stop) => stop && stop.at.location === undefined && stop.end - stop.start > 9 * HOUR).length).toBeGreaterThan(2);
    expect(trucks.some(({ id }) => truth.trips(id, monday, tuesday).some(({ isPrivate }) => isPrivate))).toBe(true);
    let jams = 0;
    for (const { id } of trucks) {
      for (const { start, end, km } of truth.trips(id, monday, monday + 5 * DAY)) {
        const middle = start + (end - start) / 2;
        for (let at = middle - 20 * 60_000; km > 60 && at < middle + 20 * 60_000; at += 120_000)
          if (truth.at(id, at).kmPerHour < 18 && truth.at(id, at).isDriving) jams++;
      }
    }
    expect(jams).toBeGreaterThan(10);
  });

  test("with electric vehicles at different levels", async () => {
    const live: LivePosition[] = await call.live();
    const levels = live.flatMap(({ electricBatteryLevelPercent }) => electricBatteryLevelPercent ?? []);
    expect(new Set(levels).size).toBe(levels.length);
  });

  test("with nobody on the road for days with a red stop lamp", async () => {
    const { body } = await call.faults({ startDate: iso(NOW - 300 * DAY), endDate: iso(NOW), pageSize: "500" });
    let red = 0;
    for (const { id = "", faults = [] } of (body as VehicleFaultsPage).items ?? [])
      for (const { startDate = "", endDate, details } of faults) {
        if (!details?.lamps?.includes("RED_STOP")) continue;
        red++;
        const begin = Date.parse(startDate);
        const trips = truth.trips(id, begin, Date.parse(endDate ?? iso(NOW)));
        expect([id, startDate, trips.filter(({ start }) => start > begin + 6 * HOUR).length]).toEqual([id, startDate, 0]);
      }
    expect(red).toBeGreaterThan(0);
  });
});

test("chosen S49: addresses name a town only within ten km, and the country on this side of the border", async () => {
  const seen = new Set<string>();
  const towns = new Map<string | undefined, { latitude: number; longitude: number }>();
  for (const { id } of trucks)
    for (const { at } of truth.stops(id, NOW - 28 * DAY, NOW)) if (at.location?.includes("Depot")) towns.set(at.town, at);
  for (let hours = 0; hours < 24 * 14; hours += 5) {
    call.setClock(NOW - 14 * DAY + hours * HOUR);
    for (const { latitude = 0, longitude = 0, city, country = "", formattedAddress = "" } of (await call.live()) as LivePosition[]) {
      seen.add(city === undefined ? "road" : "town");
      expect(formattedAddress).toContain(country);
      expect(formattedAddress).not.toMatch(/undefined|, ,/);
      const town = towns.get(city);
      if (!town) continue;
      const km = Math.hypot(latitude - town.latitude, (longitude - town.longitude) * Math.cos((latitude * Math.PI) / 180)) * 111.2;
      expect([city, km < 18]).toEqual([city, true]);
    }
  }
  expect([...seen].sort()).toEqual(["road", "town"]);
  call.setClock(NOW);
});

describe("chosen S49: drivers", () => {
  test("of a team are in slots 1 and 2, and rest together", () => {
    const team = facts.find(({ kind }) => kind === "team");
    const crew = facts
      .filter(({ kind, start }) => kind === "team" && start === team?.start)
      .map(({ driverId }) => byDriver.get(driverId) ?? []);
    expect(crew).toHaveLength(2);
    const [first = [], second = []] = crew;
    for (const drive of first.filter(({ activity, startTime = "" }) => activity === "DRIVING" && Date.parse(startTime) > FROM)) {
      expect(drive.driverCardSlot).toBe(1);
      const beside = second.find(
        ({ startTime = "", endTime = "9" }) => startTime <= (drive.startTime ?? "") && endTime > (drive.startTime ?? ""),
      );
      const at = Date.parse(drive.startTime ?? "");
      if (facts.some(({ kind, start, end }) => kind === "unrecorded" && start <= at && end > at)) continue;
      expect(beside).toMatchObject({ driverCardSlot: 2, activity: "AVAILABILITY", assetId: drive.assetId });
    }
  });

  test("change vehicles for a week", () => {
    const swap = facts.find(({ kind }) => kind === "swap");
    const used = new Set((byDriver.get(swap?.driverId ?? "") ?? []).map(({ assetId }) => assetId));
    expect(used.size).toBe(2);
    expect(used).toContain(swap?.vehicleId);
  });
});

test("chosen S50: a few activities are missing or there twice, and the truth lists them", () => {
  const lists = [...byDriver.entries()].map(([driverId, all]) => ({
    driverId,
    all: all.filter(({ startTime = "" }) => Date.parse(startTime) > FROM),
  }));
  const known = (kind: PlantedFact["kind"], driverId: string, at: number) =>
    facts.some((fact) => fact.kind === kind && fact.driverId === driverId && fact.start === at);
  let odd = 0;
  for (const { driverId, all } of lists)
    for (const [at, { startTime = "" }] of all.entries()) {
      const { startTime: before = "", endTime: end = "" } = all[at - 1] ?? {};
      if (end === "" || end === startTime) continue;
      odd++;
      const isTwice = startTime < end || startTime === before;
      const isKnown = isTwice
        ? known("recordedTwice", driverId, Date.parse(startTime))
        : known("unrecorded", driverId, Date.parse(end)) || known("recordedTwice", driverId, Date.parse(before));
      expect([driverId, startTime, isKnown]).toEqual([driverId, startTime, true]);
    }
  const listed = facts.filter(({ kind }) => kind === "unrecorded" || kind === "recordedTwice").length;
  expect(odd).toBeGreaterThanOrEqual(listed - 2);
  expect(odd).toBeGreaterThan(4);
  expect(odd).toBeLessThan(lists.reduce((sum, { all }) => sum + all.length, 0) / 100);
});

describe("chosen S49: the truth", () => {
  test("agrees with live positions and activities", async () => {
    for (let hours = 0; hours < 120; hours += 7) {
      const at = NOW - 14 * DAY + hours * HOUR;
      call.setClock(at);
      for (const record of (await call.live()) as LivePosition[]) {
        if (record.assetType === "TRAILER") continue;
        const reported = truth.at(record.assetId ?? "", Date.parse(record.date ?? ""));
        expect(reported.odometerKm).toBeCloseTo(record.odometer ?? -1, 2);
        expect(reported.latitude).toBeCloseTo(record.latitude ?? 0, 2);
        expect([record.assetName, reported.driverId, reported.isPrivate]).toEqual([record.assetName, record.driverId, record.privacy]);
      }
    }
    call.setClock(NOW);
    for (const { id } of trucks.slice(0, 8)) {
      const drives = [...byDriver.values()].flat().filter(({ assetId, activity }) => assetId === id && activity === "DRIVING");
      const trips = truth.trips(id, NOW - 14 * DAY, NOW - 7 * DAY);
      for (const { start, km } of trips) {
        const drive = drives.find(({ startTime }) => startTime === `${iso(start)}Z`);
        const isUnrecorded = facts.some(
          (fact) => fact.kind === "unrecorded" && fact.vehicleId === id && start >= fact.start && start < fact.end,
        );
        if (!isUnrecorded) expect(drive?.distance).toBeCloseTo(km, 0);
      }
      expect(trips.reduce((sum, { km }) => sum + km, 0)).toBeCloseTo(truth.km(id, NOW - 14 * DAY, NOW - 7 * DAY), -2);
    }
  });

  test("obeys physics", () => tryRandomPolls(2, { rhythm: "week" }), 120_000);
});
