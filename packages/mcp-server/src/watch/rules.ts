import { readFileSync } from "node:fs";
import { createFleetClient, FleetError } from "@fleetwire/core";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { explainRules, type WatchEvent, type WatchRuleInput, type WatchRules, watchFleet } from "@fleetwire/tools/watch";

const MINUTE = 60_000;
/** What is rehearsed. */
const HOURS = 4;
const MAX_BYTES = 10 * 1024 * 1024;

function read(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length <= MAX_BYTES) return text;
  } catch {
    throw new FleetError("config", `--rules ${path}: cannot be read`, { advice: "Name a file that this user can read" });
  }
  throw new FleetError("config", `--rules ${path}: is larger than 10 MB`);
}

function parse(path: string, text: string): WatchRules {
  try {
    return JSON.parse(text) as WatchRules;
  } catch {
    throw new FleetError("input", `--rules ${path}: is not JSON`, {
      advice: 'Write rules such as {"rules": [{"id": "start", "when": "starts"}]}',
    });
  }
}

/**
 * Returns a function that reads the rules again whenever the file has changed. A file that cannot be read or parsed then leaves them as they are:
 * `report` is called with the reason, and with undefined once it is well again.
 */
export function rulesFile(path: string, report: (problem: string | undefined) => void): () => WatchRules {
  let text = read(path);
  let rules = parse(path, text);
  let before: string | undefined;
  const readAgain = () => {
    try {
      const next = read(path);
      if (next !== text) rules = parse(path, next);
      text = next;
      return undefined;
    } catch (error) {
      return `${(error as FleetError).message}; the rules before stay`;
    }
  };
  return () => {
    const problem = readAgain();
    if (problem !== before) report(problem);
    before = problem;
    return rules;
  };
}

export const lineOf = ({ at, text, late }: WatchEvent): string =>
  `${at.slice(0, 16).replace("T", " ")} UTC  ${text}${late ? " (noticed late)" : ""}`;

/** Watches the sandbox's last hours, minute by minute. Returns lines with what happened, and why rules could not be tried. */
export async function rehearse(rules: readonly WatchRuleInput[]): Promise<string[]> {
  const { createSandbox } = await import("@fleetwire/sandbox");
  const until = Math.floor(Date.now() / MINUTE) * MINUTE;
  const start = until - HOURS * 60 * MINUTE;
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
  const events: string[] = [];
  const untried: string[] = [];
  const tried: WatchRuleInput[] = [];
  for (const rule of rules) {
    try {
      await explainRules(tools, { rules: [rule] });
      tried.push(rule);
    } catch (error) {
      untried.push(`not tried: ${(error as FleetError).message.replace(/^rules: /, "")}`);
    }
  }
  const ending = new AbortController();
  const file = { rules: tried };
  const advance = () => {
    at += MINUTE;
    if (at >= until) ending.abort();
    return file;
  };
  if (tried.length > 0)
    for await (const event of watchFleet(tools, advance, { signal: ending.signal, everySeconds: 0.001 })) events.push(lineOf(event));
  const heading = `In the last ${HOURS} hours of the sandbox, whose vehicles are made up:`;
  return [heading, ...(events.length === 0 ? ["nothing"] : events), ...untried];
}
