import { createFleetClient } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { NOW, type Script, servedFleet, tachoRecords } from "../../tools/test/served-fleet.ts";
import { createFleetConsole, type FleetConsole } from "../src/index.ts";

/** The value of a section; throws if there is none. */
function known<Value>(section: { value: Value } | { problem: string }): Value {
  if ("problem" in section) throw new Error(section.problem);
  return section.value;
}

/** The driver's day of the panel of a vehicle. */
const dayOf = async (shown: FleetConsole, id = "v1") => known(known(await shown.vehicle(id))?.day ?? { problem: "no panel" });

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();

const FLEET = [
  { assetId: "v1", assetName: "Truck 12", assetRegistration: "AB 123", driverId: "p1", driverName: "Ana Ruiz", odometer: 7 },
  { assetId: "v2", assetName: "Truck 13", assetGroupName: "Lyon Vans", driverName: "Bo Tanaka" },
  { assetId: "v3", assetName: "Étoile", driverId: "p3", driverName: "Cy Ng" },
  { assetName: "Truck 14", assetRegistration: "XY 9" },
  { assetId: "v5", assetName: "Bus 5" },
];

const FAULTS = [
  { code: "old", startDate: "2026-11-01T00:00:00Z", endDate: "2026-11-01T09:00:00Z" },
  { code: "open", startDate: "2026-10-01T00:00:00Z", inProgress: true },
  { code: "undated", inProgress: false },
  { code: "new", startDate: "2026-11-02T00:00:00Z", inProgress: false },
];

const ACTIVITIES = [
  { activity: "DRIVING", startTime: ago(2), inProgress: true },
  { activity: "REST", startTime: ago(30), endTime: ago(3) },
  { activity: "PAUSE", startTime: ago(3), endTime: ago(2) },
  { activity: "WORK", startTime: ago(40), endTime: ago(30) },
  { activity: "WORK", startTime: "soon" },
  { activity: "REST", startTime: ago(-1), endTime: ago(-2) },
];

/** A service that never responds, and the signal of the last request to it. */
function silentService() {
  let last: AbortSignal | undefined;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { signal } = new Request(input, init);
    last = signal;
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  return { fetch, signal: () => last as AbortSignal };
}

/** The positions of the vehicles asked for. */
const positions: Script = {
  listLivePositions: ({ url }) => {
    const id = url.searchParams.get("vehicleIds");
    return { body: FLEET.filter(({ assetId }) => id === null || assetId === id) };
  },
};

async function consoleOver(script: Script = {}, env: Record<string, string> = {}, now?: () => number) {
  const { tools, service } = await servedFleet({ script: { ...positions, ...script }, env });
  return { shown: createFleetConsole(tools, now), service };
}

it.each<[string, string, string[]]>([
  ["truck twelve", "found", ["v1"]],
  ["ab123", "found", ["v1"]],
  ["Truck 14", "found", []],
  ["truck 13 or 12", "ambiguous", ["v1", "v2"]],
  ["tru", "ambiguous", ["v1", "v2"]],
  ["AB 1", "ambiguous", ["v1"]],
  ["rui", "ambiguous", ["v1"]],
  ["ly", "ambiguous", ["v2"]],
  [" ét ", "ambiguous", ["v3"]],
  ["uck", "notFound", []],
  ["truck 15", "notFound", ["v1", "v2"]],
])("the search for %j: %s %j", async (query, result, vehicleIds) => {
  const { shown } = await consoleOver();
  const found = known(await shown.search(query));
  expect({ ...found, vehicleIds: found.vehicleIds.toSorted() }).toEqual({ result, vehicleIds });
});

it("a search finds at most 100 vehicles", async () => {
  const fleet = Array.from({ length: 101 }, (_, at) => ({ assetId: `v${at}`, assetName: `Van ${at}` }));
  const { shown } = await consoleOver({ listLivePositions: () => ({ body: fleet }) });
  expect(known(await shown.search("van")).vehicleIds).toHaveLength(100);
});

describe("the panel of a vehicle", () => {
  const records: Script = {
    listVehicleFaults: ({ url }) => ({
      body: { items: [{ id: url.searchParams.get("vehicleId"), faults: FAULTS }, { id: "x" }], pagination: {} },
    }),
    ...tachoRecords([{ driverId: "p1", driverKey: "K1", activities: ACTIVITIES }]),
  };

  it("has all its fields, its faults with the open and the latest first, and its driver's day", async () => {
    const { shown, service } = await consoleOver(records, { FLEET_ACTIVITY_WORDS: "PAUSE=rest" });
    const panel = known(await shown.vehicle("v1"));
    expect(panel?.position).toMatchObject({ assetName: "Truck 12", odometer: 7 });
    expect(known(panel?.faults ?? { problem: "no panel" }).map(({ code }) => code)).toEqual(["open", "new", "old", "undated"]);
    expect(service.of("listVehicleFaults")[0]?.url.search).toMatch(/vehicleId=v1.*pageIndex=0|pageIndex=0.*vehicleId=v1/);
    const day = await dayOf(shown);
    expect(day).toMatchObject({ start: NOW - 24 * HOUR, end: NOW, time: { activity: "driving", left: {}, day: {}, sinceBreak: {} } });
    expect(day?.activities.map(({ kind, word, start, end }) => [kind, word, (NOW - start) / HOUR, (NOW - end) / HOUR])).toEqual([
      ["rest", "REST", 24, 3],
      ["rest", "PAUSE", 3, 2],
      ["driving", "DRIVING", 2, 0],
    ]);
  });

  it("shows a day with unknown words, but no figures, until the time of its clock", async () => {
    const { shown } = await consoleOver(records, {}, () => NOW - HOUR);
    const day = await dayOf(shown);
    expect(day).not.toHaveProperty("time");
    expect(day?.activities.map(({ kind, end }) => [kind, (NOW - end) / HOUR])).toEqual([
      ["rest", 3],
      [undefined, 2],
      ["driving", 1],
    ]);
  });

  it.each([
    ["a driver, whose entries it does not request", "v5", 0],
    ["entries of the driver", "v3", 1],
    ["an id of the driver", "v2", 0],
  ])("has no day without %s", async (_, id, requests) => {
    const { shown, service } = await consoleOver(records);
    expect([await dayOf(shown, id), service.of("queryTachoActivity").length > 0]).toEqual([undefined, requests > 0]);
  });

  it.each([
    ["cannot be read", { not: "a list" }],
    ["is gone", []],
  ])("shows what the view has if the rest %s", async (_, rest) => {
    const listLivePositions: Script["listLivePositions"] = ({ url }) => ({ body: url.searchParams.has("vehicleIds") ? rest : FLEET });
    const { shown } = await consoleOver({ ...records, listLivePositions });
    const panel = known(await shown.vehicle("v3"));
    expect([panel?.position.assetName, "value" in (panel?.faults ?? {})]).toEqual(["Étoile", true]);
  });

  it("does not exist without such a vehicle", async () => {
    expect(await (await consoleOver()).shown.vehicle("v9")).toEqual({ value: undefined });
  });
});

it("the faults of a vehicle are read from all pages, each once, and an odd end is none", async () => {
  const fault = (code: string, more: object = {}) => ({ code, startDate: "2026-11-19T06:00:00Z", ...more });
  const pages = [
    [{ id: "v1", faults: [fault("P1")] }],
    [
      { id: "v1", faults: [fault("P1")] },
      { id: "v2", faults: [fault("P2")] },
    ],
    [
      { id: "v1", faults: [fault("P3", { endDate: "1900-01-01T00:00:00Z", inProgress: true })] },
      { id: "v1", faults: [fault("P4")] },
    ],
  ];
  const { shown } = await consoleOver({
    listVehicleFaults: ({ url }) => ({
      body: { items: pages[Number(url.searchParams.get("pageIndex"))] ?? [], pagination: { totalItems: 5 } },
    }),
  });
  const faults = known(known(await shown.vehicle("v1"))?.faults ?? { problem: "no panel" });
  expect(faults.map(({ code, inProgress, endDate }) => [code, inProgress, endDate])).toEqual([
    ["P1", true, undefined],
    ["P3", true, undefined],
    ["P4", true, undefined],
  ]);
});

const drove = (from: number, more: object = {}) => ({ activity: "DRIVING", startTime: ago(from), ...more });

it.each<[what: string, activities: object[], driven: number]>([
  ["one in progress, when the next begins", [drove(4, { inProgress: true }), { activity: "REST", startTime: ago(3), endTime: ago(1) }], 1],
  ["one with an end in the future, now", [drove(1, { endTime: ago(-9) })], 1],
  ["one with an end in 9999, now", [drove(1, { endTime: "9999-12-31T23:59:59Z" })], 1],
  ["one in the future, never", [drove(3, { endTime: ago(2) }), drove(-1, { inProgress: true })], 1],
  ["one on two cards, once", [drove(3, { endTime: ago(2) }), drove(3, { endTime: ago(2) })], 1],
])("an activity ends as for the tools: %s", async (_, activities, driven) => {
  const cards = activities.map((one, card) => ({ driverId: "p1", driverKey: `D00000000000010${card}`, activities: [one] }));
  const { shown } = await consoleOver(tachoRecords(cards));
  const day = await dayOf(shown);
  const drawn = day?.activities.flatMap(({ kind, start, end }) => (kind === "driving" ? [(end - start) / HOUR] : [])) ?? [];
  expect(Math.max(...drawn)).toBe(driven);
});

it("jobs have those of their fields that look like a job's", async () => {
  const jobs = [{ jobNumber: "J1", status: 5, jobTitle: null, eta: "2026-11-20T09:00:00Z", secret: 1 }, "J2"];
  const { shown } = await consoleOver({ listJobs: () => ({ body: { jobs } }) });
  expect(known(await shown.jobs())).toEqual([{ jobNumber: "J1", eta: "2026-11-20T09:00:00Z" }, {}]);
  expect(await (await consoleOver()).shown.jobs()).toEqual({ problem: expect.stringContaining("404") });
});

it("a section says after half a minute that the service does not respond, and aborts its request", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { signal, fetch } = silentService();
  const servers = { base: "http://127.0.0.1:9" };
  const config = { customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers, timeout: 60_000, retries: 0 };
  const shown = createFleetConsole(createFleetTools(config, { fleet: createFleetClient({ ...config, fetch }) }));
  const fleet = shown.fleet();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(signal().aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signal().aborted).toBe(true);
  expect(await fleet).toEqual({ problem: expect.any(String) });
});

it("a version stands for the positions seen until then, in the same process", async () => {
  const [one, two, three] = FLEET;
  let vehicles = [one, two];
  const { shown } = await consoleOver({ listLivePositions: () => ({ body: vehicles }) });
  const since = async (version?: string) => {
    const { complete, vehicles: changed, total } = known(await shown.fleet(version));
    return [complete, changed.map(({ assetId }) => assetId), total];
  };
  const { version } = known(await shown.fleet());
  const process = version.split(".")[0];
  expect(await since()).toEqual([true, ["v1", "v2"], 2]);
  expect(await since(version)).toEqual([false, [], 2]);
  vehicles = [one, three];
  expect(await since(version)).toEqual([false, ["v3"], 2]);
  expect(await since(version)).toEqual([false, ["v3"], 2]);
  expect(await since(known(await shown.fleet()).version)).toEqual([false, [], 2]);
  expect(await since(`${process}.0`)).toEqual([false, ["v1", "v3"], 2]);
  for (const unknown of ["x.1", `${process}.`, process, `${process}.1x`, ""]) expect(await since(unknown)).toEqual([true, ["v1", "v3"], 2]);
});

describe("what a console shows of a sandbox's fleet", () => {
  const OPEN = "see packages/console/src/data/fleet-console.ts: it must read through the context of the tools";

  /** The console of a sandbox's fleet, whose clock the test moves. */
  function consoleUnderTest({ env = {}, faults = "" }: { env?: Record<string, string>; faults?: string } = {}) {
    const state = { now: NOW, isFailing: false };
    const sandbox = createSandbox({ clock: () => state.now, start: NOW, faults });
    const config = { ...fleetToolsConfigFromEnv({ ...sandbox.env, FLEET_SNAPSHOT_SECONDS: "0", ...env }), retries: 0 };
    const fetch: typeof sandbox.fetch = async (...request) =>
      state.isFailing ? new Response("", { status: 500 }) : sandbox.fetch(...request);
    const client = createFleetClient({ ...config, fetch });
    return { client, state, shown: createFleetConsole(createFleetTools(config, { fleet: client, now: () => state.now })) };
  }

  it("withholds the whereabouts of private journeys, and nothing else", async () => {
    const { shown, client } = consoleUnderTest();
    const { vehicles } = known(await shown.fleet());
    const journeys = vehicles.filter(({ privacy }) => privacy === true);
    const sent = (await client.listLivePositions()).filter(({ privacy, latitude }) => privacy && latitude !== undefined);
    expect([journeys.length > 0, sent.length > 0]).toEqual([true, true]);
    for (const listed of journeys) {
      const { position } = known(await shown.vehicle(listed.assetId ?? "")) ?? {};
      for (const field of ["latitude", "longitude", "speed", "heading", "city", "formattedAddress", "locationName"] as const)
        expect([OPEN, field, position?.[field], listed[field as "city"]]).toEqual([OPEN, field, undefined, undefined]);
    }
    expect(vehicles.filter(({ latitude }) => latitude !== undefined).length).toBeGreaterThan(20);
  });

  it("hides drivers' names where the tools do", async () => {
    const { shown, client } = consoleUnderTest({ env: { FLEET_DRIVER_NAMES: "hide" } });
    const live = await client.listLivePositions();
    await client.createJob({ address: "Lyon", vehicleName: "Truck 12" });
    const names = live.flatMap(({ driverName }) => driverName ?? []);
    const { assetId = "" } = live.find(({ assetName }) => assetName === "Truck 12") ?? {};
    const text = JSON.stringify([await shown.fleet(), await shown.vehicle(assetId), await shown.jobs()]);
    expect(names.length).toBeGreaterThan(10);
    expect([OPEN, names.filter((name) => text.includes(name))]).toEqual([OPEN, []]);
    expect(text).toMatch(/"driverName":"Driver /);
  });

  it("lacks only the parts whose servers fail, each with the reason", async () => {
    const { shown, client } = consoleUnderTest({ faults: "queryTachoActivity:503, listJobs:invalid-json" });
    const { assetId = "" } = (await client.listLivePositions()).find(({ assetName }) => assetName === "Truck 12") ?? {};
    const panel = known(await shown.vehicle(assetId));
    expect([panel?.day, panel?.faults]).toEqual([{ problem: expect.stringContaining("503") }, { value: expect.any(Array) }]);
    expect(await shown.jobs()).toEqual({ problem: expect.any(String) });
  });

  it("says how old it is, and why it is not newer", async () => {
    const { shown, state } = consoleUnderTest({ env: { FLEET_SNAPSHOT_SECONDS: "60" } });
    const after = async (ms: number) => {
      state.now += ms;
      const { age, failure } = known(await shown.fleet());
      return [age, failure];
    };
    expect([await after(0), await after(5_000)]).toEqual([
      [0, undefined],
      [5_000, undefined],
    ]);
    state.isFailing = true;
    expect(await after(60_000)).toEqual([65_000, "upstream"]);
  });

  it("cannot be made of anything but tools", () => {
    expect(() => createFleetConsole({})).toThrow(TypeError);
  });
});
