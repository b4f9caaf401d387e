import { FleetError } from "@fleetwire/core";
import type { FleetTools } from "@fleetwire/tools";
import { type OpenWatch, openWatch, type WatchRules } from "@fleetwire/tools/watch";
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
  let watch: OpenWatch | undefined;
  let reading: Promise<void> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let shown: ConsoleEvents = { ruleCount: 0, rules: [], events: [] };
  const begin = async () => {
    const rules: string[] = [];
    watch = await openWatch(tools, RULES, { onRule: (rule) => rules.push(rule) });
    shown = { ...shown, since: clock(), ruleCount: rules.length, rules };
  };
  const read = async () => {
    try {
      if (watch === undefined) return await begin();
      const events = [...shown.events, ...(await watch.next())].slice(-MAX_EVENTS);
      shown = { ...shown, events, problem: undefined };
    } catch (error) {
      // A fault of the sandbox may fail any read, and the next one tries again.
      if (!(error instanceof FleetError)) throw error;
      shown = { ...shown, problem: error.summary };
    }
  };
  return async () => {
    if (performance.now() - readAt >= MIN_AGE)
      reading ??= read().finally(() => {
        readAt = performance.now();
        reading = undefined;
      });
    await reading;
    return shown;
  };
}
