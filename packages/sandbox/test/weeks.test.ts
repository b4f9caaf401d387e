import type { LivePosition, TachoActivity, VehicleFaultsPage } from "@fleetwire/core";
import type { Infringement, Rule } from "@fleetwire/driving-time";
import { beforeAll, describe, expect, test } from "vitest";
import { broken } from "./laws.ts";
import { callSandbox } from "./sandbox-caller.ts";
import { type PlantedFact, truthOf } from "./truth.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday, with eight weeks of planted facts before it. */
const NOW = Date.UTC(2026, 10, 23);
const FROM = NOW - 8 * 7 * DAY;
const iso = (at: number) => new Date(at).toISOString().slice(0, 19);
const call = callSandbox({ rhythm: "week" });
call.setClock(NOW);
const truth = truthOf(1, 50);
const facts = truth.facts(FROM, NOW);
const trucks = truth.vehicles().filter(({ hasTachograph }) => hasTachograph);
/** Whether a record is of an instant, although the clock of a tachograph may be ahead. */
const isSoonAfter = (recorded: number, at: number) => recorded >= at && recorded <= at + 45_000;
const isFact = (fits: (fact: PlantedFact) => boolean) => facts.some(fits);

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

const rulesOf = ({ rule, also = [] }: Infringement): Rule[] => [rule, ...also];
const byDriver = new Map<string, TachoActivity[]>();
const judged = new Map<string, Infringement[]>();
const of = (driverId: string) => judged.get(driverId) ?? [];

beforeAll(async () => {
  for (let at = FROM - 18 * 7 * DAY; at < NOW; at += 28 * DAY) {
    const { body } = await call.tacho({ startTime: iso(at), endTime: iso(Math.min(NOW, at + 28 * DAY)), limit: 1000 });
    for (const { driverId = "", activities = [] } of body.data) {
      const known = byDriver.get(driverId) ?? [];
      const latest = known.at(-1);
      const isNew = (one: TachoActivity) => one.startTime !== latest?.startTime || one.endTime !== latest?.endTime;
      byDriver.set(driverId, [...known, ...activities.filter(isNew)]);
    }
  }
  for (const [driverId, list] of byDriver) judged.set(driverId, broken(list, FROM, NOW));
}, 120_000);

describe("what is planted breaks rules", () => {
  test("of every kind, which the driver's activities show at that time", () => {
    const kinds = new Set(truth.facts(NOW - 54 * 7 * DAY, NOW).map(({ kind }) => kind));
    for (const kind of Object.keys(BROKEN)) expect(kinds).toContain(kind);
    // The limits of a fortnight, and the time for compensation, may lie after now.
    for (const { kind, driverId, start, end } of facts.filter((fact) => fact.end <= NOW - 28 * DAY)) {
      const shown = of(driverId).filter((one) => one.start < end + DAY && one.end > start - DAY);
      expect([kind, shown.flatMap(rulesOf)]).toEqual([kind, expect.arrayContaining(BROKEN[kind] ?? [])]);
    }
  });

  test("and nobody else breaks any for certain", () => {
    const planted = new Set(truth.facts(FROM - 14 * DAY, NOW).flatMap(({ kind, driverId }) => (BROKEN[kind] ? driverId : [])));
    const lawful = [...byDriver.keys()].filter((driverId) => !planted.has(driverId));
    expect(lawful.length).toBeGreaterThan(3);
    for (const id of lawful) expect([id, ...of(id).filter(({ certainty }) => certainty === "certain")]).toEqual([id]);
  });
});

describe("weeks are like those of a fleet", () => {
  test("with quiet Sundays, and plausible distances for one driver, on other tours each day", () => {
    const teams = new Set(facts.flatMap(({ kind, vehicleId }) => (kind === "team" ? vehicleId : [])));
    const kmOn = (weekday: number) =>
      trucks.reduce((sum, { id }) => {
        for (let day = FROM + weekday * DAY; day < NOW; day += 7 * DAY) sum += truth.km(id, day, day + DAY);
        return sum;
      }, 0);
    expect(kmOn(6)).toBeGreaterThan(0);
    expect(kmOn(6)).toBeLessThan(kmOn(1) / 10);
    const days: number[] = [];
    for (const { id } of trucks.filter((truck) => !teams.has(truck.id))) {
      const tours: string[] = [];
      for (let day = NOW - 28 * DAY; day < NOW; day += DAY) {
        const trips = truth.trips(id, day, day + DAY).filter(({ start }) => start >= day);
        if (trips.length === 0) continue;
        days.push(trips.reduce((sum, { km }) => sum + km, 0));
        tours.push(trips.map(({ start, end }) => end - start).join());
      }
      expect([id, new Set(tours).size >= tours.length * 0.9]).toEqual([id, true]);
    }
    const median = days.toSorted((one, other) => one - other)[days.length >> 1] ?? 0;
    expect(median > 400 && median < 600, `${median} km`).toBe(true);
  });

  test("with nights away from home, and private journeys with a tachograph", () => {
    const [monday, tuesday] = [NOW - 14 * DAY, NOW - 13 * DAY];
    const nights = trucks.map(({ id }) => truth.stops(id, tuesday, tuesday + HOUR)[0]);
    expect(
      nights.filter((stop) => stop && !stop.at.location?.includes("Depot") && stop.end - stop.start > 9 * HOUR).length,
    ).toBeGreaterThan(2);
    expect(trucks.some(({ id }) => truth.trips(id, monday, tuesday).some(({ isPrivate }) => isPrivate))).toBe(true);
  });

  test("with electric vehicles at different levels, and nobody on the road for days with a red stop lamp", async () => {
    const levels = ((await call.live()) as LivePosition[]).flatMap((record) => record.electricBatteryLevelPercent ?? []);
    expect(new Set(levels).size).toBeGreaterThan(levels.length * 0.8);
    const { items = [] }: VehicleFaultsPage = (await call.faults({ startDate: iso(NOW - 300 * DAY), endDate: iso(NOW), pageSize: "500" }))
      .body;
    const all = items.flatMap(({ id = "", faults = [] }) => faults.map((fault) => ({ ...fault, id })));
    const red = all.filter(({ details }) => details?.lamps?.includes("RED_STOP"));
    expect(red.length).toBeGreaterThan(0);
    for (const { id, startDate = "", endDate = iso(NOW) } of red) {
      const late = Date.parse(startDate) + 6 * HOUR;
      expect([id, ...truth.trips(id, late, Math.max(late, Date.parse(endDate))).filter(({ start }) => start > late)]).toEqual([id]);
    }
  });

  test("with two drivers in slots 1 and 2 who rest together", () => {
    const { start: begin } = facts.find(({ kind }) => kind === "team") ?? {};
    const crew = facts.flatMap(({ kind, start, driverId }) => (kind === "team" && start === begin ? [byDriver.get(driverId) ?? []] : []));
    expect(crew).toHaveLength(2);
    const [first = [], second = []] = crew;
    for (const { activity, startTime = "", driverCardSlot, assetId } of first) {
      const at = Date.parse(startTime);
      if (activity !== "DRIVING" || at <= FROM || isFact(({ kind, start, end }) => kind === "unrecorded" && start <= at && end > at))
        continue;
      const beside = second.find((one) => (one.startTime ?? "") <= startTime && (one.endTime ?? "9") > startTime);
      expect([driverCardSlot, beside]).toMatchObject([1, { driverCardSlot: 2, activity: "AVAILABILITY", assetId }]);
    }
  });

  test("with addresses, towns and postcodes as in life, which agree with the truth", async () => {
    const [postCodes, vans] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
    const add = (sets: Map<string, Set<string>>, key = "", value = "") => sets.set(key, (sets.get(key) ?? new Set()).add(value));
    const sites = trucks.flatMap(({ id }) => truth.stops(id, NOW - 28 * DAY, NOW)).filter(({ at }) => at.location?.includes("Depot"));
    const towns = new Map<string | undefined, (typeof sites)[number]["at"]>(sites.map(({ at }) => [at.town, at]));
    let [inTowns, away] = [0, 0];
    for (let now = NOW - 14 * DAY; now < NOW; now += 5 * HOUR) {
      call.setClock(now);
      for (const record of (await call.live()) as LivePosition[]) {
        const { assetId = "", assetType, latitude = 0, longitude = 0, city, country = "", formattedAddress = "" } = record;
        if (city === undefined) away++;
        else inTowns++;
        expect(formattedAddress).toContain(country);
        expect(formattedAddress).not.toMatch(/undefined|, ,/);
        const town = towns.get(city);
        const east = (longitude - (town?.longitude ?? 0)) * Math.cos((latitude * Math.PI) / 180);
        if (town) expect([city, Math.hypot(latitude - town.latitude, east) * 111.2 < 18]).toEqual([city, true]);
        if (city) add(postCodes, city, record.postCode);
        if (city && assetType === "VAN") add(vans, assetId, city);
        if (assetType === "TRAILER") continue;
        const { odometerKm, driverId, isPrivate, ...at } = truth.at(assetId, Date.parse(record.date ?? ""));
        expect([driverId, isPrivate]).toEqual([record.driverId, record.privacy]);
        expect(at.latitude).toBeCloseTo(latitude, 2);
        expect(odometerKm).toBeCloseTo(record.odometer ?? -1, 2);
      }
    }
    call.setClock(NOW);
    expect([inTowns > 0, away > 0]).toEqual([true, true]);
    const share = (sets: Map<string, Set<string>>) => [...sets.values()].filter(({ size }) => size > 1).length / sets.size;
    expect(share(postCodes)).toBeGreaterThan(0.4);
    expect(share(vans)).toBeGreaterThan(0.6);
  });

  test("with 100,000 to 130,000 km a year for most trucks, whose drives are as long as their trips, and recorded at their times, or by clocks that are ahead", () => {
    const km = trucks.map(({ id }) => truth.km(id, NOW - 364 * DAY, NOW)).toSorted((one, other) => one - other);
    const at = (share: number) => Math.round((km[Math.floor(share * km.length)] ?? 0) / 1000);
    expect(at(0.25)).toBeGreaterThan(75);
    expect([at(0.5) > 100, at(0.5) < 130]).toEqual([true, true]);
    expect(at(0.999)).toBeLessThan(175);
    const drives = [...byDriver.values()].flat().filter(({ activity }) => activity === "DRIVING");
    const ahead = new Map<string, Set<number>>();
    for (const { id } of trucks)
      for (const trip of truth.trips(id, NOW - 14 * DAY, NOW - 7 * DAY)) {
        const drive = drives.find(({ assetId, startTime = "" }) => assetId === id && isSoonAfter(Date.parse(startTime), trip.start));
        const isUnrecorded = isFact(
          ({ kind, vehicleId, start, end }) => kind === "unrecorded" && vehicleId === id && start <= trip.start && trip.start < end,
        );
        if (isUnrecorded) continue;
        expect(drive?.distance).toBeCloseTo(trip.km, 0);
        ahead.set(id, (ahead.get(id) ?? new Set()).add(Date.parse(drive?.startTime ?? "") - trip.start));
      }
    const clocks = [...ahead.values()].map((all) => [...all]);
    expect(clocks.every((all) => all.length === 1)).toBe(true);
    expect(clocks.filter(([ms = 0]) => ms > 0).length).toBeGreaterThan(0);
  });
});

test("a larger fleet has a few namesakes", async () => {
  const live: LivePosition[] = await callSandbox({ rhythm: "week", vehicles: 200 }).live();
  const names = new Map(live.map(({ driverId, driverName }) => [driverId, driverName]));
  const namesakes = names.size - new Set(names.values()).size;
  expect(namesakes > 1 && namesakes < names.size / 20, `${namesakes} of ${names.size}`).toBe(true);
});

describe("an analyst finds plausible activities", () => {
  /** Lengths in ms; driving is added up from one full break to the next. */
  const seen = { driving: [] as number[], breaks: [] as number[], rests: [] as number[] };
  let [gaps, overlaps, all] = [0, 0, 0];

  beforeAll(() => {
    for (const [driverId, activities] of byDriver) {
      let [drivenMs, previousEnd] = [0, Number.NaN];
      for (const { activity, startTime = "", endTime } of activities) {
        if (endTime === undefined) break;
        const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
        const ms = end - start;
        all++;
        if (start > previousEnd) gaps++;
        if (start < previousEnd) overlaps++;
        else if (activity === "DRIVING") drivenMs += ms;
        if (start > FROM && start !== previousEnd) {
          const isListed = isFact((fact) => fact.driverId === driverId && [start, previousEnd].some((at) => isSoonAfter(at, fact.start)));
          if (!isListed) expect([driverId, startTime, isListed]).toEqual([driverId, startTime, true]);
        }
        previousEnd = end;
        if (activity !== "REST") continue;
        (ms < 3 * HOUR ? seen.breaks : seen.rests).push(ms);
        if (ms >= 45 * MINUTE && drivenMs > 0) seen.driving.push(drivenMs);
        if (ms >= 45 * MINUTE) drivenMs = 0;
      }
    }
  });

  test.each<[string, keyof typeof seen, from: number, to: number, least: number, most: number]>([
    ["driving without a break, at most four and a half hours", "driving", 4.25 * HOUR, 4.5 * HOUR, 10, 900],
    ["driving without a break, narrowly too long", "driving", 4.5 * HOUR + 1, 5.5 * HOUR, 1, 30],
    ["breaks that are narrowly too short", "breaks", 40 * MINUTE, 45 * MINUTE, 2, 60],
    ["breaks that are just long enough", "breaks", 45 * MINUTE, 46 * MINUTE, 25, 900],
    ["daily rests of less than nine hours", "rests", 8 * HOUR, 9 * HOUR, 2, 60],
    ["daily rests of just nine hours", "rests", 9 * HOUR, 9.5 * HOUR, 1, 60],
    ["daily rests of nearly eleven hours", "rests", 10.5 * HOUR, 11 * HOUR, 2, 150],
    ["daily rests of just eleven hours", "rests", 11 * HOUR, 11.5 * HOUR, 2, 150],
    ["days off of a week or more", "rests", 6 * DAY, 30 * DAY, 10, 300],
  ])("%s", (_, kind, from, to, least, most) => {
    const count = seen[kind].filter((ms) => ms >= from && ms < to).length;
    expect(count > least && count < most, `${count}`).toBe(true);
  });

  test("short breaks and rests are of all lengths, and under one activity in a hundred is missing or there twice", () => {
    for (const short of [seen.breaks.filter((ms) => ms < 45 * MINUTE), seen.rests.filter((ms) => ms > 6 * HOUR && ms < 9 * HOUR)])
      expect(new Set(short).size).toBeGreaterThan(short.length * 0.6);
    for (const count of [gaps, overlaps]) expect(count > all / 5000 && count < all / 100, `${count} of ${all}`).toBe(true);
  });
});
