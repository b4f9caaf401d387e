import { createFleetClient, type FleetError } from "@fleetwire/core";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { explainRules, type WatchEvent, type WatchRuleInput, watchFleet } from "@fleetwire/tools/watch";

const MINUTE = 60_000;

export interface Rehearsal {
  events: WatchEvent[];
  /** Why rules could not be tried, such as a vehicle that the sandbox does not have. */
  untried: string[];
}

/** Watches the sandbox's last hours, minute by minute. */
export async function rehearse(rules: readonly WatchRuleInput[], hours: number): Promise<Rehearsal> {
  const { createSandbox } = await import("@fleetwire/sandbox");
  const until = Math.floor(Date.now() / MINUTE) * MINUTE;
  const start = until - hours * 60 * MINUTE;
  let at = start;
  const clock = () => at;
  const sandbox = createSandbox({ clock, start, rhythm: "nonstop" });
  const config = { ...fleetToolsConfigFromEnv(sandbox.env), snapshotSeconds: 0, sandbox: true };
  const fetch: typeof globalThis.fetch = (input, init) => sandbox.fetch(input, init);
  const tools = createFleetTools(config, {
    fleet: createFleetClient({ ...config, fetch }),
    now: clock,
    gazetteer: () => import("@fleetwire/tools/gazetteer"),
  });
  const untried: string[] = [];
  const tried: WatchRuleInput[] = [];
  for (const rule of rules) {
    try {
      await explainRules(tools, { rules: [rule] });
      tried.push(rule);
    } catch (error) {
      untried.push((error as FleetError).message.replace(/^rules: /, ""));
    }
  }
  const events: WatchEvent[] = [];
  if (tried.length === 0) return { events, untried };
  const ending = new AbortController();
  const file = { rules: tried };
  const advance = () => {
    at += MINUTE;
    if (at >= until) ending.abort();
    return file;
  };
  for await (const event of watchFleet(tools, advance, { signal: ending.signal, everySeconds: 0.001 })) events.push(event);
  return { events, untried };
}
