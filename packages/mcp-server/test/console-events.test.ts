import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { served, temporaryFolder } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { environmentOf } from "./server-under-test.ts";
import { tenantsUnderTest } from "./tenants-under-test.ts";

const STARTS = { id: "start", when: "starts" };

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** A service with one vehicle, which is stopped. */
async function oneVehicle(name: string, more: object = {}) {
  const vehicle = { assetId: `id-${name}`, assetName: name, eventType: "stopped", speed: 0, date: secondsAgo(60), ...more };
  let position: Record<string, unknown> = vehicle;
  let status = 200;
  const service = await fleetService({ listLivePositions: () => ({ status, body: [position] }) });
  return {
    env: { ...environmentOf(service.origin), FLEET_SNAPSHOT_SECONDS: "0" },
    /** Its next record. */
    report: (changes: object) => {
      position = { ...position, date: secondsAgo(0), ...changes };
    },
    fail: () => {
      status = 503;
    },
    received: service.received,
  };
}

function rulesIn(rules: unknown) {
  const path = join(temporaryFolder(), "rules.json");
  const write = (next: unknown) => writeFileSync(path, typeof next === "string" ? next : JSON.stringify({ rules: next }));
  write(rules);
  return { path, write };
}

/** The console's events, as its page reads them. */
async function consoleOf(env: Record<string, string>) {
  const { get, log } = await served(env);
  const events = async (after = "") => JSON.parse((await get(`/console/api/events?after=${after}`)).text);
  /** The rules of the events. */
  const reported = async () => (await events()).events.map(({ rule }: { rule: string }) => rule);
  return { events, reported, log };
}

const DRIVES = { eventType: "driving", speed: 70 };

it("has nothing to show without rules, and does not read the fleet for it", async () => {
  const { env, received } = await oneVehicle("Van 1");
  const { events } = await consoleOf(env);
  expect(await events()).toBeNull();
  expect(received).toEqual([]);
});

it("shows the rules in words and what has happened since the server started, each event once", async () => {
  const van = await oneVehicle("Van 1");
  const { events } = await consoleOf({ ...van.env, FLEET_RULES: rulesIn([{ ...STARTS, vehicle: "Van 1" }]).path });
  expect(await events()).toEqual({
    since: expect.any(Number),
    ruleCount: 1,
    rules: ["start: when Van 1 (id-Van 1) starts driving after a stop"],
    events: [],
  });
  van.report(DRIVES);
  const [first, ...none] = (await events()).events;
  expect([first, none]).toEqual([
    {
      id: expect.any(String),
      rule: "start",
      when: "starts",
      text: expect.stringContaining("Van 1"),
      at: expect.any(String),
      vehicle: { id: "id-Van 1", name: "Van 1" },
    },
    [],
  ]);
  expect((await events()).events).toEqual([first]);
  expect((await events(first.id)).events).toEqual([]);
  expect((await events("of-another-process")).events).toEqual([first]);
});

it("keeps the latest 200 events, and names the first 100 rules", async () => {
  const van = await oneVehicle("Van 1");
  const rules = rulesIn(Array.from({ length: 210 }, (_, at) => ({ ...STARTS, id: `start-${at}` })));
  const { events } = await consoleOf({ ...van.env, FLEET_RULES: rules.path });
  await events();
  van.report(DRIVES);
  const shown = await events();
  expect([shown.ruleCount, shown.rules.length, shown.events.length]).toEqual([210, 100, 200]);
  expect(shown.events.at(-1).rule).toBe("start-209");
});

it("hides what the tools hide: names of drivers, and everything about a private journey but that it begins", async () => {
  const van = await oneVehicle("Van 1", { driverId: "d1", driverName: "canary-Ana Sousa", latitude: 45.76, longitude: 4.84 });
  const at = { lat: 45.76, lng: 4.84, radiusMetres: 300 };
  const rules = [
    STARTS,
    { id: "gone", when: "leaves", at },
    { id: "private", when: "becomesPrivate" },
    { id: "fast", when: "speedOver", kmh: 50 },
  ];
  const { events, reported } = await consoleOf({ ...van.env, FLEET_DRIVER_NAMES: "hide", FLEET_RULES: rulesIn(rules).path });
  await events();
  van.report({ ...DRIVES, privacy: true, latitude: 46.5, longitude: 5.5, formattedAddress: "canary-street" });
  expect(await reported()).toEqual(["private"]);
  van.report({ eventType: "stopped", speed: 0, privacy: false, latitude: 45.76, longitude: 4.84 });
  await events();
  van.report(DRIVES);
  expect(await reported()).toEqual(["private", "start", "fast"]);
  expect(JSON.stringify(await events())).not.toContain("canary");
});

it.each<[what: string, rule: object, shown: RegExp, problem: RegExp | undefined]>([
  ["by the name", { driver: "canary-Ana Sousa" }, /^start: when Driver [0-9a-f]{10} \(d1\) starts driving after a stop$/, undefined],
  ["in other letters", { driver: "CANARY-ana sousa" }, /^start: when Driver [0-9a-f]{10} \(d1\) starts/, undefined],
  ["by the id", { driver: "d1" }, /^start: when Driver [0-9a-f]{10} \(d1\) starts/, undefined],
  ["by a name that nobody has", { driver: "canary-Ana Souza" }, /never/, /^rule start\.driver: No driver is called so, or several are/],
  ["as a vehicle", { vehicle: "canary-Ana Sousa" }, /never/, /^rule start\.vehicle: No vehicle matches "Driver [0-9a-f]{10}"/],
])("shows a pseudonym for a driver whom a rule names %s, where names are hidden", async (_, rule, words, problem) => {
  const van = await oneVehicle("Van 1", { driverId: "d1", driverName: "canary-Ana Sousa" });
  const rules = rulesIn([{ ...STARTS, ...rule }]).path;
  const { events, reported } = await consoleOf({ ...van.env, FLEET_DRIVER_NAMES: "hide", FLEET_RULES: rules });
  const first = await events();
  if (problem) expect(first).toMatchObject({ rules: [], problem: expect.stringMatching(problem) });
  else expect(first.rules).toEqual([expect.stringMatching(words)]);
  van.report(DRIVES);
  expect(await reported()).toEqual(problem ? [] : ["start"]);
  expect(JSON.stringify(await events()).toLowerCase()).not.toContain("canary");
});

it("says why rules are not watched, and takes over a file that is edited, as a whole or not at all", async () => {
  const van = await oneVehicle("Van 1");
  const { path, write } = rulesIn([{ ...STARTS, vehicle: "Van 9" }]);
  const refused = await consoleOf({ ...van.env, FLEET_RULES: path });
  expect(await refused.events()).toEqual({ problem: expect.stringContaining("rule start.vehicle: "), ruleCount: 0, rules: [], events: [] });
  write([STARTS]);
  const { events, log } = await consoleOf({ ...van.env, FLEET_RULES: path });
  const rules = ["start: when any vehicle starts driving after a stop"];
  expect(await events()).toMatchObject({ rules });
  for (const [next, problem] of [
    ["{", /^the file of rules has changed and cannot be read; the rules before stay$/],
    [[{ ...STARTS, vehicle: "Van 9" }], /rule start\.vehicle: /],
    [[{ id: "start" }], /rule start/],
  ] as const) {
    write(next);
    expect(await events()).toMatchObject({ rules, problem: expect.stringMatching(problem) });
  }
  van.report(DRIVES);
  expect((await events()).events).toHaveLength(1);
  write([{ id: "moves", when: "starts" }]);
  const repaired = await events();
  expect([repaired.rules, repaired.problem]).toEqual([["moves: when any vehicle starts driving after a stop"], undefined]);
  expect(log.map(({ msg, error }) => [msg, error])).toEqual([
    ["rules not read; the previous ones remain in use", undefined],
    ["rules not watched", "input"],
    ["rules not watched", "input"],
  ]);
  expect(JSON.stringify(log)).not.toContain("Van");
});

it("says once that there is no data, and waits for a service that is down from the start", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const van = await oneVehicle("Van 1");
  const { path } = rulesIn([STARTS]);
  const { events } = await consoleOf({ ...van.env, FLEET_RULES: path });
  await events();
  van.fail();
  await events();
  vi.setSystemTime(Date.now() + 121_000);
  for (const _ of ["at once", "again"])
    expect((await events()).events).toEqual([
      { id: expect.any(String), when: "noData", text: expect.stringContaining("No data since"), at: expect.any(String) },
    ]);
  const late = await consoleOf({ ...van.env, FLEET_RULES: path });
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
  for (const name of ["north", "south", "west"] as const) report(name, { eventType: "stopped", speed: 0, date: secondsAgo(60) });
  for (const name of ["north", "south"] as const) expect((await events(name)).events).toEqual([]);
  for (const name of ["north", "south", "west"] as const) report(name, DRIVES);
  for (const [name, rule] of [
    ["north", "start"],
    ["south", "go"],
  ] as const) {
    const { rules, events: seen } = await events(name);
    expect(rules).toEqual([`${rule}: when any vehicle starts driving after a stop`]);
    expect(seen).toMatchObject([{ rule, vehicle: { name: `Van of ${name}` } }]);
  }
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
