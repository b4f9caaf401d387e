import { createFleetClient } from "@fleetwire/core";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, REPLAY_TOKEN } from "../src/fixtures/stand-ins.ts";
import { failureOf, SERVERS } from "./client-outcomes.ts";
import type { Outcome } from "./outcomes.ts";

type Page = Record<string, unknown>;

const vehicle = (id: number) => ({ id: `v${id}`, faults: [{ code: `f${id}` }] });
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
  "a driver without activities": [
    { count: 2, data: [{ driverId: "p1" }] },
    { count: 2, data: [{ driverId: "p1", activities: [{ startTime: "t2" }] }] },
  ],
};

const SPAN = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

async function walked(
  pages: readonly Page[],
  walk: (fleet: ReturnType<typeof createFleetClient>) => AsyncIterable<unknown>,
): Promise<unknown> {
  const asked: string[] = [];
  const seen: unknown[] = [];
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: SERVERS,
    retries: 0,
    fetch: async (url, { body } = {}) => {
      if (String(url).includes("accessToken")) return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 3600 });
      asked.push(body ? String(body) : new URL(String(url)).search);
      return Response.json(pages[asked.length - 1] ?? {}, { status: asked.length > pages.length ? 500 : 200 });
    },
  });
  try {
    for await (const one of walk(fleet)) seen.push(one);
    return { asked, seen };
  } catch (error) {
    return { asked, seen, failure: failureOf(error) };
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
}
