import { createFleetClient, type LivePosition, operations } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { type WatchRuleInput, watchFleet } from "@fleetwire/tools/watch";
import { expect } from "vitest";
import { seededRandom } from "../../../tests/vitest/seeded-random.ts";
import { createFleetTools, fleetToolsConfigFromEnv } from "../src/index.ts";

/** The end of the path of the live positions. */
const LIVE = operations.listLivePositions.path.split("/").slice(-2).join("/");
const START = Date.UTC(2026, 10, 20, 9);
const MINUTE = 60_000;
const DWELL = 30 * MINUTE;
/** A fault that is away for less is the same one. */
const FAULT_GONE = 30 * MINUTE;
const RULES: WatchRuleInput[] = [
  { id: "start", when: "starts" },
  { id: "stop", when: "stops", forMinutes: DWELL / MINUTE },
  { id: "speed", when: "speedOver", kmh: 80 },
  { id: "fuel", when: "fuelBelow", percent: 40 },
  { id: "fault", when: "faultBegins" },
  { id: "private", when: "becomesPrivate" },
  { id: "silent", when: "silent", forMinutes: 60 },
];
const SILENT = 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** How far the clock of this machine jumps, and for how many polls at most. */
const JUMPS = [
  [-3 * MINUTE, 1],
  [60 * MINUTE, 1],
  [60 * MINUTE, 30],
  [-10 * MINUTE, 30],
  [DAY, 15],
  [-DAY, 15],
  [400 * DAY, 3],
] as const;
/** For how many polls a vehicle states dates of the next day. */
const MAX_AHEAD_POLLS = 30;

/** For so long after a wrong date, an event may have another time. */
const UNTIMED = 90 * MINUTE;

/** With these, a poll fails. */
const FAILURES = ["429", "500", "503", "redirect", "reset-before", "reset-after", "cut-body", "truncated-json", "invalid-json"];
/** These change the middle record of the list, or nothing. */
const ODDITIES: (string | ((record: LivePosition) => LivePosition))[] = [
  ...["latency=1", "slow-body=10", "drift-enum", "drift-extra", "drift-null"],
  (record) => ({ ...record, latitude: 0, longitude: 0 }),
  (record) => ({ ...record, latitude: -270 }),
  // Away from the address and the geo-fence that it keeps.
  (record) => ({ ...record, latitude: (record.latitude ?? 0) + 2.7 }),
];

interface Known {
  date: number;
  stopped?: boolean;
  moved?: boolean;
  stillSince?: number | undefined;
  slow?: boolean;
  full?: boolean;
  isPrivate: boolean;
  codes?: Map<string, number>;
}

const nameOf = (event: string, assetName: string | undefined, at: number, code = "") =>
  `${new Date(at).toISOString()} ${event} ${assetName}${code && ` ${code}`}`;

/** What the rules should say, computed from the records of the simulation, one poll after the other. */
class Truth {
  readonly expected: string[] = [];
  readonly #vehicles = new Map<string, Known>();

  /** The records that arrived, and those that were listed in their place, at the time of a poll. */
  poll(now: number, arrived: readonly LivePosition[], listed: readonly LivePosition[]): void {
    for (const record of arrived) this.#see(record, now);
    for (const { assetId = "", assetName, privacy } of listed) {
      const known = this.#vehicles.get(assetId);
      if (known && privacy !== true) this.#standsStill(known, assetName, now);
    }
  }

  #see(record: LivePosition, now: number): void {
    const { assetId = "", assetName, eventType, speed, fuelLevelPercentage: fuel, privacy = false, activeFaultCodes } = record;
    const date = Date.parse(String(record.date));
    const known = this.#vehicles.get(assetId);
    if (known && date <= known.date) return;
    const state: Known = known ?? { date, isPrivate: true };
    this.#vehicles.set(assetId, state);
    const tell = (event: string, code?: string) => this.expected.push(nameOf(event, assetName, date, code));
    state.date = date;
    if (privacy && !state.isPrivate) tell("private");
    state.isPrivate = privacy;
    this.#faults(state, date, activeFaultCodes, (code) => !privacy && tell("fault", code));
    if (privacy) {
      Object.assign(state, { stopped: false, moved: false, stillSince: undefined, slow: false, full: false });
      return;
    }
    if (eventType === "stopped") state.stopped = true;
    else if (eventType === "driving" && state.stopped) {
      state.stopped = false;
      tell("start");
    }
    if (eventType === "driving") Object.assign(state, { moved: true, stillSince: undefined });
    else if (eventType === "stopped" || eventType === "idling") {
      state.stillSince ??= date;
      this.#standsStill(state, assetName, now);
    }
    if (speed !== undefined && speed <= 77) state.slow = true;
    else if (speed !== undefined && speed > 80 && state.slow) {
      state.slow = false;
      tell("speed");
    }
    if (fuel !== undefined && fuel >= 45) state.full = true;
    else if (fuel !== undefined && fuel < 40 && state.full) {
      state.full = false;
      tell("fuel");
    }
  }

  #standsStill(state: Known, assetName: string | undefined, now: number): void {
    const { moved, stillSince } = state;
    if (!moved || stillSince === undefined || now - stillSince < DWELL) return;
    state.moved = false;
    this.expected.push(nameOf("stop", assetName, stillSince + DWELL));
  }

  #faults(state: Known, date: number, codes: readonly string[] | undefined, tell: (code: string) => void): void {
    if (!codes) return;
    const { codes: before } = state;
    const known = new Map<string, number>();
    for (const [code, gone] of before ?? [])
      if (!codes.includes(code) && date - (gone || date) <= FAULT_GONE) known.set(code, gone || date);
    for (const code of new Set(codes)) {
      const gone = before?.get(code);
      if (before && (gone === undefined || (gone > 0 && date - gone > FAULT_GONE))) tell(code);
      known.set(code, 0);
    }
    state.codes = known;
  }
}

/** Watches a simulated fleet for so many minutes, one poll a minute, while its service, its records and the clock fail in every way, and compares. */
export async function expectTruth(minutes: number, vehicles: number, moreThan: number, seed = 1): Promise<void> {
  const roll = seededRandom(seed);
  const chosen = <Item>(items: readonly Item[]): Item => items[Math.floor(roll() * items.length)] as Item;
  let [at, jump, outage, polls] = [START - MINUTE, 0, 0, 0];
  let jumpPolls = 0;
  const aheadUntil = new Map<number, number>();
  /** When a wrong date leaves it open at which minute an event of the vehicle happened. */
  const untimed: { name: string; from: number; until: number }[] = [];
  /** When the clock of this machine was wrong: a stop that has just lasted long enough is then not told if a private journey follows. */
  const jumpedAt: number[] = [];
  /** The dates of the vehicles' newest records, and when one with a wrong date arrived. */
  const heardAt = new Map<string, number>();
  const aheadDates = new Map<string, number>();
  const falselySilent: string[] = [];
  const sandbox = createSandbox({ clock: () => at, start: START, rhythm: "nonstop", vehicles });
  const truth = new Truth();
  let before: readonly LivePosition[] = [];
  const damaged = (records: readonly LivePosition[]) => {
    const middle = Math.floor(records.length / 2);
    const arrived: LivePosition[] = [];
    const listed: LivePosition[] = [];
    records.forEach((record, index) => {
      const old = before[index];
      const dies = index === middle ? 1 : roll();
      if (dies < 0.01) {
        // Missing from the list.
      } else if (dies < 0.02 && old) {
        // It may be news: the list before may have failed.
        arrived.push(old);
        listed.push(old);
      } else if (index !== middle && ((aheadUntil.get(index) ?? 0) > polls || dies < 0.0202)) {
        if ((aheadUntil.get(index) ?? 0) <= polls) {
          aheadUntil.set(index, polls + Math.floor(roll() * MAX_AHEAD_POLLS));
        }
        arrived.push({ ...record, date: new Date(at).toISOString() });
        listed.push({ ...record, date: new Date(Date.parse(String(record.date)) + DAY).toISOString() });
        untimed.push({ name: String(record.assetName), from: at - UNTIMED, until: at + UNTIMED });
      } else {
        arrived.push(record);
        listed.push(record);
        if (dies < 0.04 && old) listed.push(old);
        return;
      }
    });
    before = records;
    return { arrived, listed };
  };
  const hear = (listed: readonly LivePosition[]) => {
    for (const { assetId = "", date } of listed) {
      const sent = Date.parse(String(date));
      if (sent > at && aheadDates.get(assetId) === sent) continue;
      if (sent > at) aheadDates.set(assetId, sent);
      heardAt.set(assetId, Math.max(Math.min(sent, at), heardAt.get(assetId) ?? 0));
    }
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "GET" || !new URL(request.url).pathname.endsWith(LIVE)) return sandbox.fetch(request);
    polls++;
    // The first two are of the start.
    const isStart = polls <= 2;
    const clean = request.clone();
    if (!isStart && outage > 0) {
      outage--;
      request.headers.set("x-sandbox-fault", chosen(FAILURES));
      return sandbox.fetch(request);
    }
    const response = await sandbox.fetch(clean);
    const records = (await response.json()) as LivePosition[];
    const odd = !isStart && roll() < 0.1 ? chosen(ODDITIES) : undefined;
    if (odd) {
      if (typeof odd === "string") request.headers.set("x-sandbox-fault", odd);
      const changed = (await (await sandbox.fetch(request)).json()) as LivePosition[];
      const middle = Math.floor(changed.length / 2);
      const record = changed[middle];
      if (typeof odd === "function" && record) changed[middle] = odd(record);
      truth.poll(at, records, records);
      hear(records);
      before = records;
      return Response.json(changed);
    }
    const { arrived, listed } = isStart ? { arrived: records, listed: records } : damaged(records);
    truth.poll(at, arrived, listed);
    hear(listed);
    return Response.json(listed);
  };
  const config = { ...fleetToolsConfigFromEnv(sandbox.env), snapshotSeconds: 0, retries: 0 };
  const client = createFleetClient({ ...config, fetch });
  const tools = createFleetTools(config, { fleet: client, now: () => at + jump });
  const ending = new AbortController();
  const file = { rules: RULES };
  const advance = () => {
    const isPaused = roll() < 0.002;
    at += isPaused ? 20 * MINUTE : MINUTE;
    if (jumpPolls > 0) jumpPolls--;
    else if (polls > 2 && roll() < 0.01) {
      const [by, longest] = chosen(JUMPS);
      [jump, jumpPolls] = [by, Math.floor(roll() * longest)];
    } else jump = 0;
    if (jump !== 0) jumpedAt.push(at);
    if (outage === 0 && roll() < 0.01) outage = 1 + Math.floor(roll() * 5);
    if (at >= START + minutes * MINUTE) ending.abort();
    return file;
  };
  const told: string[] = [];
  const ids: string[] = [];
  for await (const { id, rule, vehicle, cause, at: time } of watchFleet(tools, advance, { signal: ending.signal, everySeconds: 0.001 })) {
    ids.push(id);
    if (rule === undefined) continue;
    if (rule === "silent") {
      const last = heardAt.get(vehicle?.id ?? "") ?? 0;
      if (at - last < SILENT) falselySilent.push(`${nameOf(rule, vehicle?.name, at)}, heard at ${new Date(last).toISOString()}`);
    } else told.push(nameOf(rule, vehicle?.name, Date.parse(time), cause["code"] as string | undefined));
  }
  const middle = before[Math.floor(before.length / 2)]?.assetName;
  const isTimed = (line: string) => {
    const [time = "", , ...name] = line.split(" ");
    const isAbout = (vehicle: string | undefined) => name.join(" ").startsWith(`${vehicle}`);
    return (
      !isAbout(middle) && !untimed.some(({ name, from, until }) => isAbout(name) && Date.parse(time) > from && Date.parse(time) < until)
    );
  };
  const isSoon = (at: number, time: number) => at >= time && at - time <= 3 * MINUTE;
  const privateJourneys = truth.expected.filter((line) => line.split(" ")[1] === "private");
  const isHidden = (line: string) => {
    const [time = "", event, ...name] = line.split(" ");
    const isNext = (other: string) =>
      other.endsWith(` ${name.join(" ")}`) && isSoon(Date.parse(other.slice(0, time.length)), Date.parse(time));
    return event === "stop" && jumpedAt.some((at) => isSoon(at, Date.parse(time))) && privateJourneys.some(isNext);
  };
  const without = (lines: readonly string[]) => lines.filter((line) => isTimed(line) && !isHidden(line)).sort();
  const expected = without(truth.expected);
  expect(expected.length).toBeGreaterThan(moreThan);
  expect(without(told)).toEqual(expected);
  expect(new Set(ids).size).toBe(ids.length);
  expect(falselySilent).toEqual([]);
}
