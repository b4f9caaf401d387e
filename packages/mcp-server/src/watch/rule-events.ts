import type { ConsoleEvent, ConsoleEvents } from "@fleetwire/console";
import { FleetError } from "@fleetwire/core";
import type { FleetTools } from "@fleetwire/tools";
import { singleLine } from "@fleetwire/tools/host";
import { type OpenWatch, openWatch, parseRules, type WatchRules } from "@fleetwire/tools/watch";
import type { ServerLog } from "../log.ts";
import type { ServerConfig } from "../server-config.ts";
import { rulesFile } from "./rules-file.ts";

/** How often the fleet is read while nobody looks, in milliseconds. */
const UNSEEN = 30_000;
const MAX_EVENTS = 200;
const MAX_SHOWN_RULES = 100;
const MAX_PROBLEM = 500;
/** The log says which file, and why. */
const UNREAD = "the file of rules has changed and cannot be read; the rules before stay";
const UNEXPECTED = "an unexpected failure keeps them from being watched";

interface RuleEventsOptions {
  tools: () => Pick<FleetTools, "tools">;
  /** The file of rules. */
  path: string;
  config: Pick<ServerConfig, "snapshotSeconds">;
  log: ServerLog;
}

/** What has happened to one fleet since the server started, as a file of rules says. Nothing of it is kept beyond the process. */
export class RuleEvents {
  readonly #tools: RuleEventsOptions["tools"];
  readonly #log: ServerLog;
  readonly #rules: () => WatchRules;
  readonly #minAge: number;
  readonly #interval: number;
  readonly #ending = new AbortController();
  #watch: OpenWatch | undefined;
  #since: number | undefined;
  /** The rules in use, and those that were refused. */
  #given: WatchRules | undefined;
  #refused: WatchRules | undefined;
  /** The rules in words: those in use, and those being taken over. */
  #words: string[] = [];
  #understood: string[] = [];
  #isFileUnread = false;
  #problem: string | undefined;
  #events: ConsoleEvent[] = [];
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @throws {FleetError} if the file cannot be read, or a rule in it is wrong. A name in it can only be checked with the fleet. */
  constructor({ tools, path, config, log }: RuleEventsOptions) {
    this.#tools = tools;
    this.#log = log;
    this.#minAge = config.snapshotSeconds * 1000;
    this.#interval = Math.max(UNSEEN, this.#minAge);
    this.#rules = rulesFile(path, (problem) => {
      this.#isFileUnread = problem !== undefined;
      if (problem !== undefined) log.warn({ problem }, "rules not read; the previous ones remain in use");
    });
    parseRules(this.#rules());
    this.#look(0);
  }

  /** Reads the fleet, unless that was done a moment ago, and returns what has happened. */
  read = async (): Promise<ConsoleEvents> => {
    await this.#readOnce();
    return {
      since: this.#since,
      problem: this.#isFileUnread ? UNREAD : this.#problem,
      ruleCount: this.#words.length,
      rules: this.#words.slice(0, MAX_SHOWN_RULES),
      events: this.#events,
    };
  };

  end = (): void => {
    this.#ending.abort();
    clearTimeout(this.#timer);
  };

  #look(afterMs: number): void {
    this.#timer = setTimeout(async () => {
      await this.#readOnce();
      if (!this.#ending.signal.aborted) this.#look(this.#interval);
    }, afterMs).unref();
  }

  /** All who look share one read. What failed is not tried again at once. */
  async #readOnce(): Promise<void> {
    const age = performance.now() - this.#readAt;
    if (this.#ending.signal.aborted || age < (this.#watch ? this.#minAge : this.#interval)) return;
    this.#reading ??= this.#readNow().finally(() => {
      this.#readAt = performance.now();
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #readNow(): Promise<void> {
    try {
      await this.#takeOver(this.#rules());
      for (const event of (await this.#watch?.next(this.#ending.signal)) ?? []) this.#keep(event);
      if (this.#refused === undefined) this.#problem = undefined;
    } catch (error) {
      this.#report(error);
    }
  }

  /** Begins to watch, or takes over a file that has changed, as a whole or not at all. */
  async #takeOver(rules: WatchRules): Promise<void> {
    if (rules === this.#given || rules === this.#refused) return;
    const { signal } = this.#ending;
    this.#understood = [];
    try {
      if (this.#watch) await this.#watch.use(rules, signal);
      else
        this.#watch = await openWatch(this.#tools(), rules, { signal, isOperators: true, onRule: (rule) => this.#understood.push(rule) });
    } catch (error) {
      if (!(this.#watch && error instanceof FleetError && error.code === "input")) throw error;
      this.#refused = rules;
      return this.#report(error);
    }
    this.#given = rules;
    this.#refused = undefined;
    this.#words = this.#understood;
    this.#since ??= Date.now();
  }

  #keep({ id, rule, when, text, vehicle, at, late }: ConsoleEvent): void {
    const event = { id, when, text, at, ...(rule !== undefined && { rule }), ...(vehicle && { vehicle }), ...(late && { late }) };
    this.#events = [...this.#events, event].slice(-MAX_EVENTS);
  }

  #report(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    const isKnown = error instanceof FleetError;
    // Without what the service said.
    const problem = isKnown ? singleLine(error.summary.replace(/^rules: /, ""), MAX_PROBLEM) : UNEXPECTED;
    // A problem may quote names.
    if (problem !== this.#problem) this.#log.warn({ error: isKnown ? error.code : (error as Error).name }, "rules not watched");
    this.#problem = problem;
  }
}
