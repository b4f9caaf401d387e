import { defineOperation, fieldMetadata, type Operation } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { servedFleet } from "./served-fleet.ts";

const common = {
  ...{ name: "listTrips", summary: "List trips", source: "our own notes", method: "GET" as const, path: "/v1/trips" },
  ...{ servers: ["base"] as const, auth: ["basic"] as const, effect: "read" as const },
};
const tool = { title: "Trips", description: "Trips.", toolset: "jobs" };

type Json = Record<string, unknown>;

/** Lists trips with their stops, each of which is a row. */
const listStops = (paging: Operation["paging"]): Operation =>
  defineOperation({
    ...common,
    query: { index: z.int().optional(), size: z.int().max(50).optional() },
    output: z.object({
      items: z.array(z.object({ trip: z.string(), stops: z.array(z.object({ stop: z.string() })) })),
      total: z.int().optional(),
      pages: z.int().optional(),
    }),
    ...(paging && { paging }),
    tool: { ...tool, rows: { path: "items.stops", noun: ["stop", "stops"], columns: ["trip", "stop"] } },
  }) as Operation;

const COUNTED = { items: "items", totalItems: "total" };
const PAGINGS: Record<string, Operation["paging"]> = {
  page: { kind: "page", index: "index", size: "size", totalPages: "pages", ...COUNTED },
  offset: { kind: "offset", skip: "index", limit: "size", ...COUNTED },
  whole: undefined,
};

const STOPS = [2, 1, 3, 1, 1, 2, 1].map((count, trip) => ({
  trip: `t${trip}`,
  stops: Array.from({ length: count }, (_, at) => ({ stop: `${trip}.${at}` })),
}));
const ALL = STOPS.flatMap(({ stops }) => stops.map(({ stop }) => stop));

describe.each(Object.keys(PAGINGS))("a list by %s", (kind) => {
  it.each<[service: string, own: number, totals: Json]>([
    ["sends no totals", 50, {}],
    ["sends a total", 50, { total: 7 }],
    ["sends a total of rows", 50, { total: 11 }],
    ["sends smaller pages", 2, { total: 7 }],
  ])("has each row once, under the fields around it, if the service %s", async (_, own, totals) => {
    const { record } = await servedFleet({
      options: { operations: [listStops(PAGINGS[kind])] },
      script: {
        listTrips: ({ url: { searchParams } }) => {
          const [index, asked] = ["index", "size"].map((name) => Number(searchParams.get(name))) as [number, number];
          const size = Math.min(asked, own);
          const start = kind === "page" ? index * size : index;
          return { body: { items: kind === "whole" ? STOPS : STOPS.slice(start, start + size), ...totals } };
        },
      },
    });
    for (const limit of [1, 5, 100]) {
      const seen: Json[] = [];
      for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
        const { items, next } = await record("list_trips", { limit, ...(cursor !== null && { cursor }) });
        expect(items.length).toBeLessThanOrEqual(limit);
        seen.push(...items);
        cursor = next;
      }
      expect(seen.map(({ stop }) => stop)).toEqual(ALL);
      for (const { trip, stop } of seen) expect(`t${stop}`.startsWith(`${trip}.`)).toBe(true);
    }
  });
});

const SECRET = "somewhere-secret";
const privacy = z.boolean().register(fieldMetadata, { holds: "flag", guard: true });
const Address = z.string().register(fieldMetadata, { holds: "place", withheld: true });

/** The result of a list of records with this shape, if the service sends this record. */
async function shown(shape: Record<string, z.ZodType>, record: Json) {
  const operation = defineOperation({
    ...common,
    output: z.array(z.object(shape)),
    tool: { ...tool, rows: { path: "", noun: ["trip", "trips"], columns: Object.keys(shape) } },
  }) as Operation;
  const { text } = await servedFleet({ script: { listTrips: () => ({ body: [record] }) }, options: { operations: [operation] } });
  return text("list_trips", { fields: Object.keys(shape) });
}

describe("a field withheld on private journeys", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["bare", Address, SECRET],
    ["optional, described and refined", Address.describe("Where it ended").min(1).optional(), SECRET],
    ["refined", Address.refine(() => true), SECRET],
    ["nullish, read-only", Address.nullish().readonly(), SECRET],
    ["branded", Address.brand("address"), SECRET],
    ["a list of lists", z.array(z.array(Address)), [[SECRET]]],
    ["a map", z.record(z.string(), Address), { monday: SECRET }],
    ["a tuple", z.tuple([z.number(), Address]), [1, SECRET]],
    ["a tuple's rest", z.tuple([z.number()], Address), [1, SECRET]],
    ["one of several", z.union([z.number(), Address]), SECRET],
    ["an intersection", z.intersection(z.string(), Address), SECRET],
    ["lazy", z.lazy(() => Address), SECRET],
  ])("is withheld if it is %s", async (_, end, value) => {
    const shape = { privacy: privacy.optional(), end };
    expect(await shown(shape, { privacy: true, end: value }), "see packages/tools/src/fleet/masking-plan.ts").not.toContain(SECRET);
    expect(await shown(shape, { privacy: false, end: value })).toContain(SECRET);
  });

  it.each<[string, z.ZodType, unknown[]]>([
    ["optional", privacy.optional(), [true, "no", 0, {}]],
    ["one of several", z.union([privacy, z.null()]), [true, "no", 0, {}]],
    ["lazy", z.lazy(() => privacy), [true, "no", 0, {}]],
  ])("depends on a flag that is %s, and is withheld if it is unreadable", async (_, flag, withholding) => {
    const shape = { privacy: flag, end: Address };
    for (const value of withholding)
      expect(await shown(shape, { privacy: value, end: SECRET }), "see packages/tools/src/fleet/privacy.ts").not.toContain(SECRET);
    for (const value of [false, null, undefined]) expect(await shown(shape, { privacy: value, end: SECRET })).toContain(SECRET);
  });
});
