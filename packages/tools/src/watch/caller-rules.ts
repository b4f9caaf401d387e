import { FleetError } from "@fleetwire/core";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { unlessAborted, unref } from "../runtime/call-deadline.ts";
import { operationsOf, type When } from "./conditions.ts";
import type { WatchRule } from "./rules.ts";
import { WatchLoop } from "./watch-loop.ts";
import type { WatchEvent } from "./watch-store.ts";

const MAX_PER_CALLER = 5;
/** Of all callers. */
const MAX_RULES = 100;
/** Of how many vehicles the rules may remember something, at about 300 bytes each. A rule also remembers when each vehicle was seen, in a sixth. */
const MAX_VEHICLES = 200_000;
const SEEN_SHARE = 1 / 6;
/** Events of one caller; the oldest are dropped. */
const MAX_EVENTS = 50;

export const RULE_HOURS = 24;
const LIFETIME = RULE_HOURS * 60 * 60_000;
/** How long an ended rule and its events are kept for a caller who does not ask. */
const KEPT = LIFETIME;

/** Events that nobody waits for need not be noticed at once. */
const MIN_SECONDS = 30;

/** A rule of a caller. */
export interface CallerRule {
  id: string;
  /** In words. */
  waitsFor: string;
  /** When it ends, in milliseconds since 1970. */
  until: number;
}

interface Entry extends CallerRule {
  /** The rule without its id. */
  text: string;
  vehicles: number;
  added: Promise<void>;
}

interface Caller {
  rules: Map<string, Entry>;
  /** Watches for all of its rules. It does one thing at a time, so this waits for all that it was asked to do. */
  loop: Promise<WatchLoop>;
  reading: Promise<void> | undefined;
  readAt: number;
  /** What its rules have noticed lately, oldest first. */
  log: { event: WatchEvent; isTold: boolean }[];
  /** How many events left the log before the caller was told. */
  dropped: number;
}

/** What a caller has to be told. */
export interface CallerNews {
  /** Including those that have ended since it last asked. */
  rules: readonly CallerRule[];
  events: readonly WatchEvent[];
  /** How many events were dropped, because there were too many. */
  dropped: number;
  /** The last events, whether it has been told or not, oldest first. */
  latest: readonly WatchEvent[];
}

const limited = (message: string, advice: string) => new FleetError("rateLimited", message, { advice });

/** The rules of those who call one fleet's tools, in this process only. The fleet is read for them while there are any. */
export class CallerRules {
  readonly #callers = new Map<string, Caller>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #lastId = 0;
  readonly #readable: ReadonlySet<string>;
  readonly #now: () => number;
  readonly #minAge: number;
  readonly #interval: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param readable The operations that the available tools read: a rule may read no others. */
  constructor(readable: ReadonlySet<string>, snapshotSeconds: number, now: () => number) {
    this.#readable = readable;
    this.#now = now;
    this.#minAge = snapshotSeconds * 1000;
    this.#interval = Math.max(MIN_SECONDS, snapshotSeconds) * 1000;
  }

  /** Throws if a caller may not have another rule with this condition. */
  check(owner: string, when: When): void {
    const unread = operationsOf(when).filter((name) => !this.#readable.has(name));
    if (unread.length > 0)
      throw new FleetError("config", `${when} needs ${unread.join(", ")}, which no available tool reads`, { advice: "Tell the user" });
    if (this.#active(owner).length >= MAX_PER_CALLER)
      throw limited(`there are ${MAX_PER_CALLER} rules already, which is the maximum`, "Ask the user which one to end");
    if (this.#entries().length >= MAX_RULES) throw limited(`all callers together have ${MAX_RULES} rules already`, "Try again later");
  }

  /** Begins to watch for a caller. A rule that it has already is returned as it is. */
  async add(owner: string, rule: WatchRule, waitsFor: string, vehicles: number, context: FleetContext): Promise<CallerRule> {
    const text = JSON.stringify(rule);
    const same = this.#active(owner).find((one) => one.text === text);
    if (same) {
      await same.added;
      return same;
    }
    this.check(owner, rule.when);
    const caller = this.#callers.get(owner) ?? this.#callerFor(context);
    this.#callers.set(owner, caller);
    // An id is never given to another rule, so that ending one that has ended ends no other.
    const id = `r${++this.#lastId}`;
    const onSize = (size: number) => {
      entry.vehicles += size;
      const all = this.#entries().reduce((sum, one) => sum + one.vehicles, 0);
      if (all > MAX_VEHICLES) throw limited("the rules would have to remember too many vehicles", "Name a vehicle, driver or group");
    };
    const added = this.#inTurn(owner, caller, (loop) => loop.add({ ...rule, id }, onSize));
    const entry = { id, waitsFor, text, vehicles: Math.ceil(vehicles * SEEN_SHARE), until: this.#now() + LIFETIME, added };
    caller.rules.set(id, entry);
    try {
      await added;
    } catch (error) {
      this.#remove(owner, id);
      throw error;
    }
    this.#schedule();
    this.#notify(owner);
    return entry;
  }

  /** Ends a caller's rule. */
  end(owner: string, id: string): CallerRule {
    const rule = this.find(owner, id);
    this.#remove(owner, id);
    this.#notify(owner);
    return rule;
  }

  /** Calls a listener whenever a caller's rules change or notice something, until the signal fires. */
  listen(owner: string, listener: () => void, signal: AbortSignal): void {
    const listeners = this.#listeners.get(owner) ?? new Set();
    this.#listeners.set(owner, listeners.add(listener));
    const leave = () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(owner);
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  }

  /** Returns a caller's rule; throws if it has none with this id. */
  find(owner: string, id: string): CallerRule {
    const rules = this.#callers.get(owner)?.rules;
    const rule = rules?.get(id);
    if (rule) return rule;
    const ids = [...(rules?.keys() ?? [])];
    throw new FleetError("input", "endRule: is not the id of one of your rules", {
      advice: ids.length > 0 ? `The ids are ${ids.join(", ")}` : "There are no rules",
    });
  }

  /** Reads the fleet for a caller's rules, unless that was done a moment ago, and returns what it has to be told. */
  async news(owner: string, signal: AbortSignal | undefined): Promise<CallerNews> {
    const caller = this.#callers.get(owner);
    if (!caller) return { rules: [], events: [], dropped: 0, latest: [] };
    const isRecent = performance.now() - caller.readAt < this.#minAge;
    if (!isRecent && this.#active(owner).length > 0) await unlessAborted(signal, this.#read(owner, caller));
    const { rules, log, dropped } = caller;
    const events = log.filter(({ isTold }) => !isTold).map(({ event }) => event);
    return { rules: [...rules.values()], events, dropped, latest: log.map(({ event }) => event) };
  }

  /** Forgets what a caller has been told: these events, and rules that have ended. */
  told(owner: string, events: readonly WatchEvent[]): void {
    const caller = this.#callers.get(owner);
    if (!caller) return;
    for (const one of caller.log) one.isTold ||= events.includes(one.event);
    caller.dropped = 0;
    if (caller.log.some(({ isTold }) => !isTold)) return;
    for (const { id, until } of [...caller.rules.values()]) if (until <= this.#now()) this.#remove(owner, id);
  }

  #active(owner: string): Entry[] {
    return [...(this.#callers.get(owner)?.rules.values() ?? [])].filter(({ until }) => until > this.#now());
  }

  #entries(): Entry[] {
    return [...this.#callers.values()].flatMap(({ rules }) => [...rules.values()]);
  }

  #notify(owner: string): void {
    for (const listener of this.#listeners.get(owner) ?? []) listener();
  }

  #remove(owner: string, id: string): void {
    const caller = this.#callers.get(owner);
    caller?.rules.delete(id);
    if (caller?.rules.size === 0 && caller.log.every(({ isTold }) => isTold)) this.#callers.delete(owner);
  }

  /** The loop outlives the call that needs it first. */
  #callerFor(context: FleetContext): Caller {
    const loop = new WatchLoop({ ...context, callOptions: {}, progress: () => {} }, this.#interval);
    return { rules: new Map(), loop: Promise.resolve(loop), reading: undefined, readAt: Number.NEGATIVE_INFINITY, log: [], dropped: 0 };
  }

  #inTurn(owner: string, caller: Caller, look: (loop: WatchLoop) => Promise<readonly WatchEvent[]>): Promise<void> {
    const { loop } = caller;
    const looked = loop.then(async (idle) => {
      await idle.keep(new Set(this.#active(owner).map(({ id }) => id)));
      this.#note(owner, caller, await look(idle));
    });
    caller.loop = looked.then(
      () => loop,
      () => loop,
    );
    return looked;
  }

  #note(owner: string, caller: Caller, events: readonly WatchEvent[]): void {
    caller.log.push(...events.map((event) => ({ event, isTold: false })));
    const old = caller.log.splice(0, Math.max(0, caller.log.length - MAX_EVENTS));
    caller.dropped += old.filter(({ isTold }) => !isTold).length;
    caller.readAt = performance.now();
    if (events.length > 0) this.#notify(owner);
  }

  /** Reads the fleet for a caller's rules. All who wait for it share one read, so none of them can abort it. */
  #read(owner: string, caller: Caller): Promise<void> {
    caller.reading ??= this.#inTurn(owner, caller, (loop) => loop.poll(undefined)).finally(() => {
      caller.reading = undefined;
    });
    return caller.reading;
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#look(), this.#interval);
    unref(this.#timer);
  }

  async #look(): Promise<void> {
    for (const [owner, caller] of [...this.#callers]) {
      // Whoever asks reads again, and learns why that fails.
      if (this.#active(owner).length > 0) await this.#read(owner, caller).catch(() => {});
      for (const { id, until } of [...caller.rules.values()]) if (until + KEPT < this.#now()) caller.rules.delete(id);
      if (caller.rules.size === 0) this.#callers.delete(owner);
    }
    this.#timer = undefined;
    if (this.#callers.size > 0) this.#schedule();
  }
}
