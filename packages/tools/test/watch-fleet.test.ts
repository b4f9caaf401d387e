import type { LivePosition } from "@fleetwire/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ExecuteOptions } from "../src/index.ts";
import type { Responder, Script } from "./fleet-service.ts";
import { memoryStore } from "./memory-store.ts";
import { servedFleet } from "./served-fleet.ts";
import { at, DEPOT, PARIS, truck, van } from "./watched-polls.ts";

const ARRIVES = { when: "arrives", who: "Van 1", value: "Lyon Depot" };

const FAULTY = [{ id: "v1", faults: [{ code: "P0420", inProgress: true, details: { lamps: ["RED_STOP", "AMBER_WARNING"] } }] }];
const CONFIRM = { FLEET_CONFIRM: "auto" };

type Args = Record<string, unknown>;

/** A fleet whose records and clock a test sets, with the tool that waits for something to happen to it. */
async function watchable(records: LivePosition[] = [van(0, PARIS), truck()], env: Record<string, string> = {}, script: Script = {}) {
  let [minute, sent] = [0, records];
  const listLivePositions = () => ({ body: sent });
  const fleet = await servedFleet({
    script: { listLivePositions, listVehicleFaults: () => ({ body: { items: FAULTY } }), ...script },
    env,
    options: { now: () => Date.parse(at(minute)) },
  });
  const call = async (args: Args = {}, callOptions: ExecuteOptions = {}) => {
    const result = await fleet.tools.call("watch_fleet", args, callOptions);
    return { ...result, structured: result.structured as Args };
  };
  return {
    ...fleet,
    call,
    /** The texts of what a caller has not yet been told. */
    events: async (callOptions: ExecuteOptions = {}) =>
      ((await call({}, callOptions)).structured["newEvents"] as { text: string; at: string }[]).map(
        (event) => `${event.at.slice(11, 16)} ${event.text}`,
      ),
    /** The ids of a caller's rules. */
    rules: async () => ((await call()).structured["rules"] as { id: string }[]).map(({ id }) => id),
    become: (next: number, ...list: LivePosition[]) => {
      [minute, sent] = [next, list];
    },
  };
}

describe("watch_fleet understands", () => {
  it.each<[args: Args, words: string]>([
    [ARRIVES, "when Van 1 (v1) arrives at Lyon Depot"],
    [{ ...ARRIVES, when: "leaves", value: "truck 2" }, "when Van 1 (v1) leaves Truck 2 (v2)"],
    [{ ...ARRIVES, value: "45.75, 4.85" }, "when Van 1 (v1) arrives at 45.75, 4.85 (within 500 m)"],
    [{ when: "starts", who: "Vans" }, "when anyone in Vans"],
    [{ when: "entersCountry", value: "Deutschland" }, "when any vehicle enters Germany"],
    [{ when: "speedOver", value: "90 km/h", who: "v1" }, "when Van 1 (v1) drives faster than 90 km/h"],
    [{ when: "stops", value: "45 min" }, "when any vehicle stops for 45"],
    [{ when: "fuelBelow", value: "15%" }, "when any vehicle has less than 15% fuel"],
    [{ when: "faultBegins", value: "red lamp" }, "when any vehicle has a new fault with the lamp red"],
    [{ when: "faultBegins", value: "P0420" }, "when any vehicle has a new fault P0420"],
    [{ ...ARRIVES, value: "Route 66 Diner" }, "(no vehicle is at a location called “Route 66 Diner” now: the rule waits for exactly this"],
  ])("%j", async (args, words) => {
    const { call } = await watchable();
    const { text, structured } = await call(args);
    expect(text).toContain(words);
    expect(structured).toMatchObject({ rule: { id: "r1", waitsFor: expect.stringContaining(words), until: "2026-11-21T08:00:00Z" } });
  });
});

describe("watch_fleet refuses", () => {
  const twins = [van(0, PARIS), van(0, { assetId: "v3", assetRegistration: "KR 1", ...PARIS }), truck()];
  it.each<[what: string, args: Args, text: RegExp]>([
    ["a value in another unit", { when: "speedOver", value: "60 mph" }, /speedOver needs a number of km\/h/],
    ["a value for nothing", { when: "starts", value: "5" }, /starts takes none/],
    ["a country as a place", { ...ARRIVES, who: "v1", value: "Germany" }, /Germany is a country.*entersCountry/],
    ["a street address", { ...ARRIVES, who: "v1", value: "2 place Bellecour, Lyon" }, /^input: .*is an address.*Use a location, a town/],
    ["an unknown condition", { when: "explodes" }, /when/],
    ["two things at once", { ...ARRIVES, endRule: "r1" }, /endRule was given with a rule/],
    ["an id that it does not know", { endRule: "r7" }, /endRule: is not the id of one of your rules.*There are no rules/],
  ])("%s", async (_, args, text) => {
    const { call, rules } = await watchable(twins);
    const result = await call(args);
    expect({ ok: result.ok, text: result.text }).toEqual({ ok: false, text: expect.stringMatching(text) });
    expect(await rules()).toEqual([]);
  });

  it("an uncertain name, with a question", async () => {
    const { call, rules } = await watchable(twins);
    const question = expect.stringMatching(/^2 vehicles match "Van 1"/);
    expect((await call(ARRIVES)).structured).toMatchObject({ result: "ambiguous", field: "who", question });
    const misspelt = { ...ARRIVES, who: "v1", value: "Lyon Depto" };
    expect((await call(misspelt)).structured).toMatchObject({ result: "notFound", field: "value" });
    expect(await rules()).toEqual([]);
  });

  it("a sixth rule of one caller, and what no available tool reads", async () => {
    const { call } = await watchable();
    for (const kmh of [60, 70, 80, 90, 100]) expect((await call({ when: "speedOver", value: kmh })).ok).toBe(true);
    expect((await call({ when: "speedOver", value: 110 })).text).toMatch(/^rateLimited: there are 5 rules already/);
    expect((await call({ when: "speedOver", value: 110 }, { callerId: "ben" })).ok).toBe(true);
    const few = await watchable(undefined, { FLEET_TOOLS: "locate_vehicle,watch_fleet" });
    expect((await few.call({ when: "faultBegins", value: "red" })).text).toMatch(/^config: faultBegins needs listVehicleFaults/);
  });
});

describe("a rule", () => {
  it("is created and ended only with approval", async () => {
    const { call, rules, tools } = await watchable(undefined, CONFIRM);
    const tool = tools.byName.get("watch_fleet");
    const previewed = async (args: Args, words: string) => {
      const { structured, text } = await call(args);
      expect(structured, text).toMatchObject({ result: "confirmationNeeded" });
      expect(structured["preview"]).toContain(words);
      return structured["confirmation"];
    };
    const confirmation = await previewed(ARRIVES, "when Van 1 (v1) arrives at Lyon Depot");
    expect(await rules()).toEqual([]);
    for (const other of [{ ...ARRIVES, value: "Paris" }, { when: "starts" }])
      expect((await call({ ...other, confirmation })).text).toMatch(/^input: watch_fleet: the confirmation does not match/);
    expect((await call({ ...ARRIVES, confirmation }, { callerId: "ben" })).text).toMatch(/does not match/);
    expect((await call({ ...ARRIVES, confirmation })).text).toMatch(/^Watching r1: /);
    expect((await call({ ...ARRIVES, confirmation })).text).toMatch(/the confirmation was already used/);
    const ending = await previewed({ endRule: "r1" }, "End r1: when Van 1 (v1) arrives at Lyon Depot");
    expect(await rules()).toEqual(["r1"]);
    expect((await call({ endRule: "r1", confirmation: ending })).text).toMatch(/^Ended r1: /);
    expect(await rules()).toEqual([]);
    expect([{}, ARRIVES, { endRule: "r1" }, undefined].map((args) => tool?.needsApproval(args))).toEqual([false, true, true, true]);
    expect((await tool?.preview(ARRIVES))?.text).toContain("when Van 1 (v1) arrives at Lyon Depot");
    expect((await call(ARRIVES, { approved: true })).text).toMatch(/^Watching r2: /);
  });

  it.each<[args: Args, known: string]>([
    [{ when: "jobLate" }, "Late already: Job 1, Job 2, Job 3, Job 5, Job 6 and 1 more."],
    [{ when: "faultBegins", value: "lila" }, "No fault has a lamp called “lila” now; the lamps reported are RED_STOP, AMBER_WARNING."],
  ])("%j says in the preview and afterwards what is so already", async (args, known) => {
    const jobs = [1, 2, 3, 4, 5, 6, 7].map((number) => ({
      ...{ jobNumber: `${number}`, vehicleId: number % 2 ? "v1" : "v2", arrivalWindowEnd: at(10), eta: number === 4 ? at(9) : at(300) },
    }));
    const { call } = await watchable(undefined, CONFIRM, { listJobs: () => ({ body: jobs }) });
    const { structured, text } = await call(args);
    expect(text).toContain(known);
    expect((await call({ ...args, confirmation: structured["confirmation"] })).text).toContain(known);
    expect((await call({ when: "faultBegins", value: "red lamp" })).text).not.toContain("No fault has");
  });

  it.each(["yes", "declined"] as const)("waits for what the user says: %s", async (answer) => {
    const { call, rules } = await watchable(undefined, CONFIRM);
    const ask = vi.fn(async () => answer);
    await call(ARRIVES, { elicitation: { ask } });
    expect(ask).toHaveBeenCalledWith(expect.objectContaining({ text: expect.stringContaining("when Van 1 (v1) arrives at Lyon Depot") }));
    expect(await rules()).toEqual(answer === "yes" ? ["r1"] : []);
  });

  it("reports what happens, once, to its own caller", async () => {
    const { call, events, become } = await watchable();
    const [anna, ben] = [{ callerId: "anna" }, { callerId: "ben" }];
    await call(ARRIVES, anna);
    await call({ when: "becomesPrivate" }, ben);
    expect(await events(anna)).toEqual([]);
    become(5, van(5, DEPOT), truck());
    expect(await events(anna)).toEqual(["08:05 Van 1 (v1) arrived at Lyon Depot"]);
    expect(await events(anna)).toEqual([]);
    expect(await events(ben)).toEqual([]);
    expect((await call({ endRule: "r1" }, { callerId: "carl" })).ok).toBe(false);
  });

  it("reports nothing of private journeys, and no names that are hidden", async () => {
    const { call, events, become } = await watchable(undefined, { FLEET_DRIVER_NAMES: "hide" });
    expect((await call({ ...ARRIVES, who: "d1" })).text).not.toContain("Silva");
    await call(ARRIVES);
    become(5, van(5, { ...DEPOT, privacy: true }), truck());
    expect(await events()).toEqual([]);
    become(6, van(6, DEPOT), truck());
    expect(await events()).toEqual([]);
  });

  it("reports again what its caller cancelled", async () => {
    const { call, events, become } = await watchable();
    await call(ARRIVES);
    become(5, van(5, DEPOT), truck());
    const leaving = new AbortController();
    const left = call({}, { signal: leaving.signal });
    leaving.abort();
    expect((await left).ok).toBe(false);
    expect(await events()).toHaveLength(1);
    expect(await events()).toEqual([]);
  });

  it("is one rule if it is created twice, and ends after a day", async () => {
    const { call, rules, events, become } = await watchable();
    await Promise.all([call(ARRIVES), call(ARRIVES)]);
    expect((await call(ARRIVES)).text).toMatch(/^Watching r1: /);
    expect(await rules()).toEqual(["r1"]);
    become(1500, van(1500, DEPOT), truck(1500));
    expect((await call()).text).toMatch(/r1: .*, ended 2026-11-21 08:00/);
    expect(await events()).toEqual([]);
    expect(await rules()).toEqual([]);
  });

  it("is not offered if another process may serve the next call", async () => {
    const config = { sealKey: btoa("canary-".padEnd(32, "x")) };
    const { tools } = await servedFleet({ config, options: { writeStore: memoryStore().connect().store } });
    expect(tools.byName.has("watch_fleet")).toBe(false);
  });

  it("keeps events that do not fit the budget for the next call, and drops the oldest of too many", async () => {
    const fleetOf = (minute: number, place: object) =>
      Array.from({ length: 60 }, (_, index) => van(minute, { assetId: `v${index}`, assetName: `Van ${index}`, ...place }));
    const records = [...fleetOf(0, PARIS), truck(0, { ...DEPOT, assetId: "t2" })];
    const { call, events, become } = await watchable(records, { FLEET_MAX_RESULT_TOKENS: "400" });
    await call({ when: "arrives", value: "Lyon Depot" });
    become(5, ...fleetOf(5, DEPOT));
    const { text } = await call();
    expect(text).toMatch(/^50 new events, 1 rule\. 10 events before these were dropped\. Call again for the other \d+ events\./);
    expect(text.length / 4).toBeLessThan(400);
    const told = [...text.matchAll(/Van \d+/g)].map(([name]) => name);
    for (let more = await events(); more.length > 0; more = await events())
      told.push(...more.map((event) => event.slice(6).split(" (")[0] as string));
    expect(told).toEqual(Array.from({ length: 50 }, (_, index) => `Van ${index + 10}`));
  });
});

describe("the fleet is read by itself", () => {
  afterEach(() => void vi.useRealTimers());

  it("every half minute, as long as there are rules", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { call, service, tools, become } = await watchable();
    await call(ARRIVES);
    const [heard, listening] = [vi.fn(), new AbortController()];
    tools.watchEvents(undefined, heard, listening);
    become(5, van(5, DEPOT), truck());
    const before = service.of("listLivePositions").length;
    await vi.advanceTimersByTimeAsync(31_000);
    await vi.waitFor(() => expect(service.of("listLivePositions").length).toBe(before + 1));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
    listening.abort();
    // It is gone again before anybody asks.
    become(6, van(6, { ...PARIS, eventType: "driving", speed: 60 }), truck());
    const { structured } = await call();
    expect(structured["newEvents"]).toEqual([expect.objectContaining({ text: "Van 1 (v1) arrived at Lyon Depot" })]);
    await call({ endRule: "r1" });
    await vi.advanceTimersByTimeAsync(31_000);
    const after = service.of("listLivePositions").length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(service.of("listLivePositions")).toHaveLength(after);
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

it("reads for a rule as often as it lasts: no poll counts against the call that made the rule", async () => {
  const PAGES = 260;
  const listVehicleFaults: Responder = ({ url }) => {
    const pageIndex = Number(url.searchParams.get("pageIndex"));
    return { body: { items: [{ id: `v${pageIndex}`, faults: [] }], pagination: { totalItems: PAGES, totalPages: PAGES, pageIndex } } };
  };
  const { call, events, become, service } = await watchable(undefined, {}, { listVehicleFaults });
  await call({ when: "faultBegins", value: "red lamp" });
  for (let minute = 1; minute <= 4; minute++) {
    become(minute, van(minute, PARIS), truck());
    expect(await events()).toEqual([]);
  }
  expect(service.of("listVehicleFaults").length).toBeGreaterThan(4 * PAGES);
});
