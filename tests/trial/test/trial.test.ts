import { readFileSync } from "node:fs";
import type { createSandbox } from "@fleetwire/sandbox";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runs, withTrips } from "./added-operation.ts";
import { byHand } from "./overlay.ts";
import { recipe } from "./recipe.ts";
import type { TreeCopy } from "./tree-copy.ts";

const MAX_FILES = 12;
const MAX_LINES = 400;
const PACKAGES = ["core", "sandbox", "tools", "mcp-server", "contract-tests"];

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Result = any;

let copy: TreeCopy;

beforeAll(() => {
  const start = Date.now();
  copy = withTrips();
  const { files, lines } = byHand();
  console.info(`Trial: ${files.length} files and ${lines} lines by hand, recipe run in ${Math.round((Date.now() - start) / 1000)} s`);
}, 900_000);

afterAll(() => copy?.remove());

/** A client of the copy's server. Without an environment it uses the embedded sandbox. */
async function host(env?: Readonly<Record<string, string>>) {
  const client = new Client({ name: "trial", version: "1.0.0" });
  const args = [copy.path("packages/mcp-server/dist/fleetwire-mcp.js"), ...(env ? [] : ["--sandbox"])];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { PATH: process.env["PATH"] ?? "", ...env }, stderr: "ignore" }),
  );
  onTestFinished(() => client.close());
  const call = async (args: Record<string, unknown>): Promise<Result> => {
    const { isError, content, structuredContent } = await client.callTool({ name: "list_trips", arguments: args });
    expect(isError, JSON.stringify(content)).toBeFalsy();
    const { columns, rows } = structuredContent as { columns: string[]; rows: unknown[][] };
    const items = rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))));
    return { text: JSON.stringify(content), ...(structuredContent as object), items };
  };
  return { client, call };
}

describe("adding a paginated list to a copy of the repository", () => {
  it("takes at most 12 files and 400 lines by hand", () => {
    const { files, lines } = byHand();
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(MAX_FILES);
    expect(lines).toBeLessThanOrEqual(MAX_LINES);
  });

  it("takes the commands in CONTRIBUTING", () => {
    expect(recipe().flat()).toHaveLength(4);
  });

  it.each(PACKAGES)("lets %s compile with its tests", { timeout: 180_000 }, (name) => {
    runs(copy, "npx tsc -p tsconfig.json", `packages/${name}`);
  });

  it("keeps the contract without gaps in coverage", { timeout: 300_000 }, () => {
    // The recipe has already replayed every fixture against the tool and the sandbox.
    const output = runs(copy, "npm run task -- contract replay --only table,client,coverage");
    expect(output).toContain("The contract holds.");
  });

  it.each([
    ["packages/core", "registry tool-metadata generated-interfaces openapi.test samples"],
    ["packages/contract-tests", "call-plan"],
    ["packages/mcp-server", "hostile-records operation-document catalogue generated-files"],
    ["tests/judges", "whole-stack tools-document"],
    ["tests/packaging", "docs.test"],
  ])("passes the checks of %s", { timeout: 300_000 }, (folder, files) => {
    runs(copy, `npx vitest run ${files}`, folder);
  });
});

describe("its tool, over a real client", () => {
  it("lists the trips of a named vehicle page by page within one period", async () => {
    const { client, call } = await host();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "list_trips")?.inputSchema).toMatchObject({ required: ["vehicle"] });
    const args = { vehicle: "van 7", period: "last 7 days", fields: ["tripId", "vehicleName", "startDateTime"] };
    const whole = await call({ ...args, limit: 100 });
    expect(new Set(whole.items.map(({ vehicleName }: Result) => vehicleName))).toEqual(new Set(["Van 7"]));
    const ids: string[] = [];
    let next: string | undefined;
    do {
      const page = await call({ ...args, limit: 7, ...(next && { cursor: next }) });
      ids.push(...page.items.map(({ tripId }: Result) => tripId));
      next = page.next;
    } while (next);
    expect(ids.length).toBeGreaterThan(14);
    expect(ids).toEqual(whole.items.map(({ tripId }: Result) => tripId));
    expect(whole.text).toContain("UTC");
  });

  it("withholds the places of private trips, and hides drivers' names if configured", async () => {
    const shown = await (await host()).call({
      vehicle: "car 1",
      limit: 200,
      fields: ["privacy", "startAddress", "endAddress", "maxSpeed", "distance", "driverName"],
    });
    const [secret, open] = [true, false].map((isPrivate) => shown.items.filter(({ privacy }: Result) => privacy === isPrivate));
    expect([secret.length > 0, open.length > 0]).toEqual([true, true]);
    for (const trip of secret) expect(trip).toMatchObject({ distance: expect.any(Number), driverName: expect.any(String) });
    for (const trip of secret) for (const field of ["startAddress", "endAddress", "maxSpeed"]) expect(trip).not.toHaveProperty(field);
    for (const trip of open)
      expect(trip).toMatchObject({ startAddress: expect.stringMatching(/, /), driverName: expect.stringMatching(/^\p{Lu}\S+ /u) });

    const [{ driverName }] = open;
    const hidden = await (await host({ ...(await sandboxEnv()), FLEET_DRIVER_NAMES: "hide" })).call({
      vehicle: "car 1",
      fields: ["driverName"],
    });
    expect(hidden.text).not.toContain(driverName);
    expect(hidden.items[0].driverName).toMatch(/\w/);
  });
});

async function sandboxEnv(): Promise<Readonly<Record<string, string>>> {
  const { createSandbox: create } = (await import(copy.path("packages/sandbox/dist/index.js"))) as { createSandbox: typeof createSandbox };
  const sandbox = create({});
  await sandbox.listen();
  onTestFinished(() => sandbox.close());
  return sandbox.env;
}

describe("its path parameter, its probe and its documents", () => {
  it("are in the OpenAPI document and in the resource", async () => {
    const { paths } = JSON.parse(readFileSync(copy.path("packages/core/openapi.json"), "utf8"));
    const { get } = paths["/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips"];
    expect(get.parameters).toContainEqual(expect.objectContaining({ name: "vehicleId", in: "path", required: true }));
    const { client } = await host();
    const { resources } = await client.listResources();
    const uri = resources.find((resource) => resource.uri.includes("listTrips"))?.uri ?? "";
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain("| vehicleId | path | string | yes |");
  });

  it("are used by doctor, verify and record", { timeout: 120_000 }, () => {
    expect(runs(copy, "node packages/mcp-server/dist/fleetwire-mcp.js doctor --sandbox --json")).toContain("list_trips");
    expect(copy.run("node packages/contract-tests/dist/fleetwire-contract.js verify --sandbox").stderr).toContain("list-trips");
    expect(runs(copy, "node packages/contract-tests/dist/fleetwire-contract.js record --sandbox --out recorded")).toMatch(
      /new +recorded\/list-trips/,
    );
  });
});
