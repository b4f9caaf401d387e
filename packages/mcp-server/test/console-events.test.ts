import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { served, tenantsUnderTest } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const STARTS = { id: "start", when: "starts" };
const DRIVES = { eventType: "driving", speed: 70 };
const STOPPED = { eventType: "stopped", speed: 0 };
const ANY = "when any vehicle starts driving after a stop";

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

function rulesIn(rules: unknown) {
  const path = join(temporaryFolder(), "rules.json");
  const write = (next: unknown) => writeFileSync(path, typeof next === "string" ? next : JSON.stringify({ rules: next }));
  write(rules);
  return { path, write };
}

/** A console's events, as its page reads them, of a service with one vehicle, which is stopped. */
async function underTest(rules: unknown, more: object = {}, env: Record<string, string> = {}) {
  let position = { assetId: "v1", assetName: "Van 1", ...STOPPED, date: secondsAgo(60), ...more };
  let status = 200;
  const service = await fleetService({ listLivePositions: () => ({ status, body: [position] }) });
  const { path, write } = rulesIn(rules);
  const all = { ...environmentOf(service.origin), FLEET_RULES: path, ...env };
  const start = async () => {
    const { get, log } = await served(all);
    const events = async (after = "") => JSON.parse((await get(`/console/api/events?after=${after}`)).text);
    const reported = async () => (await events()).events.map(({ rule }: { rule: string }) => rule);
    return { events, reported, log };
  };
  return {
    ...(await start()),
    /** Another server. */
    start,
    write,
    /** The vehicle's next record. */
    report: (changes: object) => {
      position = { ...position, date: secondsAgo(0), ...changes };
    },
    fail: () => {
      status = 503;
    },
  };
}

it("shows the rules in words and what has happened since the server started, each event once", async () => {
  const { events, report } = await underTest([{ ...STARTS, vehicle: "Van 1" }]);
  const rules = ["start: when Van 1 (v1) starts driving after a stop"];
  expect(await events()).toEqual({ since: expect.any(Number), ruleCount: 1, rules, events: [] });
  report(DRIVES);
  const [first, ...none] = (await events()).events;
  const [id, at, text] = [expect.any(String), expect.any(String), expect.stringContaining("Van 1")];
  expect([first, none]).toEqual([{ id, rule: "start", when: "starts", text, at, vehicle: { id: "v1", name: "Van 1" } }, []]);
  expect((await events()).events).toEqual([first]);
  expect((await events(first.id)).events).toEqual([]);
  expect((await events("of-another-process")).events).toEqual([first]);
});

it("keeps the latest 200 events, and names the first 100 rules", async () => {
  const { events, report } = await underTest(Array.from({ length: 210 }, (_, at) => ({ ...STARTS, id: `start-${at}` })));
  await events();
  report(DRIVES);
  const shown = await events();
  expect([shown.ruleCount, shown.rules.length, shown.events.length]).toEqual([210, 100, 200]);
  expect(shown.events.at(-1).rule).toBe("start-209");
});

const HIDDEN = { FLEET_DRIVER_NAMES: "hide" };
const DRIVEN = { driverId: "d1", driverName: "canary-Ana Sousa" };

it("hides what the tools hide: names of drivers, and everything about a private journey but that it begins", async () => {
  const [here, there] = [
    { latitude: 45.76, longitude: 4.84 },
    { latitude: 46.5, longitude: 5.5, formattedAddress: "canary-street" },
  ];
  const leaves = { id: "gone", when: "leaves", at: { lat: 45.76, lng: 4.84, radiusMetres: 300 } };
  const rules = [STARTS, leaves, { id: "private", when: "becomesPrivate" }, { id: "fast", when: "speedOver", kmh: 50 }];
  const { events, reported, report } = await underTest(rules, { ...DRIVEN, ...here }, HIDDEN);
  await events();
  report({ ...DRIVES, privacy: true, ...there });
  expect(await reported()).toEqual(["private"]);
  report({ ...STOPPED, privacy: false, ...here });
  await events();
  report(DRIVES);
  expect(await reported()).toEqual(["private", "start", "fast"]);
  expect(JSON.stringify(await events())).not.toContain("canary");
});

const PSEUDONYM = /^start: when Driver [0-9a-f]{10} \(d1\) starts driving after a stop$/;
it.each<[what: string, rule: object, shown: RegExp | undefined, problem: RegExp | undefined]>([
  ["by the name", { driver: "canary-Ana Sousa" }, PSEUDONYM, undefined],
  ["by a name that nobody has", { driver: "canary-Ana Souza" }, undefined, /^rule start\.driver: No driver is called so, or several are/],
  ["as a vehicle", { vehicle: "canary-Ana Sousa" }, undefined, /^rule start\.vehicle: No vehicle matches "Driver [0-9a-f]{10}"/],
])("shows a pseudonym for a driver whom a rule names %s, where names are hidden", async (_, rule, words, problem) => {
  const { events, reported, report } = await underTest([{ ...STARTS, ...rule }], DRIVEN, HIDDEN);
  const first = await events();
  expect(first.rules).toEqual(words ? [expect.stringMatching(words)] : []);
  expect(first.problem).toEqual(problem && expect.stringMatching(problem));
  report(DRIVES);
  expect(await reported()).toEqual(problem ? [] : ["start"]);
  expect(JSON.stringify(await events()).toLowerCase()).not.toContain("canary");
});

it("says why rules are not watched, and takes over a file that is edited, as a whole or not at all", async () => {
  const wrong = [{ ...STARTS, vehicle: "Van 9" }];
  const { events: refused, start, write, report } = await underTest(wrong);
  expect(await refused()).toEqual({ problem: expect.stringContaining("rule start.vehicle: "), ruleCount: 0, rules: [], events: [] });
  write([STARTS]);
  const { events, log } = await start();
  const rules = [`start: ${ANY}`];
  expect(await events()).toMatchObject({ rules });
  for (const [next, problem] of [
    ["{", /^the file of rules has changed and cannot be read; the rules before stay$/],
    [wrong, /rule start\.vehicle: /],
    [[{ id: "start" }], /rule start/],
  ] as const) {
    write(next);
    expect(await events()).toMatchObject({ rules, problem: expect.stringMatching(problem) });
  }
  report(DRIVES);
  expect((await events()).events).toHaveLength(1);
  write([{ ...STARTS, id: "moves" }]);
  const repaired = await events();
  expect([repaired.rules, repaired.problem]).toEqual([[`moves: ${ANY}`], undefined]);
  expect(log.map(({ msg, error }) => [msg, error])).toEqual([
    ["rules not read; the previous ones remain in use", undefined],
    ["rules not watched", "input"],
    ["rules not watched", "input"],
  ]);
  expect(JSON.stringify(log)).not.toContain("Van");
});

it("says once that there is no data, and waits for a service that is down from the start", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { events, start, fail } = await underTest([STARTS]);
  await events();
  fail();
  await events();
  vi.setSystemTime(Date.now() + 121_000);
  const noData = { id: expect.any(String), when: "noData", text: expect.stringContaining("No data since"), at: expect.any(String) };
  for (const _ of ["at once", "again"]) expect((await events()).events).toEqual([noData]);
  const late = await start();
  expect(await late.events()).toMatchObject({ problem: expect.stringContaining("HTTP 503"), ruleCount: 0, events: [] });
  vi.useRealTimers();
});

it("shows a caller the events of its own customer, by that customer's rules", async () => {
  const customers = {
    north: { settings: { FLEET_RULES: rulesIn([STARTS]).path } },
    south: { settings: { FLEET_RULES: rulesIn([{ ...STARTS, id: "go" }]).path } },
    west: {},
  };
  const { server, tokens, services } = await tenantsUnderTest(customers, { env: { FLEET_SNAPSHOT_SECONDS: "0" } });
  const report = (name: keyof typeof customers, more: object) => {
    const body = [{ assetId: "v1", assetName: `Van of ${name}`, date: secondsAgo(0), ...more }];
    services[name].script = { ...services[name].script, listLivePositions: () => ({ body }) };
  };
  const { origin } = new URL(server.http.url);
  const events = async (name: keyof typeof customers) => {
    const form = { "content-type": "application/x-www-form-urlencoded", origin };
    const body = new URLSearchParams({ token: tokens[name] }).toString();
    const { headers } = await raw(`${origin}/console/sign-in`, { headers: form, body });
    const cookie = String((headers["set-cookie"] as string[])[0]).split(";")[0] ?? "";
    return JSON.parse((await server.get("/console/api/events", { cookie })).text);
  };
  for (const name of ["north", "south", "west"] as const) report(name, { ...STOPPED, date: secondsAgo(60) });
  for (const name of ["north", "south"] as const) expect((await events(name)).events).toEqual([]);
  for (const name of ["north", "south", "west"] as const) report(name, DRIVES);
  for (const [name, rule] of Object.entries({ north: "start", south: "go" } as const)) {
    const { rules, events: seen } = await events(name as "north");
    expect(rules).toEqual([`${rule}: ${ANY}`]);
    expect(seen).toMatchObject([{ rule, vehicle: { name: `Van of ${name}` } }]);
  }
  // Without rules there is nothing to show, and the fleet is not read for it.
  expect(await events("west")).toBeNull();
  expect(services.west.received).toEqual([]);
});

it.each<[string, () => unknown, RegExp]>([
  ["a customer's rules that are wrong", () => rulesIn([{ id: "x", when: "explodes" }]).path, /^north: rules: rule x\.when: when must be/],
  ["rules that are not the path of a file", () => ({ file: "rules.json" }), /north: FLEET_RULES is the path of a file/],
  ["a file beside the tenants file that is missing", () => "rules.json", /^north: --rules \/.*\/rules\.json: cannot be read$/],
])("does not start with %s", async (_, rules, problem) => {
  await expect(tenantsUnderTest({ north: { settings: { FLEET_RULES: rules() } } })).rejects.toThrow(problem);
});
