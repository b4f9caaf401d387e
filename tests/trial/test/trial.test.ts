import { writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyWithTrips, runs } from "./added-operation.ts";

type Trip = Record<string, unknown>;

const FIELD_CHECK = { folder: "packages/core", test: "registry.test" };
const TABLE_CHECK = { folder: "packages/contract-tests", test: "contract-table.test -t match" };
const SERVER = "packages/mcp-server/dist/fleetwire-mcp.js";
const SHAPE = "packages/core/src/schemas/trip.ts";

const copy = copyWithTrips();

/** Lists trips of the sandbox through the copy's server. */
async function host(env: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: "trial", version: "1.0.0" });
  const { PATH = "" } = process.env;
  const server = { command: process.execPath, args: [copy.path(SERVER), "--sandbox"], env: { PATH, ...env }, stderr: "ignore" as const };
  await client.connect(new StdioClientTransport(server));
  onTestFinished(() => client.close());
  return async (args: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool({ name: "list_trips", arguments: args });
    expect(isError, JSON.stringify(content)).toBeFalsy();
    const { columns, rows, next } = structuredContent as { columns: string[]; rows: unknown[][]; next?: string };
    const trips = rows.map((row): Trip => Object.fromEntries(columns.flatMap((name, at) => (row[at] === null ? [] : [[name, row[at]]]))));
    return { trips, next };
  };
}

describe("an operation added by the recipe", () => {
  it("leaves no gap in the contract's table and fixtures", () => {
    // The recipe has already replayed every fixture against the tool and the sandbox.
    expect(runs(copy, "npm run task -- contract replay --only table,client,coverage")).toContain("The contract holds.");
  });

  it.each([FIELD_CHECK, TABLE_CHECK])("passes $test", ({ folder, test }) => {
    runs(copy, `npx vitest run ${test}`, folder);
  });

  it("is in the OpenAPI document, and probed by doctor", () => {
    const { paths } = JSON.parse(copy.read("packages/core/openapi.json"));
    const { get } = paths["/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips"];
    expect(get.parameters).toContainEqual(expect.objectContaining({ name: "vehicleId", in: "path", required: true }));
    expect(runs(copy, `node ${SERVER} doctor --sandbox --json`)).toContain("list_trips");
  });
});

describe("its tool, over a real client", () => {
  it("lists the trips of a named vehicle page by page within one period", async () => {
    const list = await host();
    const args = { vehicle: "van 7", period: "last 7 days", fields: ["tripId", "vehicleName"] };
    const { trips } = await list({ ...args, limit: 100 });
    expect(new Set(trips.map(({ vehicleName }) => vehicleName))).toEqual(new Set(["Van 7"]));
    expect(trips.length).toBeGreaterThan(14);
    const first = await list({ ...args, limit: Math.ceil(trips.length / 2) });
    const second = await list({ ...args, cursor: first.next });
    expect([...first.trips, ...second.trips]).toEqual(trips);
  });

  it("withholds the places of private trips, and hides drivers' names if configured", async () => {
    const args = { vehicle: "car 1", limit: 200, fields: ["privacy", "startAddress", "maxSpeed", "distance", "driverName"] };
    const { trips } = await (await host())(args);
    const [secret, open] = [true, false].map((isPrivate) => trips.filter(({ privacy }) => privacy === isPrivate));
    const distance = expect.any(Number);
    expect(secret?.length).toBeGreaterThan(0);
    // What names a row is always shown.
    const named = { startDateTime: expect.any(String), startAge: expect.any(String) };
    for (const trip of secret ?? []) expect(trip).toEqual({ ...named, privacy: true, distance, driverName: expect.any(String) });
    expect(open?.[0]).toMatchObject({ startAddress: expect.stringMatching(/, /), maxSpeed: expect.any(Number), distance });

    const hidden = await (await host({ FLEET_DRIVER_NAMES: "hide" }))(args);
    expect(JSON.stringify(hidden)).not.toContain(open?.[0]?.["driverName"]);
  });
});

describe("removing a protection from it fails a test that names the file to open", () => {
  it.each([
    {
      what: "private trips withhold nothing",
      from: /withheld\(((?:text|measure)\((?:[^()]|\([^()]*\))*\))\)/g,
      to: "$1",
      check: FIELD_CHECK,
      message: /Trip\.startAddress: reveals a place.* in packages\/core\/src\/schemas\/trip\.ts/,
    },
    {
      what: "the driver's name is declared as a label, which is never hidden",
      from: 'text("person")',
      to: 'text("label")',
      check: FIELD_CHECK,
      message: /Trip\.driverName: holds label.* in packages\/core\/src\/schemas\/trip\.ts/,
    },
    {
      what: "the times of a trip lose the format that the table states",
      from: /DateTime\.optional/g,
      to: 'text("instant").optional',
      check: TABLE_CHECK,
      message: /core lacks: listTrips 200\.items\[\]\.startDateTime format date-time.* see packages\/core\/src\/operations\/list-trips\.ts/,
    },
  ])("$what", ({ from, to, check, message }) => {
    const shape = copy.read(SHAPE);
    copy.replace(SHAPE, from, to);
    const { status, stdout, stderr } = copy.run(`npx vitest run ${check.test}`, check.folder);
    writeFileSync(copy.path(SHAPE), shape);
    expect(`${stdout}${stderr}`).toMatch(message);
    expect(status).not.toBe(0);
  });
});
