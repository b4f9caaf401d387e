import { operations, type TachoActivity, type TachoDriver } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { TimeSlices } from "../runtime/time-slices.ts";
import { pluralize } from "../text/pluralize.ts";
import type { Span } from "../text/read-period.ts";
import { KNOWN_UNTIL, type TachoRecord, wordsOf } from "./activity-words.ts";
import type { Driver } from "./entities.ts";
import type { FleetContext } from "./fleet-context.ts";
import { ifReadable, readFleet } from "./fleet-reader.ts";
import { isSettled, liveSigns, unendedIn, withKnownEnds } from "./last-signs.ts";

const DRIVER_KEYS = operations.queryTachoActivity.body?.["driverKeys"];

/** What limits the entries to read. */
export interface TachoFilter {
  driverKeys?: string[];
  registrations?: string[];
}

// The default and maximum page sizes are undocumented. If the service returns smaller pages, more requests are needed.
const PAGE_SIZE = { min: 10, max: 200 };
/** Reading a page of so many drivers' days takes no longer than a server may be blocked. */
const PAGE_DAYS = 280;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Longer periods are split: the interface states no maximum, but services are likely to have one. */
const LONGEST = 31 * DAY;

const pageSize = ({ start, end }: Span) =>
  Math.max(PAGE_SIZE.min, Math.min(PAGE_SIZE.max, Math.floor(PAGE_DAYS / Math.max(1, (end - start) / DAY))));

/** Formats an instant for the service: UTC, to the second, without a suffix. */
const wire = (instant: number) => new Date(instant).toISOString().slice(0, 19);

/** Returns the entries of all matching drivers in a period from all pages. A driver may occur on several pages. */
async function tachoEntries(
  { start, end }: Span,
  filter: TachoFilter,
  { fleet, callOptions, progress }: FleetContext,
): Promise<TachoDriver[]> {
  const starts = Array.from({ length: Math.max(1, Math.ceil((end - start) / LONGEST)) }, (_, at) => start + at * LONGEST);
  const byPeriod: TachoDriver[][] = [];
  let read = 0;
  for (const from of starts) {
    const period = { start: from, end: Math.min(end, from + LONGEST) };
    const request = { startTime: wire(period.start), endTime: wire(period.end), ...filter, limit: pageSize(period) };
    const entries: TachoDriver[] = [];
    byPeriod.push(entries);
    for await (const { count, data } of fleet.queryTachoActivity.pages(request, callOptions)) {
      entries.push(...data);
      read += data.length;
      const all = count * starts.length;
      progress(read, all, `${read} of ${pluralize(all, ["driver entry", "driver entries"])}`);
    }
  }
  return byPeriod.length === 1 ? (byPeriod[0] ?? []) : withoutRepeated(byPeriod);
}

/** Removes the activities that several of these periods contain, because they last from one into the next. */
async function withoutRepeated(byPeriod: readonly TachoDriver[][]): Promise<TachoDriver[]> {
  const seen = new Map<string, readonly TachoDriver[]>();
  const kept: TachoDriver[] = [];
  const slices = new TimeSlices();
  for (const entries of byPeriod)
    for (const entry of entries) {
      const activities: TachoActivity[] = [];
      await slices.each(entry.activities ?? [], (one) => {
        const key = `${entry.driverId}\n${entry.driverKey}\n${one.assetId}\n${one.startTime}\n${one.endTime}\n${one.activity}`;
        // What one period contains twice was recorded twice.
        if ((seen.get(key) ?? entries) !== entries) return;
        seen.set(key, entries);
        activities.push(one);
      });
      kept.push({ ...entry, ...(entry.activities && { activities }) });
    }
  return kept;
}

/** The part of a driver key that stays when a card is renewed; the issue number follows (interface 4.5). */
const CARD_LENGTH = 14;

const cardOf = (driverKey: string): string => driverKey.slice(0, CARD_LENGTH);

/**
 * Joins the entries of each driver, which may be spread over several pages, vehicles and cards. Entries with different ids are never joined; those without id and
 * key cannot be told apart.
 */
async function recordsByDriver(entries: readonly TachoDriver[]): Promise<TachoRecord[]> {
  const idsByCard = new Map<string, Set<string>>();
  for (const { driverId, driverKey } of entries) {
    if (driverId === undefined || driverKey === undefined) continue;
    const ids = idsByCard.get(cardOf(driverKey)) ?? new Set();
    idsByCard.set(cardOf(driverKey), ids.add(driverId));
  }
  const nameOf = ({ driverId, driverKey }: TachoDriver) => {
    if (driverId !== undefined) return `id ${driverId}`;
    const [id, ...others] = idsByCard.get(cardOf(driverKey ?? "")) ?? [];
    return id !== undefined && others.length === 0 ? `id ${id}` : `card ${cardOf(driverKey ?? "")}`;
  };
  const byDriver = new Map<string, TachoDriver[]>();
  for (const entry of entries) {
    const joined = byDriver.get(nameOf(entry));
    if (joined) joined.push(entry);
    else byDriver.set(nameOf(entry), [entry]);
  }
  const records: TachoRecord[] = [];
  const slices = new TimeSlices();
  for (const joined of byDriver.values()) {
    if (slices.isOver) await slices.next();
    const driverKeys = [...new Set(joined.flatMap(({ driverKey }) => driverKey ?? []))];
    const lacksKey = joined.some(({ driverKey }) => driverKey === undefined);
    const isOneCard = driverKeys.length === 1 && !lacksKey;
    records.push({
      driverId: joined.find(({ driverId }) => driverId !== undefined)?.driverId,
      driverKey: driverKeys[0],
      driverKeys,
      lacksKey,
      activities: joined.flatMap(({ activities = [], driverKey }) =>
        driverKey === undefined || isOneCard ? activities : activities.map((activity) => ({ ...activity, driverKey })),
      ),
    });
  }
  return records;
}

/** Whose entries to read. */
export interface WantedDrivers {
  drivers: readonly Driver[];
  /** Whether drivers are wanted for what they drove; undefined if neither they nor their vehicles are known. */
  drove?: ((record: TachoRecord) => boolean | undefined) | undefined;
  /** What to throw if nothing is recorded of a driver: the id may be a misspelt name. */
  unrecorded?: ReadonlyMap<Driver, Error> | undefined;
}

export interface FoundDrivers {
  records: TachoRecord[];
  /** The number of drivers of whom nothing says whether they are wanted. */
  unplaced: number;
}

/** With more drivers than this, everyone's entries are read, because a request that names them all would be very long. */
const MAX_NAMED = 100;

/** Returns a function that says whether a record is of one of these drivers, by id, by driver key or by card. */
function isOf(drivers: readonly Pick<TachoRecord, "driverId" | "driverKeys">[]): (record: TachoRecord) => boolean {
  const ids = new Set(drivers.flatMap(({ driverId }) => driverId ?? []));
  const cardsOf = (some: typeof drivers) => new Set(some.flatMap(({ driverKeys }) => driverKeys).map(cardOf));
  const cards = cardsOf(drivers);
  // A card tells less than an id, unless it is all that is known.
  const only = cardsOf(drivers.filter(({ driverId = "", driverKeys }) => driverId === "" || driverKeys.includes(driverId)));
  return ({ driverId, driverKeys }) =>
    ids.has(driverId ?? "") || driverKeys.some((key) => ids.has(key) || (driverId === undefined ? cards : only).has(cardOf(key)));
}

/** An id may be a driver key, since results show it if there is no id. */
const keysOf = ({ driverId }: Driver) => (DRIVER_KEYS?.safeParse([driverId]).success ? [driverId as string] : []);

export const isOfDrivers = (drivers: readonly Driver[]) =>
  isOf(drivers.map((driver) => ({ driverId: driver.driverId, driverKeys: keysOf(driver) })));

/** Returns a function that says whether one of the records is of a driver. */
export function hasRecordIn(records: readonly TachoRecord[]): (driver: Driver) => boolean {
  const ids = new Set(records.flatMap(({ driverId, driverKeys }) => [driverId, ...driverKeys]));
  const cards = new Set(records.flatMap(({ driverKeys }) => driverKeys).map(cardOf));
  return (driver) => driver.driverId !== undefined && (ids.has(driver.driverId) || keysOf(driver).some((key) => cards.has(cardOf(key))));
}

/** Returns the time in which other cards may have been used: from the first to the last time of which a record says nothing. */
function unrecordedTime(records: readonly TachoRecord[], { start: from, end }: Span, now: number): Span | undefined {
  const until = Math.min(end, now);
  const gaps = records.flatMap(({ activities }) => {
    const spans = activities.map(
      (one) => [parseDateTime(one.startTime), one[KNOWN_UNTIL] ?? (one.inProgress ? now : parseDateTime(one.endTime))] as const,
    );
    const ended = [...spans, [until, until] as const].sort(([a = from], [b = from]) => a - b);
    let reached = from;
    return ended.flatMap(([start = reached, end = reached]) => {
      const gap = Math.min(start, until) - reached > MINUTE ? [[reached, Math.min(start, until)] as const] : [];
      reached = Math.max(reached, end);
      return gap;
    });
  });
  if (gaps.length === 0) return undefined;
  return { start: Math.min(...gaps.map(([start]) => start)), end: Math.max(...gaps.map(([, end]) => end)) };
}

/**
 * Closes the activities that nobody ended where nothing shows that they went on: with live positions and, if these do not tell, with what everyone did in these
 * vehicles since.
 */
async function withEnds(records: readonly TachoRecord[], isComplete: boolean, context: FleetContext): Promise<TachoRecord[]> {
  const [now, words] = [context.now(), wordsOf(context.settings)];
  const unended = await unendedIn(records, words, now);
  if (unended.length === 0) return [...records];
  const signOf = await liveSigns(await ifReadable(() => readFleet(context)), now);
  const open = isComplete ? [] : unended.filter((one) => !isSettled(one, signOf(one), now));
  const registrations = [...new Set(open.flatMap(({ activity }) => activity.assetRegistration || []))];
  const since = { start: Math.min(now, ...open.map(({ read }) => read.start)), end: Math.ceil(now / MINUTE) * MINUTE };
  const filter = registrations.length > MAX_NAMED ? {} : { registrations };
  const others = registrations.length === 0 ? [] : await recordsByDriver(await tachoEntries(since, filter, context));
  return withKnownEnds(records, unended, [...records, ...others], signOf, words, now);
}

/**
 * Returns what is recorded of some drivers, as {@link readRecords} does, or throws if one may not exist. Without `wanted`, returns what is recorded of everyone, or
 * of what the filter limits it to.
 */
export async function recordsOf(
  wanted: WantedDrivers | undefined,
  period: Span,
  context: FleetContext,
  { search = period, filter = {} }: { search?: Span; filter?: TachoFilter } = {},
): Promise<FoundDrivers> {
  if (!wanted) {
    const everyone = await recordsByDriver(await tachoEntries(period, filter, context));
    return { records: await withEnds(everyone, period.end >= context.now() && Object.keys(filter).length === 0, context), unplaced: 0 };
  }
  // Only who is in a vehicle is likely to have driven lately.
  const isUnnamed = wanted.drivers.some(({ vehicles }) => vehicles.length === 0);
  const found = await readRecords(wanted, period, isUnnamed ? period : search, context);
  const hasRecord = hasRecordIn(found.records);
  for (const [driver, error] of wanted.unrecorded ?? []) if (!hasRecord(driver)) throw error;
  return { ...found, records: await withEnds(found.records, false, context) };
}

/**
 * Returns what is recorded of some drivers, on all their cards. Live positions have no driver keys, so these are read from the entries of the drivers' current
 * vehicles and, for drivers who are not found there or who are wanted for what they drove, from everyone's entries in `search`.
 */
async function readRecords(wanted: WantedDrivers, period: Span, search: Span, context: FleetContext): Promise<FoundDrivers> {
  const { drivers, drove } = wanted;
  const ids = new Set(drivers.flatMap(({ driverId }) => driverId ?? []));
  if (ids.size === 0 && !drove) return { records: [], unplaced: 0 };
  const isNamed = isOfDrivers(drivers);
  const isWanted = (record: TachoRecord) => isNamed(record) || (drove ? drove(record) : false);
  const everyone = async (when: Span) => recordsByDriver(await tachoEntries(when, {}, context));

  const vehicles = ids.size > MAX_NAMED ? [] : drivers.flatMap((driver) => driver.vehicles);
  const registrations = [...new Set(vehicles.flatMap(({ assetRegistration }) => assetRegistration || []))];
  const near = registrations.length === 0 ? [] : await tachoEntries(period, { registrations }, context);
  const found = (await recordsByDriver(near)).filter(isNamed);
  const isSearched = drove !== undefined || found.length < ids.size;
  const all = isSearched ? await everyone(ids.size > MAX_NAMED ? period : search) : [];
  const unplaced = all.filter((record) => isWanted(record) === undefined).length;
  const others = all.filter(isWanted);
  if (isSearched && (search === period || ids.size > MAX_NAMED)) return { records: others, unplaced };

  const theirs = [...found, ...others];
  if (theirs.length === 0) return { records: [], unplaced };
  const isTheirs = isOf(theirs);
  const keys = new Set(theirs.flatMap(({ driverKeys }) => driverKeys));
  const areUsable = keys.size <= MAX_NAMED && hasUsableKeys(theirs);
  if (!areUsable) return { records: (await everyone(period)).filter(isTheirs), unplaced };
  const own = await tachoEntries(period, { driverKeys: [...keys] }, context);
  const gap = unrecordedTime(await withEnds(await recordsByDriver(own), true, context), period, context.now());
  const onOtherCards = gap
    ? (await tachoEntries(gap, {}, context)).filter(({ driverKey }) => driverKey === undefined || !keys.has(driverKey))
    : [];
  return { records: (await recordsByDriver([...own, ...onOtherCards])).filter(isTheirs), unplaced };
}

/** Whether the service accepts the driver keys as a filter: a key may be missing or malformed. */
const hasUsableKeys = (records: readonly TachoRecord[]): boolean =>
  records.every(({ driverKeys, lacksKey }) => !lacksKey && DRIVER_KEYS?.safeParse(driverKeys).success);
