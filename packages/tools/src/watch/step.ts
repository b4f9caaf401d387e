import type { DrivingTime } from "@fleetwire/driving-time";
import { vehicleLabel } from "../fleet/entities.ts";
import type { Position } from "../fleet/position.ts";
import { townText } from "../places/towns.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";
import { safeValue } from "../text/visible-text.ts";
import { appliesAt, isCoolingDown } from "./active-hours.ts";
import { conditionOf, dwellOf, type Source } from "./conditions.ts";
import { idOf } from "./event-id.ts";
import { jobLabel, jobOf } from "./job-of.ts";
import { isLampCalled } from "./lamps.ts";
import { sidesAfter } from "./place-areas.ts";
import { type ResolvedRule, type RuleIndex, sourceOf } from "./rule-index.ts";
import type { Track } from "./tracks.ts";
import { MAX_AHEAD, statedDate } from "./watch-clock.ts";
import type { WatchEvent } from "./watch-event.ts";

const MINUTE = 60_000;
/** Two records further apart do not show that what they have in common lasted all the time. */
const MAX_GAP = 15 * MINUTE;
/** A fault that is missing for less is the same fault. */
const FAULT_GONE = 30 * MINUTE;
const LATE = 5 * MINUTE;
const MAX_FAULTS = 200;

/** A fault, from a live position or from the list of faults. */
export interface SeenFault {
  code: string;
  lamps: readonly string[];
}

/** A driver's hours, with what shows them. */
export interface SeenHours {
  driver: { id: string; name?: string | undefined };
  /** The vehicle that last reported the driver. */
  vehicle?: Position | undefined;
  time: DrivingTime;
  shown: Row;
}

/** What one poll has read. Only records that differ from those of the poll before need to be in it. */
export interface Observed {
  /** When the poll was answered. */
  now: number;
  /** Up to when the fleet is known to have sent what there was. */
  fleetNow: number;
  /** The same at the poll before. */
  fleetBefore: number;
  positions: Iterable<Position>;
  vehicleById: (id: string) => Position | undefined;
  faults?: Iterable<{ position: Position; faults: readonly SeenFault[] }> | undefined;
  hours?: Iterable<SeenHours> | undefined;
  jobs?: Iterable<Row> | undefined;
  timeZone?: string | undefined;
}

/** The tracks by rule and entity. */
export type WatchState = ReadonlyMap<string, Track>;

export interface Step {
  events: WatchEvent[];
  /** The tracks that differ. Those in `durable` matter after a restart; the others only differ in the date of the last record. */
  changed: Map<string, Track>;
  durable: Set<string>;
}

const SEPARATOR = "\n";

const trackKey = (rule: ResolvedRule, entity: string): string => `${rule.key}${SEPARATOR}${entity}`;

/** The rule's key and the entity of a track. */
export function trackOwner(key: string): readonly [rule: string, entity: string] {
  const at = key.indexOf(SEPARATOR);
  return [key.slice(0, at), key.slice(at + 1)];
}

/** A record of one entity. */
interface Sighting {
  entity: string;
  date: number;
  /** Without a date of its own, it is not known whether a vehicle still sends the same. */
  isUndated?: boolean;
  record: unknown;
  about: Pick<WatchEvent, "vehicle" | "driver" | "job">;
  label: string;
  isPrivate: boolean;
}

/** Whether only time has to pass until a track causes an event. */
export const isWaiting = ({ rule }: ResolvedRule, { isArmed, since }: Track): boolean =>
  isArmed && since !== undefined && dwellOf(rule) > 0 && !conditionOf(rule).isHeldByRecords;

/** Whether a track says the same after a restart. What the next record says anyway is left out. */
function isSameTrack({ rule }: ResolvedRule, a: Track, b: Track): boolean {
  const { restarts, isHeldByRecords } = conditionOf(rule);
  const isHeld = isHeldByRecords && a.since !== undefined;
  if (a.isArmed !== b.isArmed || a.toldAt !== b.toldAt || a.inside !== b.inside || a.codes !== b.codes) return false;
  return (restarts || a.since === b.since) && (!isHeld || a.date === b.date);
}

/** A track with dates of the future, which a clock that was wrong has left: what it says holds, but nothing of it is later than now. */
function corrected({ since, codes, toldAt, ...track }: Track, now: number): Track {
  const inPast = (at: number | undefined) => (at !== undefined && at > now ? undefined : at);
  const gone = codes && Object.fromEntries(Object.entries(codes).map(([code, at]) => [code, Math.min(at, now)]));
  return { ...track, date: 0, since: inPast(since), toldAt: inPast(toldAt), codes: gone };
}

const shownText = (text: string | undefined) => (text ? singleLine(text, 60) : undefined);

/** A record without a date, or with one that cannot be right, was made at the latest when the rest of the fleet sent its last. */
function sightingOf(position: Position, { now, fleetNow }: Observed): Sighting | undefined {
  const stated = statedDate(position);
  const date = stated === undefined || stated > now + MAX_AHEAD ? fleetNow : stated;
  const { assetId, assetName, assetRegistration, driverId, driverName } = position;
  if (!assetId) return undefined;
  const vehicle = { id: assetId, name: shownText(assetName), registration: shownText(assetRegistration) };
  const driver = driverId || driverName ? { id: driverId, name: shownText(driverName) } : undefined;
  const isPrivate = position.privacy === true;
  const about = { vehicle, ...(driver && !isPrivate && { driver }) };
  return { entity: assetId, date, isUndated: stated === undefined, record: position, about, label: vehicleLabel(position), isPrivate };
}

/** One poll: reads the tracks of a state, and returns what changes and what has happened. The same input has the same result. */
export class Stepper {
  readonly #index: RuleIndex;
  readonly #state: WatchState;
  readonly #observed: Observed;
  readonly #step: Step = { events: [], changed: new Map(), durable: new Set() };

  constructor(index: RuleIndex, state: WatchState, observed: Observed) {
    this.#index = index;
    this.#state = state;
    this.#observed = observed;
  }

  get result(): Step {
    return this.#step;
  }

  #track(key: string): Track | undefined {
    const track = this.#step.changed.get(key) ?? this.#state.get(key);
    return track && track.date > this.#observed.now + MAX_AHEAD ? corrected(track, this.#observed.now) : track;
  }

  #set(rule: ResolvedRule, key: string, track: Track, before: Track | undefined): void {
    this.#step.changed.set(key, track);
    if (!before || !isSameTrack(rule, track, before)) this.#step.durable.add(key);
  }

  /** A vehicle's record. */
  position(position: Position): void {
    let sighting: Sighting | undefined;
    this.#index.eachFor(position, (rule) => {
      sighting ??= sightingOf(position, this.#observed);
      if (!sighting) return;
      const source = sourceOf(rule);
      if (source === "position") this.#see(rule, sighting);
      const codes = source === "codes" ? position.activeFaultCodes : undefined;
      if (codes)
        this.#seeFaults(
          rule,
          sighting,
          codes.map((code) => ({ code, lamps: [] })),
        );
    });
    for (const rule of this.#index.meeting(position.assetId ?? "")) {
      const waiting = this.#observed.vehicleById(rule.vehicleId as string);
      const [own, other] = [waiting && sightingOf(waiting, this.#observed), sightingOf(position, this.#observed)];
      if (own && other) this.#see(rule, { ...own, date: Math.max(own.date, other.date) });
    }
  }

  faults({ position, faults }: { position: Position; faults: readonly SeenFault[] }): void {
    const sighting = sightingOf(position, this.#observed);
    if (!sighting) return;
    this.#index.eachFor(position, (rule) => {
      if (sourceOf(rule) === "faults") this.#seeFaults(rule, { ...sighting, date: this.#observed.now }, faults);
    });
  }

  hours({ driver, vehicle, time, shown }: SeenHours): void {
    const about = { driver: { id: driver.id, name: shownText(driver.name) } };
    const label = shownText(driver.name) ?? "A driver";
    const record = { ...time, ...shown };
    this.#index.eachFor({ ...vehicle, driverId: driver.id }, (rule) => {
      if (sourceOf(rule) !== "hours") return;
      this.#see(rule, { entity: driver.id, date: time.at, record, about, label, isPrivate: false });
    });
  }

  job(job: Row): void {
    const { id, number, vehicleId } = jobOf(job);
    const entity = id ?? number;
    if (entity === undefined) return;
    const about = { job: { id, number: shownText(number) } };
    const label = jobLabel(job);
    const date = this.#observed.now;
    for (const rule of this.#index.from("job")) {
      if (rule.vehicleId !== undefined && rule.vehicleId !== vehicleId) continue;
      this.#see(rule, { entity, date, record: job, about, label, isPrivate: false });
    }
  }

  /** Called after the last record of a list: what is not in the first one appears later. */
  end(source: Source): void {
    for (const rule of this.#index.from(source)) {
      const key = trackKey(rule, "");
      const isFirst = conditionOf(rule.rule).isState && !this.#state.has(key);
      if (isFirst) this.#set(rule, key, { date: this.#observed.now, isArmed: false }, undefined);
    }
  }

  /** A track that only waits for time to pass, about a vehicle that has sent nothing since. */
  waiting(key: string): void {
    const track = this.#track(key);
    const [ruleKey, entity] = trackOwner(key);
    const rule = this.#index.byKey.get(ruleKey);
    if (!track || !rule || track.since === undefined || !isWaiting(rule, track)) return;
    if (this.#observed.fleetNow - track.since < dwellOf(rule.rule)) return;
    const position = this.#observed.vehicleById(entity);
    const sighting = position && sightingOf(position, this.#observed);
    // A vehicle that has left the fleet, or is on a private journey, causes nothing.
    if (!sighting || sighting.isPrivate) return;
    this.#tell(rule, key, sighting, track, track.since + dwellOf(rule.rule));
  }

  #see(rule: ResolvedRule, sighting: Sighting): void {
    const { now, fleetNow, fleetBefore, vehicleById } = this.#observed;
    const { entity, date, record, isPrivate } = sighting;
    const key = trackKey(rule, entity);
    const before = this.#track(key);
    const condition = conditionOf(rule.rule);
    if (condition.restarts && sighting.isUndated) return;
    if (before && date <= before.date) {
      // A date that is set back is a sign of life.
      if (condition.restarts && fleetBefore > (before.since ?? 0))
        this.#set(rule, key, { ...before, since: fleetBefore, isArmed: true }, before);
      return;
    }
    const { toldAt } = before ?? {};
    // Of what appears after the watch has begun, nothing has been said before.
    const isNew = condition.isState === true && this.#state.has(trackKey(rule, ""));
    if (isPrivate && rule.rule.when !== "becomesPrivate") {
      // What happens on a private journey is not told, not even afterwards.
      this.#set(rule, key, { date, isArmed: false, toldAt }, before);
      return;
    }
    const reading = condition.reading(record, rule.rule, { area: rule.area, track: before, vehicleById });
    const dwell = dwellOf(rule.rule);
    const isInside = reading === undefined ? undefined : reading !== (rule.rule.when === "leaves");
    const sides = rule.area && sidesAfter(record as Position, rule.area, isInside, date, before ?? {}, vehicleById);
    if (!reading) {
      const isArmed = reading === false || (before?.isArmed ?? (isNew || condition.source === "job"));
      const since = reading === undefined ? before?.since : undefined;
      this.#set(rule, key, { date, isArmed, since, ...sides, toldAt }, before);
      return;
    }
    const isContinued = before?.since !== undefined && !(condition.isHeldByRecords && date - before.date > MAX_GAP);
    // What arrives now was sent after the last poll, whatever its date.
    const begunAt =
      condition.restarts && before ? Math.max(date, fleetBefore) : (before?.inside?.outsideAt ?? before?.outside?.insideAt ?? date);
    const since = isContinued && !condition.restarts ? (before?.since as number) : begunAt;
    const isArmed = condition.restarts ? before !== undefined || isNew || now - date < dwell : (before?.isArmed ?? isNew);
    const track: Track = { date, isArmed, since, ...sides, toldAt };
    // A vehicle's clock may be ahead of this machine's.
    const heldUntil = condition.isHeldByRecords ? date : Math.max(fleetNow, date);
    if (!isArmed || heldUntil - since < dwell) this.#set(rule, key, track, before);
    else this.#tell(rule, key, sighting, track, condition.isHeldByRecords ? date : since + dwell, before);
  }

  #seeFaults(rule: ResolvedRule, sighting: Sighting, faults: readonly SeenFault[]): void {
    const { entity, date, isPrivate } = sighting;
    const key = trackKey(rule, entity);
    const before = this.#track(key);
    if (before && date <= before.date) return;
    const wanted = rule.rule.when === "faultBegins" ? rule.rule : undefined;
    const isWanted = ({ code, lamps }: SeenFault) =>
      (wanted?.code === undefined || townText(wanted.code) === townText(code)) &&
      (wanted?.lamp === undefined || lamps.some((lamp) => isLampCalled(lamp, wanted.lamp as string)));
    const present = new Set(faults.flatMap((fault) => (isWanted(fault) ? [fault.code] : [])).slice(0, MAX_FAULTS));
    const known = new Map(Object.entries(before?.codes ?? {}));
    const begun = [...present].filter((code) => {
      const goneAt = known.get(code);
      return before !== undefined && (goneAt === undefined || (goneAt > 0 && date - goneAt > FAULT_GONE));
    });
    const kept = [...known].flatMap(([code, goneAt]): [string, number][] => {
      if (present.has(code)) return [];
      const gone = goneAt || date;
      return date - gone > FAULT_GONE ? [] : [[code, gone]];
    });
    const codes = Object.fromEntries([...kept, ...[...present].map((code): [string, number] => [code, 0])]);
    const isSame = before?.codes && JSON.stringify(before.codes) === JSON.stringify(codes);
    this.#set(rule, key, { date, isArmed: true, codes: isSame ? before.codes : codes, toldAt: before?.toldAt }, before);
    if (isPrivate) return;
    for (const code of begun) {
      const track = this.#track(key) as Track;
      const text = `${conditionOf(rule.rule).past(rule.rule, "")} ${singleLine(code, 24)}`;
      this.#tell(rule, key, sighting, { ...track, since: date }, date, before, { text, more: { code: singleLine(code, 24) } });
    }
  }

  #tell(
    rule: ResolvedRule,
    key: string,
    { entity, record, about, label }: Sighting,
    { since, ...track }: Track,
    at: number,
    before: Track | undefined = this.#state.get(key),
    detail: { text?: string; more?: Readonly<Record<string, string>> } = {},
  ): void {
    const { now, timeZone } = this.#observed;
    const condition = conditionOf(rule.rule);
    const isLate = now - at > LATE;
    const isTold =
      appliesAt(rule.rule, at, timeZone) && !isCoolingDown(rule.rule, track.toldAt, at) && !(isLate && rule.rule.late === "drop");
    this.#set(rule, key, { ...track, since, isArmed: false, toldAt: isTold ? at : track.toldAt }, before);
    if (!isTold) return;
    const fields = record as Readonly<Record<string, unknown>>;
    const shown = condition.shows.flatMap((field) => (fields[field] === undefined ? [] : [[field, safeValue(fields[field])]]));
    const what = detail.text ?? condition.past(rule.rule, rule.area?.label ?? "");
    this.#step.events.push({
      id: idOf(rule.key, entity, since ?? at, ...Object.values(detail.more ?? {})),
      rule: rule.rule.id,
      when: rule.rule.when,
      text: `${label} ${what}`,
      ...about,
      at: new Date(at).toISOString(),
      seen: new Date(now).toISOString(),
      ...(isLate && { late: true as const }),
      cause: { date: new Date(since ?? at).toISOString(), ...Object.fromEntries(shown), ...detail.more },
    });
  }
}
