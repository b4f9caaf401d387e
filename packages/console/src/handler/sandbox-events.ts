import { FleetError } from "@fleetwire/core";
import type { FleetTools } from "@fleetwire/tools";
import { type WatchEvent, type WatchRules, watchFleet } from "@fleetwire/tools/watch";
import type { ConsoleEvents } from "../data/console-events.ts";

/** What happens to any fleet. A name would be that of one sandbox. */
const RULES: WatchRules = {
  rules: [
    { id: "start", when: "starts" },
    { id: "stop", when: "stops", forMinutes: 5 },
    { id: "fast", when: "speedOver", kmh: 85, coolDownMinutes: 30 },
    { id: "silent", when: "silent", forMinutes: 24 * 60 },
    { id: "fault", when: "faultBegins" },
    { id: "fuel", when: "fuelBelow", percent: 15 },
    { id: "private", when: "becomesPrivate" },
    { id: "late", when: "jobLate" },
  ],
};
const MAX_EVENTS = 200;
/** How often the fleet is read, in milliseconds of the real clock: the sandbox's may be paused. */
const MIN_AGE = 2_000;

/** What has happened to a sandbox's fleet since its console was opened, while somebody looks at it. */
export function sandboxEvents(tools: Pick<FleetTools, "tools">, clock: () => number): () => Promise<ConsoleEvents> {
  let [events, rules]: [WatchEvent[], string[]] = [[], []];
  let [since, problem]: [number?, string?] = [];
  let reading: Promise<void> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let end: (unexpected?: unknown) => void = () => {};
  /** Begins a read. */
  let begin = () => {
    void watch();
  };
  const untilNext = (unexpected?: unknown) => {
    [readAt, reading] = [performance.now(), undefined];
    end(unexpected);
    return new Promise<void>((resolve) => {
      begin = resolve;
    });
  };
  const onRule = (rule: string) => {
    since ??= clock();
    rules.push(rule);
  };
  const onFailure = (error: FleetError) => {
    problem = error.summary;
  };
  const watch = async () => {
    for (;;) {
      rules = [];
      try {
        const options = { untilNext: () => untilNext(), onRule, onFailure };
        for await (const event of watchFleet(tools, RULES, options)) events = [...events, event].slice(-MAX_EVENTS);
      } catch (error) {
        const isKnown = error instanceof FleetError;
        // A fault of the sandbox may fail any read, and the next one tries again.
        if (isKnown) onFailure(error);
        await untilNext(isKnown ? undefined : error);
      }
    }
  };
  return async () => {
    if (performance.now() - readAt >= MIN_AGE)
      reading ??= new Promise((resolve, reject) => {
        end = (unexpected) => (unexpected === undefined ? resolve() : reject(unexpected));
        problem = undefined;
        begin();
      });
    await reading;
    return { since, ruleCount: rules.length, rules, events, problem };
  };
}
