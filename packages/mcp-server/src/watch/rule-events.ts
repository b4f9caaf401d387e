import type { ConsoleEvent, ConsoleEvents } from "@fleetwire/console";
import { FleetError } from "@fleetwire/core";
import type { FleetTools } from "@fleetwire/tools";
import { singleLine } from "@fleetwire/tools/host";
import { parseRules, watchFleet } from "@fleetwire/tools/watch";
import type { ServerLog } from "../log.ts";
import type { ServerConfig } from "../server-config.ts";
import { rulesFile } from "./rules.ts";

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
  readonly #log: ServerLog;
  readonly #minAge: number;
  readonly #interval: number;
  readonly #ending = new AbortController();
  #since: number | undefined;
  /** The rules in words: those in use, and those being taken over. */
  #words: string[] = [];
  #understood: string[] = [];
  #isFileUnread = false;
  /** Why the file as it is now was refused, and why the last read failed. */
  #refusal: string | undefined;
  #failure: string | undefined;
  #reported: string | undefined;
  #events: ConsoleEvent[] = [];
  /** The read in progress, which all who look share; then what ends it, and what begins the next one. */
  #reading: Promise<void> | undefined;
  #finish = () => {};
  #wake = () => {};
  #readAt = Number.NEGATIVE_INFINITY;

  /** @throws {FleetError} if the file cannot be read, or a rule in it is wrong. A name in it can only be checked with the fleet. */
  constructor({ tools, path, config, log }: RuleEventsOptions) {
    this.#log = log;
    this.#minAge = config.snapshotSeconds * 1000;
    this.#interval = Math.max(UNSEEN, this.#minAge);
    const rules = rulesFile(path, (problem) => {
      this.#isFileUnread = problem !== undefined;
      if (problem !== undefined) log.warn({ problem }, "rules not read; the previous ones remain in use");
    });
    parseRules(rules());
    void this.#readOnce();
    setTimeout(() => void this.#watch(tools, rules), 0).unref();
  }

  /** Reads the fleet, unless that was done a moment ago, and returns what has happened. */
  read = async (): Promise<ConsoleEvents> => {
    await this.#readOnce();
    return {
      since: this.#since,
      problem: this.#isFileUnread ? UNREAD : (this.#failure ?? this.#refusal),
      ruleCount: this.#words.length,
      rules: this.#words.slice(0, MAX_SHOWN_RULES),
      events: this.#events,
    };
  };

  end = (): void => {
    this.#ending.abort();
    this.#finish();
    this.#wake();
  };

  async #watch(tools: RuleEventsOptions["tools"], rules: Parameters<typeof watchFleet>[1]): Promise<void> {
    const { signal } = this.#ending;
    const options: Parameters<typeof watchFleet>[2] = {
      signal,
      untilNext: this.#untilNext,
      onRule: (rule) => this.#understood.push(rule),
      onRefusal: (error) => {
        this.#refusal = this.#problemOf(error);
      },
      onFailure: (error) => {
        this.#failure = this.#problemOf(error);
      },
    };
    while (!signal.aborted) {
      try {
        for await (const { id, rule, when, text, vehicle, at, late } of watchFleet(tools(), rules, options)) {
          const event = { id, when, text, at, ...(rule !== undefined && { rule }), ...(vehicle && { vehicle }), ...(late && { late }) };
          this.#events = [...this.#events, event].slice(-MAX_EVENTS);
        }
      } catch (error) {
        this.#failure = this.#problemOf(error);
        await this.#untilNext();
      }
    }
  }

  /** All who look share one read. What failed is not tried again at once. */
  async #readOnce(): Promise<void> {
    const isDue = performance.now() - this.#readAt >= (this.#since === undefined ? this.#interval : this.#minAge);
    if (this.#ending.signal.aborted || (!this.#reading && !isDue)) return;
    this.#reading ??= new Promise((finish) => {
      this.#finish = finish;
      this.#failure = undefined;
      this.#wake();
    });
    await this.#reading;
  }

  /** Ends a read, and waits until somebody wants another one. */
  #untilNext = async (): Promise<void> => {
    if (this.#understood.length > 0) {
      this.#words = this.#understood;
      this.#understood = [];
      this.#refusal = undefined;
      this.#since ??= Date.now();
    }
    if (this.#failure === undefined && this.#refusal === undefined) this.#reported = undefined;
    this.#readAt = performance.now();
    this.#reading = undefined;
    this.#finish();
    if (this.#ending.signal.aborted) return;
    const next = new Promise<void>((wake) => {
      this.#wake = wake;
    });
    const timer = setTimeout(() => void this.#readOnce(), this.#interval).unref();
    await next;
    clearTimeout(timer);
  };

  #problemOf(error: unknown): string | undefined {
    if (this.#ending.signal.aborted) return undefined;
    const isKnown = error instanceof FleetError;
    // Without what the service said.
    const problem = isKnown ? singleLine(error.summary.replace(/^rules: /, ""), MAX_PROBLEM) : UNEXPECTED;
    // A problem may quote names.
    if (problem !== this.#reported) this.#log.warn({ error: isKnown ? error.code : (error as Error).name }, "rules not watched");
    this.#reported = problem;
    return problem;
  }
}
