import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { served, temporaryFolder, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { raw } from "./http-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

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
  const server = await served(env);
  const events = async (after = "") => {
    const { status, text } = await raw(new URL(`/console/api/events?after=${after}`, server.http.url).href, { method: "GET" });
    expect(status).toBe(200);
    return JSON.parse(text);
  };
  return { ...server, events };
}

const DRIVES = { eventType: "driving", speed: 70 };
const PARKS = { eventType: "stopped", speed: 0 };

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
  const { events } = await consoleOf({ ...van.env, FLEET_DRIVER_NAMES: "hide", FLEET_RULES: rulesIn(rules).path });
  await events();
  van.report({ ...DRIVES, privacy: true, latitude: 46.5, longitude: 5.5, formattedAddress: "canary-street" });
  const shown = await events();
  expect(shown.events.map(({ rule }: { rule: string }) => rule)).toEqual(["private"]);
  van.report({ ...PARKS, privacy: false, latitude: 45.76, longitude: 4.84 });
  await events();
  van.report(DRIVES);
  expect((await events()).events.map(({ rule }: { rule: string }) => rule)).toEqual(["private", "start", "fast"]);
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
  const { events } = await consoleOf({ ...van.env, FLEET_DRIVER_NAMES: "hide", FLEET_RULES: rulesIn([{ ...STARTS, ...rule }]).path });
  const first = await events();
  if (problem) expect(first).toMatchObject({ rules: [], problem: expect.stringMatching(problem) });
  else expect(first.rules).toEqual([expect.stringMatching(words)]);
  van.report(DRIVES);
  expect((await events()).events.map(({ rule: id }: { rule: string }) => id)).toEqual(problem ? [] : ["start"]);
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

/** The settings of a customer with this fleet. */
function settingsOf({ env }: { env: Record<string, string> }, rules?: unknown) {
  const { FLEET_CLIENT_SECRET: _, FLEET_CLIENT_ID: __, FLEET_LOG: ___, ...settings } = env;
  const secrets = { FLEET_CLIENT_ID: { env: "ID" }, FLEET_CLIENT_SECRET: { env: "SECRET" } };
  return { settings: { ...settings, ...secrets, ...(rules !== undefined && { FLEET_RULES: rules }) } };
}
const SECRETS = { ID: "canary-id", SECRET: "canary-secret" };

it("shows a caller the events of its own customer, by that customer's rules", async () => {
  const { file, tokens } = tokensFile({
    anna: { scopes: ["fleet:read"], tenant: "north" },
    ben: { scopes: ["fleet:read"], tenant: "south" },
    cleo: { scopes: ["fleet:read"], tenant: "west" },
  });
  const fleets = { north: await oneVehicle("North 1"), south: await oneVehicle("South 1"), west: await oneVehicle("West 1") };
  const tenants = tenantsFile({
    north: settingsOf(fleets.north, rulesIn([{ ...STARTS, vehicle: "North 1" }]).path),
    south: settingsOf(fleets.south, rulesIn([{ ...STARTS, id: "go" }]).path),
    west: settingsOf(fleets.west),
  });
  const env = {
    FLEET_TENANTS_FILE: tenants,
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: file,
    ID: "canary-id",
    SECRET: "canary-secret",
  };
  const { http } = await served(env);
  const { origin } = new URL(http.url);
  const events = async (token: string) => {
    const form = { "content-type": "application/x-www-form-urlencoded", origin };
    const { headers } = await raw(`${origin}/console/sign-in`, { headers: form, body: new URLSearchParams({ token }).toString() });
    const cookie = String((headers["set-cookie"] as string[])[0]).split(";")[0] ?? "";
    return JSON.parse((await raw(`${origin}/console/api/events`, { method: "GET", headers: { cookie } })).text);
  };
  for (const token of [tokens.anna, tokens.ben]) expect((await events(token)).events).toEqual([]);
  for (const { report } of Object.values(fleets)) report(DRIVES);
  const [anna, ben] = [await events(tokens.anna), await events(tokens.ben)];
  const shown = ({ rules, events: list }: typeof anna) => [rules, list.map(({ rule, vehicle }: typeof anna) => [rule, vehicle.name])];
  expect(shown(anna)).toEqual([["start: when North 1 (id-North 1) starts driving after a stop"], [["start", "North 1"]]]);
  expect(shown(ben)).toEqual([["go: when any vehicle starts driving after a stop"], [["go", "South 1"]]]);
  expect(await events(tokens.cleo)).toBeNull();
  expect(fleets.west.received).toEqual([]);
});

it.each<[string, unknown, RegExp]>([
  ["a customer's rules that are wrong", rulesIn, /^north: rules: rule x\.when: when must be one of/],
  ["rules that are not the path of a file", { file: "rules.json" }, /north: FLEET_RULES is the path of a file/],
  ["a file beside the tenants file that is missing", "rules.json", /^north: --rules \/.*\/rules\.json: cannot be read$/],
])("does not start with %s", async (_, given, problem) => {
  const rules = given === rulesIn ? rulesIn([{ id: "x", when: "explodes" }]).path : given;
  const { file } = tokensFile({ anna: { scopes: ["fleet:read"], tenant: "north" } });
  const tenants = tenantsFile({ north: settingsOf(await oneVehicle("North 1"), rules) });
  await expect(served({ FLEET_TENANTS_FILE: tenants, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, ...SECRETS })).rejects.toThrow(
    problem,
  );
});
