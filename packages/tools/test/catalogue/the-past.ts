import { faultPages, type ServedFleet, servedFleet } from "../served-fleet.ts";

export const PLACES: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  lyon: [45.7578, 4.832],
  nearlyon: [45.7601, 4.8344],
  vienne: [45.5255, 4.8748],
  park: [45.65, 4.85],
  paris: [48.8566, 2.3522],
  hamburg: [53.55, 9.99],
  bremen: [53.08, 8.8],
};

const WORDS = new Map([
  ["drive", "DRIVING"],
  ["rest", "REST"],
  ["work", "WORK"],
  ["wait", "AVAILABILITY"],
]);

interface Activity {
  assetId?: string;
  assetRegistration?: string;
  activity: string;
  startTime: string;
  endTime?: string;
  inProgress?: boolean;
  distance?: number;
  driverCardSlot?: number;
}

/** "08:00" on 19 November 2026, "18T08:00" in that November, "10-25T08:00" in that year; in UTC, with seconds if need be. */
const instant = (text: string) => {
  const [time = "", date = "11-19"] = text.split("T").reverse();
  return `2026-${date.includes("-") ? "" : "11-"}${date}T${time}${time.length > 5 ? "" : ":00"}Z`;
};

/**
 * Activities of a driver, as "drive 08:00-10:04 lyon>vienne 135km v2 slot1; rest 10:04-": word, times (without an end, in progress), place or places,
 * distance, vehicle (v1 unless named, "v-" for none), slot of the card, and START or END of a shift.
 */
export const did = (text: string): Activity[] =>
  text.split(/; ?/).map((one) => {
    const [word = "", span = "", ...more] = one.trim().split(" ");
    const [start = "", end = ""] = span.split(/(?<=:\d\d)-/);
    const [from = "", to = from] = more.find((part) => /^[a-z]{3,}(>|$)/.test(part))?.split(">") ?? [];
    const vehicle = more.find((part) => /^v[\d-]$/.test(part)) ?? "v1";
    const distance = more.find((part) => part.endsWith("km"));
    const slot = more.find((part) => part.startsWith("slot"));
    const [[startLatitude, startLongitude], [endLatitude, endLongitude]] = [PLACES[from] ?? [], (end && PLACES[to]) || []] as const;
    return {
      ...(vehicle !== "v-" && { assetId: vehicle, assetRegistration: `REG ${vehicle}` }),
      ...{ activity: WORDS.get(word) ?? word, startTime: instant(start), ...(end ? { endTime: instant(end) } : { inProgress: true }) },
      ...{ startLatitude, startLongitude, endLatitude, endLongitude },
      ...(distance && { distance: Number.parseFloat(distance) }),
      ...(more.includes("START") && { isStartOfShift: true }),
      ...(more.includes("END") && { isEndOfShift: true }),
      ...(slot && { driverCardSlot: Number(slot.slice(4)) }),
    };
  });

export interface Entry {
  driverId?: string | undefined;
  driverKey?: string | undefined;
  activities: object[];
}

export const entry = (driverId: string, ...activities: object[]): Entry => ({
  ...{ driverId, driverKey: `DRIVERCARD0${driverId}00`, activities },
});

/** Entries as "p1: drive 08:00-10:04; rest 10:04-12:00". */
const read = (given: Entry | string): Entry => {
  if (typeof given !== "string") return given;
  const [driver = "", activities = ""] = given.split(/: (.*)/s);
  return entry(driver, ...did(activities));
};

export const vehicle = (id: string, more: object = {}) => ({
  ...{ assetId: id, assetName: `Truck ${id.slice(1)}`, assetRegistration: `REG ${id}`, date: "2026-11-20T08:30:00Z", ...more },
});

export const FLEET: readonly object[] = [vehicle("v1", { driverId: "p1", driverName: "Ann Lee" }), vehicle("v2")];

/** A service that filters entries and activities as documented. */
const filtering = (entries: readonly Entry[]) => ({
  queryTachoActivity: ({ body }: { body: Record<string, never> }) => {
    const { startTime, endTime, registrations, driverKeys, skip = 0, limit } = body as Record<string, never>;
    const isOf = (list: readonly string[] | undefined, one: string | undefined) => list?.includes(one ?? "") ?? true;
    const isIn = (one: Partial<Activity>) =>
      (one.startTime ?? "") < `${endTime}Z` && (one.endTime ?? "9") > `${startTime}Z` && isOf(registrations, one.assetRegistration);
    const data = entries
      .filter(({ driverKey }) => isOf(driverKeys, driverKey))
      .map((one) => ({ ...one, activities: one.activities.filter(isIn) }))
      .filter(({ activities }) => activities.length > 0);
    return { body: { count: data.length, data: limit === undefined ? data : data.slice(skip, skip + limit) } };
  },
});

interface Past {
  vehicles?: readonly object[] | undefined;
  env?: Record<string, string> | undefined;
  /** Whether its live positions cannot be read. */
  isUnseen?: boolean;
  faults?: readonly object[];
  now?: number | undefined;
  /** Sends all entries whatever is asked for, as some services do. */
  sendsAll?: boolean;
}

/** Tools for a fleet with this past. */
export function servePast(
  given: readonly (Entry | string)[],
  { vehicles = FLEET, env = {}, isUnseen = false, sendsAll = false, faults = [], now }: Past = {},
): Promise<ServedFleet> {
  const entries = given.map(read);
  const all = { queryTachoActivity: () => ({ body: { count: entries.length, data: entries } }) };
  return servedFleet({
    script: {
      ...(!isUnseen && { listLivePositions: () => ({ body: vehicles }) }),
      ...faultPages(faults),
      ...(sendsAll ? all : filtering(entries)),
    },
    env,
    options: now === undefined ? {} : { now: () => now },
  });
}

/** An instant as "08:00" on 19 November, otherwise as "11-18T08:00". */
export const clock = (time = "") => time.slice(5, 16).replace("11-19T", "");

/** A text in which coordinates are the names of places. */
export const named = (text: string) =>
  Object.entries(PLACES).reduce(
    (left, [name, [latitude, longitude]]) => left.replaceAll(`${latitude.toFixed(3)}, ${longitude.toFixed(3)}`, name),
    text,
  );

/** Rows of trips_and_stops as "trip 08:00-10:04, from > to, km, unrecorded, driver, remark", of what was asked for. */
export const rowsOf = (items: readonly Record<string, string>[]) =>
  items.map(({ kind, start, end, from, to, km, unrecorded, driver, remark }) => {
    const parts = [[from, to].filter(Boolean).join(" > "), km === undefined ? "" : `${km} km`, unrecorded && `unrecorded ${unrecorded}`];
    return named([`${kind} ${clock(start)}-${clock(end)}`, ...parts, driver, remark].filter(Boolean).join(", "));
  });

/** Cases as "# why", entries ("p1: …"), what is asked if it is not the usual ("? …"), rows separated by " | " ("= …") and what the note says ("+ …"). */
export const casesOf = (text: string) =>
  text
    .split(/^ *# /m)
    .slice(1)
    .map((one) => {
      const [why = "", ...lines] = one.trim().split(/\n */);
      const marked = (mark: string) => lines.find((line) => line.startsWith(mark))?.slice(2) ?? "";
      const rows = marked("= ");
      return {
        why,
        entries: lines.filter((line) => /^p\d: /.test(line)),
        asked: marked("? "),
        rows: rows ? rows.split(" | ") : [],
        note: marked("+ "),
      };
    });
