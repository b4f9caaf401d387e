import type { DriftReport, FleetClient } from "@fleetwire/core";
import { REPLAY_TOKEN } from "../src/fixtures/stand-ins.ts";
import { failureOf, probedClient } from "./client-outcomes.ts";
import type { Outcome } from "./outcome.ts";

type Page = Record<string, unknown>;

const vehicle = (id: number) => ({ id: `v${id}`, faults: [{ code: `f${id}` }] });
/** What JSON.parse reads and JSON.stringify does not write again. */
const deep = (id: number) => ({ id: `v${id}`, deep: "<deep>" });
const driver = (id: number, from: number) => ({ driverId: `p${id}`, driverKey: `k${id}`, activities: [{ startTime: `t${from}` }] });

/** Pages as a service may give them: with and without a total, short, empty, repeated, split within a record. */
const FAULT_PAGES: Readonly<Record<string, readonly Page[]>> = {
  "three pages": [0, 1, 2].map((at) => ({
    items: [vehicle(at)],
    pagination: { totalItems: 3, totalPages: 3, pageSize: 1, pageIndex: at },
  })),
  "no totals, then a short page": [{ items: [vehicle(0), vehicle(1)] }, { items: [vehicle(2)] }, { items: [vehicle(3)] }],
  "no totals, then an empty page": [{ items: [vehicle(0), vehicle(1)] }, { items: [] }, { items: [vehicle(3)] }],
  "a page again": [{ items: [vehicle(0), vehicle(1)] }, { items: [vehicle(0), vehicle(1)] }],
  "no items": [{}, { items: [vehicle(1)] }],
  "records that cannot be read": [
    { items: [1, "2"], pagination: { totalPages: 2 } },
    { items: [3], pagination: { totalPages: 9 } },
    { items: [vehicle(1)], pagination: { totalPages: 9 } },
  ],
  "no totals, and records that cannot be read": [
    { items: [1, vehicle(0)] },
    { items: [vehicle(1), 2] },
    { items: [3, 4] },
    { items: [vehicle(2)] },
  ],
  "more pages than were told": [
    { items: [vehicle(0)], pagination: { totalPages: 1 } },
    { items: [vehicle(1)], pagination: { totalPages: 1 } },
  ],
  "more pages than were told at first": [2, 3, 3].map((totalPages, at) => ({ items: [vehicle(at)], pagination: { totalPages } })),
  "pages in turns": [0, 1, 0, 1].map((at) => ({ items: [vehicle(at)], pagination: { totalPages: 9 } })),
  "a page without items among others": [
    { items: [vehicle(0)], pagination: { totalPages: 4 } },
    { items: [], pagination: { totalPages: 4 } },
    { items: [], pagination: { totalPages: 4 } },
    { items: [vehicle(3)], pagination: { totalPages: 4 } },
  ],
  "nested too deep to be written": [
    { items: [deep(1), deep(2)], pagination: { totalPages: 2 } },
    { items: [deep(1), deep(3)] },
    { items: [] },
  ],
  "a total of none": [{ items: [], pagination: { totalPages: 0 } }, { items: [vehicle(1)] }],
};

const TACHO_PAGES: Readonly<Record<string, readonly Page[]>> = {
  "to the count": [
    { count: 3, data: [driver(1, 1), driver(2, 2)] },
    { count: 3, data: [driver(3, 3)] },
    { count: 3, data: [driver(4, 4)] },
  ],
  "a driver split over two pages": [
    { count: 4, data: [driver(1, 1), driver(2, 2)] },
    { count: 4, data: [driver(2, 3), driver(3, 4)] },
  ],
  "a driver over three pages": [
    { count: 3, data: [driver(1, 1)] },
    { count: 3, data: [driver(1, 2)] },
    { count: 3, data: [driver(1, 3)] },
  ],
  "an empty page before the count": [
    { count: 9, data: [driver(1, 1)] },
    { count: 9, data: [] },
  ],
  "a page again": [
    { count: 9, data: [driver(1, 1)] },
    { count: 9, data: [driver(1, 1)] },
  ],
  "no count": [
    { count: "3", data: [driver(1, 1)] },
    { count: "3", data: [driver(2, 2)] },
    { count: "3", data: [] },
  ],
  "no count, and a record that cannot be read": [
    { count: null, data: [1] },
    { count: null, data: [driver(2, 2)] },
  ],
  "records that cannot be read": [
    { count: 3, data: [1, driver(1, 1)] },
    { count: 9, data: [2] },
    { count: 9, data: [driver(3, 3)] },
  ],
  "drivers of whom nothing is known": [
    { count: 4, data: [{ activities: [{ startTime: "t1" }] }, {}] },
    { count: 4, data: [{ activities: [{ startTime: "t2" }] }, {}] },
  ],
  "a driver twice on a page": [
    { count: 3, data: [driver(1, 1), driver(1, 2)] },
    { count: 3, data: [driver(1, 3)] },
  ],
  "a driver of whom each page tells something else": [
    { count: 2, data: [{ driverId: "p1", driverKey: "k1", first: 1 }] },
    { count: 2, data: [{ driverId: "p1", driverKey: "k1", second: 2 }] },
  ],
  "a driver whose list is null on the second page": [
    { count: 2, data: [driver(1, 1)] },
    { count: 2, data: [{ driverId: "p1", driverKey: "k1", activities: null }] },
  ],
  "a driver without activities": [
    { count: 2, data: [{ driverId: "p1" }] },
    { count: 2, data: [{ driverId: "p1", activities: [{ startTime: "t2" }] }] },
  ],
};

/** Live positions as they come over the wire. */
const STREAMS: Readonly<Record<string, string>> = {
  two: '[{"assetId": "v1"}, {"assetId": "v2", "serialNumber": 9007199254740993}]',
  none: "[]",
  "no list": '{"assetId": "v1"}',
  "cut off": '[{"assetId": "v1"}, {"assetId": "v',
  "no JSON": '[{"assetId": "v1"}, {assetId: 1}]',
  "records that cannot be read": '[1, {"assetId": 2, "colour": "red"}, null, {"assetId": "v3"}]',
  nothing: "",
};

const SPAN = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

function shallow(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Array.isArray(value[0]) ? "<deep>" : value.map(shallow);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shallow(inner)]));
}

async function walked(pages: readonly Page[], walk: (fleet: FleetClient) => AsyncIterable<unknown>): Promise<unknown> {
  const asked: string[] = [];
  const seen: unknown[] = [];
  const fleet = probedClient({
    fetch: async (url, { body } = {}) => {
      if (String(url).includes("accessToken")) return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 3600 });
      asked.push(body ? String(body) : new URL(String(url)).search);
      const page = JSON.stringify(pages[asked.length - 1] ?? {}).replaceAll('"<deep>"', "[".repeat(20_000) + "]".repeat(20_000));
      return new Response(page, { status: asked.length > pages.length ? 500 : 200 });
    },
  });
  try {
    for await (const one of walk(fleet)) seen.push(shallow(one));
    return { asked, seen };
  } catch (error) {
    return { asked, seen, failure: failureOf(error) };
  }
}

async function streamed(text: string): Promise<unknown> {
  const seen: unknown[] = [];
  const drift: DriftReport[] = [];
  const fleet = probedClient({
    onDrift: (report) => drift.push(report),
    fetch: async () => new Response(text),
  });
  try {
    for await (const position of fleet.listLivePositions.iterate()) seen.push(position);
    return { seen, drift };
  } catch (error) {
    return { seen, drift, failure: failureOf(error) };
  }
}

/** What whoever follows the pages of an answer sees, record by record and page by page, and what is asked for. */
export async function* walkOutcomes(): AsyncGenerator<Outcome> {
  for (const [name, pages] of Object.entries(FAULT_PAGES)) {
    for (const input of [{}, { pageSize: 2 }, { pageIndex: 1, pageSize: 1 }]) {
      const words = `faults, ${name}, ${JSON.stringify(input)}`;
      yield [`${words}, records`, await walked(pages, (fleet) => fleet.listVehicleFaults.iterate(input))];
      yield [`${words}, pages`, await walked(pages, (fleet) => fleet.listVehicleFaults.pages(input))];
    }
  }
  for (const [name, pages] of Object.entries(TACHO_PAGES)) {
    for (const input of [{}, { limit: 2 }, { limit: 1, skip: 1 }]) {
      const words = `tacho, ${name}, ${JSON.stringify(input)}`;
      yield [`${words}, records`, await walked(pages, (fleet) => fleet.queryTachoActivity.iterate({ ...SPAN, ...input }))];
      yield [`${words}, pages`, await walked(pages, (fleet) => fleet.queryTachoActivity.pages({ ...SPAN, ...input }))];
    }
  }
  for (const given of [null, "text", [], { pageIndex: "1" }, { pageIndex: -1 }, { skip: 1.5 }]) {
    const [faults, tacho] = [FAULT_PAGES["three pages"] ?? [], TACHO_PAGES["to the count"] ?? []];
    const words = JSON.stringify(given);
    yield [`faults of ${words}`, await walked(faults, (fleet) => fleet.listVehicleFaults.iterate(given as never))];
    yield [`tacho of ${words}`, await walked(tacho, (fleet) => fleet.queryTachoActivity.iterate(given as never))];
  }
  for (const [name, text] of Object.entries(STREAMS)) yield [`live positions, ${name}`, await streamed(text)];
}
