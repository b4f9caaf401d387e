import { createFleetClient } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { NOW } from "../../tools/test/fleet-under-test.ts";
import { createFleetConsole, type FleetConsole } from "../src/index.ts";
import { known } from "./known.ts";

const OPEN = "see packages/console/src/data/fleet-console.ts: it must read through the context of the tools";

interface Setup {
  env?: Record<string, string>;
  faults?: string;
}

/** The console of a sandbox's fleet, whose clock the test moves. */
function consoleUnderTest({ env = {}, faults = "" }: Setup = {}) {
  let now = NOW;
  const sandbox = createSandbox({ clock: () => now, start: NOW, faults });
  const config = { ...fleetToolsConfigFromEnv({ ...sandbox.env, FLEET_SNAPSHOT_SECONDS: "0", ...env }), retries: 0 };
  let isFailing = false;
  const fetch: typeof sandbox.fetch = async (...request) => (isFailing ? new Response("", { status: 500 }) : sandbox.fetch(...request));
  const client = createFleetClient({ ...config, fetch });
  const tools = createFleetTools(config, { fleet: client, now: () => now });
  onTestFinished(() => sandbox.close());
  const shown = createFleetConsole(tools);
  return { client, shown, pass: (ms: number) => (now += ms), fail: () => (isFailing = true) };
}

const readAll = async (shown: FleetConsole) => known(await shown.fleet());

/** The panel of the vehicle with this name. */
async function panelOf(shown: FleetConsole, name: string) {
  const { vehicles } = await readAll(shown);
  const id = vehicles.find(({ assetName }) => assetName === name)?.assetId ?? "";
  const panel = known(await shown.vehicle(id));
  if (!panel) throw new Error(`There is no ${name}`);
  return panel;
}

describe("what a console shows of a fleet", () => {
  it("withholds the whereabouts of private journeys, and nothing else", async () => {
    const { shown, client } = consoleUnderTest();
    const { vehicles } = await readAll(shown);
    const journeys = vehicles.filter(({ privacy }) => privacy === true);
    expect(journeys.length).toBeGreaterThan(0);
    expect((await client.listLivePositions()).filter(({ privacy, latitude }) => privacy && latitude !== undefined).length).toBeGreaterThan(
      0,
    );
    for (const { assetId = "" } of journeys) {
      const { position } = known(await shown.vehicle(assetId)) ?? {};
      for (const field of ["latitude", "longitude", "speed", "heading", "city", "formattedAddress", "locationName"] as const)
        expect([OPEN, field, position?.[field], vehicles.find((one) => one.assetId === assetId)?.[field as "city"]]).toEqual([
          OPEN,
          field,
          undefined,
          undefined,
        ]);
    }
    expect(vehicles.filter(({ latitude }) => latitude !== undefined).length).toBeGreaterThan(20);
  });

  it("hides drivers' names where the tools do", async () => {
    const { shown, client } = consoleUnderTest({ env: { FLEET_DRIVER_NAMES: "hide" } });
    const names = (await client.listLivePositions()).flatMap(({ driverName }) => driverName ?? []);
    const text = JSON.stringify([await shown.fleet(), await panelOf(shown, "Truck 12"), await shown.jobs()]);
    expect(names.length).toBeGreaterThan(10);
    expect([OPEN, names.filter((name) => text.includes(name))]).toEqual([OPEN, []]);
    expect(text).toMatch(/"driverName":"Driver /);
  });

  it("is what changed since an earlier read", async () => {
    const { shown, pass } = consoleUnderTest();
    const first = await readAll(shown);
    expect(first).toMatchObject({ complete: true, total: first.vehicles.length });
    expect(known(await shown.fleet(first.version))).toMatchObject({ complete: false, vehicles: [], total: first.total });
    pass(60_000);
    const later = known(await shown.fleet(first.version));
    expect(later.vehicles.map(({ assetName }) => assetName)).toContain("Truck 12");
    expect(later.vehicles.length).toBeLessThan(first.total);
    expect(known(await shown.fleet("another-process.1"))).toMatchObject({ complete: true });
  });

  it.each([
    ["truck 12", "found", ["Truck 12"]],
    ["truck twelve", "found", ["Truck 12"]],
    ["truc", "ambiguous", ["Truck 12"]],
    ["no such thing", "notFound", []],
  ])("finds %s as the tools do, or by its beginning", async (query, result, names) => {
    const { shown } = consoleUnderTest();
    const found = known(await shown.search(query));
    const { vehicles } = await readAll(shown);
    expect(found.result).toBe(result);
    const foundNames = found.vehicleIds.map((id) => vehicles.find(({ assetId }) => assetId === id)?.assetName);
    expect(foundNames).toEqual(expect.arrayContaining(names));
  });

  it("contains the last 24 hours of a vehicle's driver, in order, and what is left of the limits", async () => {
    const { shown } = consoleUnderTest();
    const day = known((await panelOf(shown, "Truck 12")).day);
    expect(day).toMatchObject({ start: NOW - 86_400_000, end: NOW, time: { left: { now: {} } } });
    const spans = day?.activities ?? [];
    expect(spans.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["driving", "rest"]));
    for (const [at, { start, end }] of spans.entries()) {
      expect(start).toBeLessThan(end);
      expect(start).toBeGreaterThanOrEqual(spans[at - 1]?.end ?? NOW - 86_400_000);
    }
  });

  it("contains the jobs, whatever else the service says of them", async () => {
    const { shown, client } = consoleUnderTest();
    await client.createJob({ address: "Quai Perrache 10, Lyon", jobTitle: "Pallets", vehicleName: "Truck 12", contactPhone: "+33 4 00" });
    const [job, ...more] = known(await shown.jobs());
    expect(job).toMatchObject({ jobTitle: "Pallets", vehicleName: "Truck 12", status: "ASSIGNED" });
    expect([more.length, job && "contactPhone" in job]).toEqual([0, false]);
  });

  it("lacks only the parts whose servers fail, each with the reason", async () => {
    const { shown } = consoleUnderTest({ faults: "queryTachoActivity:503, listJobs:invalid-json" });
    const panel = await panelOf(shown, "Truck 12");
    expect(panel.day).toEqual({ problem: expect.stringContaining("503") });
    expect(panel.faults).toEqual({ value: expect.any(Array) });
    expect(await shown.jobs()).toEqual({ problem: expect.any(String) });
  });

  it("says how old it is, and why it is not newer", async () => {
    const { shown, pass, fail } = consoleUnderTest({ env: { FLEET_SNAPSHOT_SECONDS: "60" } });
    expect(await readAll(shown)).toMatchObject({ age: 0, failure: undefined });
    pass(5_000);
    expect(await readAll(shown)).toMatchObject({ age: 5_000, failure: undefined });
    fail();
    pass(60_000);
    expect(await readAll(shown)).toMatchObject({ age: 65_000, failure: "upstream" });
  });

  it("cannot be made of anything but tools", () => {
    expect(() => createFleetConsole({})).toThrow(TypeError);
  });
});
