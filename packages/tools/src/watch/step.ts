import { parseDateTime } from "@fleetwire/core/internal";
import type { Position } from "../fleet/position.ts";
import type { Row } from "../query/list-result.ts";
import { singleLine } from "../text/clip-values.ts";
import { zonedTimes } from "../text/time.ts";
import { safeValue } from "../text/visible-text.ts";
import { conditionOf, type Source } from "./conditions.ts";
import { codesAfter, type SeenFault } from "./faults.ts";
import { jobOf } from "./jobs.ts";
import { sidesAfter } from "./place-areas.ts";
import { type ResolvedRule, type RuleIndex, sourceOf } from "./rule-index.ts";
import { dwellOf, type WatchRule } from "./rules.ts";
import { type Observed, type SeenHours, type Sighting, sightingOf, sightingOfHours, sightingOfJob } from "./sightings.ts";
import { corrected, isSameTrack, isWaiting, type Track, trackKey, trackOwner } from "./tracks.ts";
import { MAX_AHEAD } from "./watch-clock.ts";
import { idOf, type WatchEvent } from "./watch-store.ts";

const MINUTE = 60_000;
/** Two records further apart do not show that what they have in common lasted all the time. */
const MAX_GAP = 15 * MINUTE;
const LATE = 5 * MINUTE;

export interface Step {
  events: WatchEvent[];
  /** The tracks that differ. Those in `durable` matter after a restart; the others only differ in the date of the last record. */
  changed: Map<string, Track>;
  durable: Set<string>;
}

/** Whether a rule applies at an instant: before its end, and within its hours of the day. */
function appliesAt({ between, until }: WatchRule, at: number, timeZone: string | undefined): boolean {
  if (until !== undefined && at > (parseDateTime(until) as number)) return false;
  if (!between) return true;
  const [from, to] = between;
  const time = zonedTimes(timeZone, at).text(at).slice(11);
  return from <= to ? time >= from && time < to : time >= from || time < to;
}

/** Whether the last event about the same entity is so recent that another one is not reported. */
const isCoolingDown = ({ coolDownMinutes = 0 }: WatchRule, toldAt: number | undefined, at: number): boolean =>
  toldAt !== undefined && Math.abs(at - toldAt) < coolDownMinutes * MINUTE;

/** One poll: reads the tracks of a state, and returns what changes and what has happened. The same input has the same result. */
export class Stepper {
  readonly #index: RuleIndex;
  readonly #state: ReadonlyMap<string, Track>;
  readonly #observed: Observed;
  readonly #step: Step = { events: [], changed: new Map(), durable: new Set() };

  constructor(index: RuleIndex, state: ReadonlyMap<string, Track>, observed: Observed) {
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
      const faults = codes?.map((code) => ({ code, lamps: [] }));
      if (faults) this.#seeFaults(rule, sighting, faults);
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

  hours(seen: SeenHours): void {
    const sighting = sightingOfHours(seen);
    this.#index.eachFor({ ...seen.vehicle, driverId: sighting.entity }, (rule) => {
      if (sourceOf(rule) === "hours") this.#see(rule, sighting);
    });
  }

  job(job: Row): void {
    const sighting = sightingOfJob(job, this.#observed.now);
    if (!sighting) return;
    const { vehicleId } = jobOf(job);
    for (const rule of this.#index.from("job")) if (rule.vehicleId === undefined || rule.vehicleId === vehicleId) this.#see(rule, sighting);
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
      if (condition.restarts && !sighting.isRepeated && fleetBefore > (before.since ?? 0))
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
    const { codes, begun } = codesAfter(rule.rule, faults, before, date);
    this.#set(rule, key, { date, isArmed: true, codes, toldAt: before?.toldAt }, before);
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
