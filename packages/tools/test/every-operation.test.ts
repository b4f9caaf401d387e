import { metadataOf, type Operation, type OperationName, operations, requestFields } from "@fleetwire/core";
import { rowFields } from "@fleetwire/core/internal";
import { hostileOutput, samples } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import { catalogue, toolsets } from "../src/index.ts";
import type { Reply, Script } from "./fleet-service.ts";
import { servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

/** `listJobs` -> `list_jobs`. */
const toolNameOf = (operation: string) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const offered = Object.values<Operation>(operations).filter(({ tool }) => tool !== undefined);
const lists = offered.filter((operation) => operation.effect === "read" && (operation.undocumented || operation.tool?.rows));

/** The file to open if an operation and its tool do not match. */
const fileOf = ({ name }: Operation) => `packages/core/src/operations/${toolNameOf(name).replaceAll("_", "-")}.ts`;

const pagingFields = ({ paging }: Operation): string[] =>
  paging === undefined ? [] : paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];

/** The sample input of an operation, as its tool takes it: tools sort themselves. */
function sampleArguments(operation: Operation): Json {
  const turned = pagingFields(operation);
  const { input } = samples[operation.name as OperationName];
  return Object.fromEntries(Object.entries(input as Json).filter(([field]) => !turned.includes(field) && field !== "sort"));
}

describe("every operation offered to models", () => {
  it.each(offered.map((operation) => [operation.name, operation] as const))("%s has a tool, in its toolset", (_, operation) => {
    expect(toolsets[operation.tool?.toolset ?? ""], fileOf(operation)).toContain(toolNameOf(operation.name));
    expect(
      catalogue.filter(({ name }) => name === toolNameOf(operation.name)),
      fileOf(operation),
    ).toHaveLength(1);
  });

  it("keeps the order that hosts know", () => {
    expect(catalogue.map(({ name }) => name).filter((name) => ORDER.includes(name))).toEqual(ORDER);
  });
});

const ORDER = [
  ...["locate_vehicle", "find_nearest_vehicles", "summarize_fleet", "list_live_positions", "list_vehicle_faults"],
  ...["driver_hours", "summarize_driver_activity", "query_tacho_activity", "list_jobs", "create_job", "list_tire_events", "update_group"],
];

/** Responses to every operation: its sample, as the service may show it. */
const SAMPLES: Script = Object.fromEntries(
  Object.entries(samples).flatMap(([name, { output }]) => (name === "requestAccessToken" ? [] : [[name, (): Reply => ({ body: output })]])),
);

/** The rows of a list, each with its values by column. */
function rowsOf(structured: object): Json[] {
  const { columns, rows } = structured as { columns: string[]; rows: unknown[][] };
  return rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))));
}

/** Columns that tools add to those of their operations. */
const ADDED: Record<string, string[]> = { queryTachoActivity: ["driver"] };

describe.each(lists.map((operation) => [toolNameOf(operation.name), operation] as const))(
  "%s, with the operation's sample",
  (name, operation) => {
    const served = () => servedFleet({ script: SAMPLES, env: { FLEET_MAX_RESULT_TOKENS: "5000" } });

    it("shows rows with its default columns", async () => {
      const { tools } = await served();
      const { text, structured } = await tools.call(name, sampleArguments(operation));
      const [first] = rowsOf(structured);
      const columns = text.split("\n")[1]?.split(" | ") ?? [];
      const { columns: chosen } = operation.tool?.rows ?? { columns };
      expect(first, fileOf(operation)).toBeDefined();
      expect(columns.length, fileOf(operation)).toBeGreaterThan(1);
      expect([...chosen, ...(ADDED[operation.name] ?? [])], fileOf(operation)).toEqual(expect.arrayContaining(columns));
      for (const column of columns) expect(first, fileOf(operation)).toHaveProperty([column]);
    });

    it("states the time zone and the units", async () => {
      const fields = Object.entries(rowFields(operation) ?? {});
      const { text } = await served();
      const shown = await text(name, {
        ...sampleArguments(operation),
        ...(fields.length > 0 && { fields: fields.map(([field]) => field) }),
      });
      const hasInstants = fields.some(([, schema]) => metadataOf(schema)?.holds === "instant");
      expect(shown.includes("Times in UTC, now "), fileOf(operation)).toBe(hasInstants);
      for (const [field, schema] of fields) {
        const { unit } = metadataOf(schema) ?? {};
        if (unit) expect(shown, fileOf(operation)).toContain(`${field} ${unit}`);
      }
    });
  },
);

const ROWS = 23;

/** Sets the value at a path of names joined by dots. */
function put(target: Json, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() as string;
  const inner = names.reduce<Json>((at, name) => {
    at[name] ??= {};
    return at[name] as Json;
  }, target);
  inner[last] = value;
}

const at = (value: unknown, path: string): unknown =>
  path === "" ? value : path.split(".").reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);

/** Entries of the outermost list whose rows all differ in their strings. If rows are nested, each entry has one to three. */
function entriesOf(operation: Operation): Json[] {
  const { paging, tool } = operation;
  const outer = paging?.items ?? "";
  const inner = (tool?.rows?.path ?? "").slice(outer.length).replace(/^\./, "");
  const single = Array.from({ length: ROWS }, (_, row): Json => {
    const [first] = at(hostileOutput(operation, `row ${row}`), outer) as Json[];
    return { ...first, ...(first?.["assetId"] !== undefined && { assetId: `v${row}` }) };
  });
  if (inner === "" || inner.includes(".")) return single;
  const entries: Json[] = [];
  for (let row = 0, size = 1; row < ROWS; row += size, size = (size % 3) + 1) {
    const rows = single.slice(row, row + size);
    entries.push({ ...rows[0], [inner]: rows.flatMap((one) => one[inner] as Json[]) });
  }
  return entries;
}

/** A service that paginates as the operation states. */
function paged(operation: Operation): Script {
  const { paging } = operation;
  const entries = entriesOf(operation);
  const list = ({ url, body: sent }: { url: URL; body: Json }): Reply => {
    if (!paging) return { body: entries };
    const asked = (field: string) => Number(sent[field] ?? url.searchParams.get(field));
    const body = hostileOutput(operation, "around") as Json;
    const size = asked(paging.kind === "page" ? paging.size : paging.limit);
    const start = paging.kind === "page" ? asked(paging.index) * size : asked(paging.skip);
    put(body, paging.items, entries.slice(start, start + size));
    put(body, paging.totalItems, entries.length);
    if (paging.kind === "page") put(body, paging.totalPages, Math.ceil(entries.length / size));
    return { body };
  };
  return { ...SAMPLES, [operation.name]: list };
}

/** The innermost field that may hold any string; it distinguishes the rows above. */
function tellingField(operation: Operation): string | undefined {
  const fields = Object.entries(rowFields(operation) ?? {});
  const holdsText = (schema: Parameters<typeof metadataOf>[0]) =>
    ["text", "name", "label", "person"].includes(String(metadataOf(schema)?.holds));
  return fields.findLast(([, schema]) => holdsText(schema))?.[0];
}

describe.each(lists.map((operation) => [toolNameOf(operation.name), operation] as const))("%s, over many rows", (name, operation) => {
  const field = tellingField(operation);

  it.each([
    [4, "5000"],
    [500, "5000"],
    [500, "300"],
    [3, "200"],
  ])("pages to the end with %i rows within %s tokens, returning each row once", async (limit, budget) => {
    const { tools } = await servedFleet({ script: paged(operation), env: { FLEET_MAX_RESULT_TOKENS: budget } });
    const seen: string[] = [];
    let cursor: unknown;
    do {
      // The rows above are of no vehicle in particular.
      const { vehicleId: _, ...sample } = sampleArguments(operation);
      // Nor at the sample's time.
      const until = sample["endTime"] === undefined ? {} : { endTime: "2026-11-21T00:00:00" };
      const args = { ...sample, ...until, limit, ...(field && { fields: [field] }), ...(cursor !== undefined && { cursor }) };
      const { text, structured } = await tools.call(name, args);
      const items = rowsOf(structured);
      expect(JSON.stringify([text, structured]).length / 4, fileOf(operation)).toBeLessThanOrEqual(Number(budget));
      expect(items.length, fileOf(operation)).toBeGreaterThan(0);
      expect(items.length, fileOf(operation)).toBeLessThanOrEqual(limit);
      // What names the row is shown too.
      const telling = (item: Json) => (field ? item[field] : item);
      seen.push(...items.map((item) => /row \d+/.exec(JSON.stringify(telling(item)))?.[0] ?? `no row: ${JSON.stringify(item)}`));
      cursor = (structured as Json)["next"];
    } while (cursor !== undefined && seen.length <= ROWS);
    const number = (text: string) => Number(text.slice("row ".length));
    expect(
      seen.toSorted((a, b) => number(a) - number(b)),
      fileOf(operation),
    ).toEqual(Array.from({ length: ROWS }, (_, row) => `row ${row}`));
  });
});

describe("the arguments open to a model", () => {
  it.each(lists.map((operation) => [operation.name, operation] as const))(
    "of %s include every offered field of its operation",
    (name, operation) => {
      const tool = catalogue.find((one) => one.name === toolNameOf(name));
      for (const field of operation.tool?.inputs ?? Object.keys(requestFields(operation))) {
        if (pagingFields(operation).includes(field)) continue;
        const checked = tool?.inputSchema["~standard"].validate({ [field]: "x" });
        expect(JSON.stringify(checked), fileOf(operation)).not.toContain("is not a field of");
      }
    },
  );
});
