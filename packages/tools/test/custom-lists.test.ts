import { defineOperation, type Operation } from "@fleetwire/core";
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
    const { allItems } = await servedFleet({
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
      const seen: Json[] = await allItems("list_trips", { limit });
      expect(seen.map(({ stop }) => stop)).toEqual(ALL);
      for (const { trip, stop } of seen) expect(`t${stop}`.startsWith(`${trip}.`)).toBe(true);
    }
  });
});
