import { FleetError, type FleetErrorCode } from "@fleetwire/core";
import { isTransient } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import type { Privacy } from "../fleet/privacy.ts";
import { renewed } from "../fleet/request-limit.ts";
import { CALL_TIMEOUT, withDeadline } from "../runtime/call-deadline.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { readJobs } from "./jobs.ts";
import { readDriverHours, readFaults } from "./read-observed.ts";
import { resolveRules } from "./resolve-rules.ts";
import { type ResolvedRule, RuleIndex } from "./rule-index.ts";
import type { WatchRule } from "./rules.ts";
import type { Observed } from "./sightings.ts";
import { type Step, Stepper } from "./step.ts";
import { isWaiting, type Track, trackOwner } from "./tracks.ts";
import { WatchClock } from "./watch-clock.ts";
import { idOf, noStore, type SavedWatch, type WatchEvent, type WatchStore } from "./watch-store.ts";

const MINUTE = 60_000;
/** How long the service may fail before an event says so. */
const NO_DATA_AFTER = 2 * MINUTE;
/** How often the further lists are read, in milliseconds. */
const LIST_INTERVALS = { faults: MINUTE, hours: 5 * MINUTE, job: 2 * MINUTE };

type List = keyof typeof LIST_INTERVALS;

/** What the polls of one watch share. */
export class WatchLoop {
  readonly #context: FleetContext;
  readonly #store: WatchStore;
  readonly #clock: WatchClock;
  readonly #tracks = new Map<string, Track>();
  #index = new RuleIndex([]);
  readonly #waiting = new Set<string>();
  /** The records of the poll before, by vehicle. */
  readonly #seen = new Map<string, Position>();
  /** Whether there are rules that have seen none of the records. */
  #hasNewRules = false;
  readonly #listedAt = new Map<List, number>();
  #readAt: number | undefined;
  #noData: string | undefined;
  #hasPolled = false;
  #canSave = true;
  readonly #startedAt: number;

  /** Continues what a store has saved. */
  constructor(context: FleetContext, intervalMs: number, store = noStore, { tracks, readAt, noData }: Partial<SavedWatch> = {}) {
    this.#context = context;
    this.#store = store;
    for (const [key, text] of tracks ?? []) this.#tracks.set(key, JSON.parse(text));
    this.#noData = noData;
    this.#startedAt = context.now();
    // A clock that has been set back since cannot have been read later than now.
    this.#readAt = readAt === undefined ? undefined : Math.min(readAt, this.#startedAt);
    this.#clock = new WatchClock(intervalMs, readAt);
  }

  /**
   * Replaces the rules of an operator, who may call drivers by names that are hidden from others, all or none. Those that stay the same keep what is
   * known of them. Throws a `FleetError` if a name in them is not certain, or a list that they need cannot be read.
   */
  async use(rules: readonly WatchRule[], signal: AbortSignal | undefined): Promise<readonly ResolvedRule[]> {
    const { found } = await this.#resolved(rules, signal, this.#context.privacy);
    await this.#replace(found);
    return found;
  }

  /**
   * Adds a rule of a caller, and reads the fleet for it: what is already so is no event of it. Returns what has happened otherwise. Throws as `use`
   * does, or if the fleet cannot be read; then the rule is not added. `onSize` gets the number of vehicles of which it remembers something, and may
   * refuse it.
   */
  async add(rule: WatchRule, onSize: (vehicles: number) => void): Promise<readonly WatchEvent[]> {
    const before = this.#index.rules;
    const { found, view } = await this.#resolved([rule], undefined);
    onSize(new RuleIndex(found).count(view.positions));
    await this.#replace([...before, ...found]);
    try {
      return await this.poll(undefined, true);
    } catch (error) {
      await this.#replace(before);
      throw error;
    }
  }

  /** Drops the rules with other ids than these. */
  async keep(ids: ReadonlySet<string>): Promise<void> {
    const kept = this.#index.rules.filter(({ rule }) => ids.has(rule.id));
    if (kept.length < this.#index.rules.length) await this.#replace(kept);
  }

  #resolved(rules: readonly WatchRule[], signal: AbortSignal | undefined, operators?: Privacy) {
    return withDeadline(CALL_TIMEOUT, signal, async (within) => {
      const { view, failure } = await this.#context.reader.read({ signal: within });
      if (failure !== undefined) throw new FleetError(failure, "the fleet cannot be read, so the names in the rules cannot be resolved");
      return { view, found: await resolveRules(rules, view, this.#context.towns, operators) };
    });
  }

  async #replace(rules: readonly ResolvedRule[]): Promise<void> {
    const index = new RuleIndex(rules);
    const slices = new TimeSlices();
    const gone = new Map<string, undefined>();
    await slices.each(this.#tracks.keys(), (key) => {
      if (!index.byKey.has(trackOwner(key)[0])) gone.set(key, undefined);
    });
    await this.#save({ tracks: gone, events: [] });
    await slices.each(gone.keys(), (key) => this.#tracks.delete(key));
    this.#index = index;
    this.#hasNewRules = true;
    this.#listedAt.clear();
    this.#waiting.clear();
    await slices.each(this.#tracks.keys(), (key) => {
      if (this.#isWaiting(key)) this.#waiting.add(key);
    });
  }

  /** Reads the fleet once, and returns what has happened, once it is saved. */
  async poll(signal: AbortSignal | undefined, isFirst = !this.#hasPolled): Promise<readonly WatchEvent[]> {
    try {
      return await withDeadline(CALL_TIMEOUT, signal, async (within) => {
        const { view, failure } = await this.#context.reader.read({ signal: within });
        return failure === undefined ? this.#step(view, within) : this.failed(failure);
      });
    } catch (error) {
      // What fails from the start, such as credentials, has to be corrected; what has worked before may work again.
      const isOutage = error instanceof FleetError && (!isFirst || isTransient(error));
      if (signal?.aborted || !isOutage || !this.#canSave) throw error;
      return this.failed(error.code);
    }
  }

  /** Returns the event that there is no data, once, if the service has been failing for minutes. */
  async failed(code: FleetErrorCode): Promise<readonly WatchEvent[]> {
    const since = this.#readAt ?? this.#startedAt;
    const now = this.#clock.at(this.#context.now(), [], []);
    if (now - since < NO_DATA_AFTER || this.#noData !== undefined) return [];
    const event: WatchEvent = {
      id: idOf("noData", since),
      when: "noData",
      text: `No data since ${new Date(since).toISOString()}: the fleet cannot be read (${code})`,
      at: new Date(since).toISOString(),
      seen: new Date(now).toISOString(),
      cause: { code },
    };
    this.#noData = event.id;
    await this.#save({ tracks: new Map(), events: [event] });
    return [event];
  }

  #isWaiting(key: string): boolean {
    const [rule, track] = [this.#index.byKey.get(trackOwner(key)[0]), this.#tracks.get(key)];
    return rule !== undefined && track !== undefined && isWaiting(rule, track);
  }

  #isRepeated(position: Position): boolean {
    return this.#seen.get(position.assetId ?? "") === position;
  }

  /** Reads a list that rules need, unless it was read a moment ago. One that fails is read again at the next poll. */
  async #list<Result>(list: List, now: number, read: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.#listedAt.get(list);
    if (this.#index.from(list).length === 0 || (before !== undefined && Math.abs(now - before) < LIST_INTERVALS[list])) return undefined;
    try {
      const result = await read();
      this.#listedAt.set(list, now);
      return result;
    } catch (error) {
      // A list that never can be read, such as one without a configured server, is not a matter of time.
      if (!(error instanceof FleetError && isTransient(error))) throw error;
      return undefined;
    }
  }

  async #step(view: FleetView, signal: AbortSignal): Promise<readonly WatchEvent[]> {
    const slices = new TimeSlices();
    const arrived: Position[] = [];
    await slices.each(view.positions, (position) => {
      if (position.assetId && !this.#isRepeated(position)) arrived.push(position);
    });
    const now = this.#clock.at(this.#context.now(), arrived, view.positions);
    const context = { ...this.#context, fleet: renewed(this.#context.fleet), callOptions: { signal }, now: () => now };
    const observed: Observed = {
      now,
      fleetNow: this.#clock.fleet,
      fleetBefore: this.#clock.fleetBefore,
      positions: this.#hasNewRules ? view.positions : arrived,
      isRepeated: (position) => this.#isRepeated(position),
      vehicleById: (id) => view.vehicles.get(id)?.value,
      faults: await this.#list("faults", now, () => readFaults(this.#index, view, context)),
      hours: await this.#list("hours", now, () => readDriverHours(this.#index, view, now, context)),
      jobs: await this.#list("job", now, () => readJobs(context)),
      timeZone: context.settings.timeZone,
    };
    const step = await this.#observe(observed, slices);
    this.#readAt = now;
    this.#noData = undefined;
    const tracks = new Map<string, string>();
    await slices.each(step.durable, (key) => tracks.set(key, JSON.stringify(step.changed.get(key))));
    await this.#save({ tracks, events: step.events });
    // Only what is saved counts: after a failure, the next poll finds the same again.
    await slices.each(step.changed, ([key, track]) => {
      this.#tracks.set(key, track);
      if (this.#isWaiting(key)) this.#waiting.add(key);
      else this.#waiting.delete(key);
    });
    await slices.each(arrived, (position) => this.#seen.set(position.assetId as string, position));
    this.#hasPolled = true;
    this.#hasNewRules = false;
    return step.events;
  }

  async #observe(observed: Observed, slices: TimeSlices): Promise<Step> {
    const stepper = new Stepper(this.#index, this.#tracks, observed);
    await slices.each(observed.positions, (position) => stepper.position(position));
    stepper.end("position");
    await slices.each(observed.faults ?? [], (faults) => stepper.faults(faults));
    await slices.each(observed.hours ?? [], (hours) => stepper.hours(hours));
    if (observed.hours) stepper.end("hours");
    await slices.each(observed.jobs ?? [], (job) => stepper.job(job));
    if (observed.jobs) stepper.end("job");
    await slices.each(this.#waiting, (key) => stepper.waiting(key));
    return stepper.result;
  }

  async #save({ tracks, events }: { tracks: ReadonlyMap<string, string | undefined>; events: readonly WatchEvent[] }): Promise<void> {
    this.#canSave = false;
    await this.#store.save({ tracks, events, readAt: this.#readAt, noData: this.#noData });
    this.#canSave = true;
  }
}
