import { createFleetClient, type LivePosition } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { expect, it } from "vitest";
import { createFleetTools, fleetToolsConfigFromEnv } from "../src/index.ts";
import { type WatchRuleInput, watchFleet } from "../src/watch.ts";

const START = Date.UTC(2026, 10, 20, 9);
const MINUTE = 60_000;
const MINUTES = 60;
const RULES: WatchRuleInput[] = [
  { id: "start", when: "starts" },
  { id: "fault", when: "faultBegins" },
  { id: "private", when: "becomesPrivate" },
];

/** What the rules should say, computed from the bare list at each minute. */
function expectedFrom(polls: readonly (readonly LivePosition[])[]): string[] {
  const stopped = new Set<string>();
  const codes = new Map<string, Set<string>>();
  const isPrivate = new Map<string, boolean>();
  const expected: string[] = [];
  for (const poll of polls) {
    for (const { assetId = "", assetName, eventType, privacy = false, activeFaultCodes } of poll) {
      if (privacy && isPrivate.get(assetId) === false) expected.push(`private ${assetName}`);
      isPrivate.set(assetId, privacy);
      if (privacy) stopped.delete(assetId);
      else if (eventType === "stopped") stopped.add(assetId);
      else if (eventType === "driving" && stopped.delete(assetId)) expected.push(`start ${assetName}`);
      if (!activeFaultCodes) continue;
      const known = codes.get(assetId);
      if (known && !privacy) for (const code of activeFaultCodes) if (!known.has(code)) expected.push(`fault ${assetName} ${code}`);
      codes.set(assetId, new Set([...(known ?? []), ...activeFaultCodes]));
    }
  }
  return expected.sort();
}

it("reports in a simulated hour what the simulation did", async () => {
  let at = START;
  const clock = () => at;
  const sandbox = createSandbox({ clock, start: START, rhythm: "nonstop", vehicles: 100 });
  const config = { ...fleetToolsConfigFromEnv(sandbox.env), snapshotSeconds: 0 };
  const client = createFleetClient({ ...config, fetch: (input, init) => sandbox.fetch(input, init) });
  const polls: LivePosition[][] = [];
  for (let minute = 0; minute < MINUTES; minute++, at += MINUTE) polls.push(await client.listLivePositions({}));
  at = START - MINUTE;
  const tools = createFleetTools(config, { fleet: client, now: clock });
  const ending = new AbortController();
  const file = { rules: RULES };
  const advance = () => {
    at += MINUTE;
    if (at >= START + MINUTES * MINUTE) ending.abort();
    return file;
  };
  const told: string[] = [];
  const ids = new Set<string>();
  for await (const { id, rule, vehicle, cause } of watchFleet(tools, advance, { signal: ending.signal, everySeconds: 0.001 })) {
    told.push([rule, vehicle?.name, cause["code"]].filter(Boolean).join(" "));
    ids.add(id);
  }
  const expected = expectedFrom(polls);
  expect(expected.length).toBeGreaterThan(10);
  expect(told.sort()).toEqual(expected);
  expect(ids.size).toBe(told.length);
}, 120_000);
