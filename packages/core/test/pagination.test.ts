import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { FleetError } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import type { Answer, RecordedRequest } from "./recording-server.ts";

const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const json = (response: ServerResponse, body: unknown): void => {
  response.end(JSON.stringify(body));
};

/** Responds to each request according to its query. */
const service =
  (answer: (asked: Record<string, string | number | undefined>) => unknown): Answer =>
  (response, { url, body }: RecordedRequest) =>
    json(response, answer({ ...Object.fromEntries(new URL(url, "http://x").searchParams), ...(body ? JSON.parse(body) : {}) }));

const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ id: `v${from + at}` }));

/** Pages of faults for this many vehicles. */
function faultPages(total: number, { size = 3, pagination = true } = {}): Answer {
  return service(({ pageIndex = 0, pageSize = size }) => {
    const from = Number(pageIndex) * Number(pageSize);
    const items = ids(from, Math.max(0, Math.min(Number(pageSize), total - from)));
    const totalPages = Math.ceil(total / Number(pageSize));
    return {
      items,
      ...(pagination && { pagination: { totalItems: total, totalPages, pageSize: Number(pageSize), pageIndex: Number(pageIndex) } }),
    };
  });
}

/** Everything an iteration yields, and its error, if any. */
async function readAll<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error?: FleetError }> {
  const given: Item[] = [];
  const reading = (async () => {
    for await (const item of items) given.push(item);
  })();
  const error = await reading.then(
    () => undefined,
    () => failure(reading),
  );
  return { items: given, ...(error && { error }) };
}

describe("iterating over vehicle faults", () => {
  it.each([
    { total: 0, requests: 1 },
    { total: 2, requests: 1 },
    { total: 3, requests: 1 },
    { total: 4, requests: 2 },
    { total: 10, requests: 4 },
  ])("ends at totalPages: $total vehicles take $requests requests", async ({ total, requests }) => {
    const { fleet, api } = await fleetUnderTest({ api: [faultPages(total)] });
    expect(await readAll(fleet.listVehicleFaults.iterate())).toEqual({ items: ids(0, total) });
    expect(api.requests.map(({ url }) => url.split("?")[1])).toEqual(Array.from({ length: requests }, (_, at) => `pageIndex=${at}`));
  });

  it.each([
    { total: 0, requests: 1 },
    { total: 3, requests: 2 },
    { total: 4, requests: 2 },
    { total: 6, requests: 3 },
  ])("ends at a short or empty page if pagination is missing: $total vehicles", async ({ total, requests }) => {
    const { fleet, api } = await fleetUnderTest({ api: [faultPages(total, { pagination: false })] });
    expect(await readAll(fleet.listVehicleFaults.iterate())).toEqual({ items: ids(0, total) });
    expect(api.requests).toHaveLength(requests);
  });

  it("starts where the caller says, with the other fields on each request", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [faultPages(9)] });
    const { items } = await readAll(fleet.listVehicleFaults.iterate({ groupId: "g1", pageSize: 2, pageIndex: 3 }));
    expect(items).toEqual(ids(6, 3));
    expect(api.requests.map(({ url }) => url.split("?")[1])).toEqual([
      "groupId=g1&pageSize=2&pageIndex=3",
      "groupId=g1&pageSize=2&pageIndex=4",
    ]);
  });

  it("yields pages as single calls return them", async () => {
    const { fleet } = await fleetUnderTest({ api: [faultPages(4)] });
    const { items: pages } = await readAll(fleet.listVehicleFaults.pages());
    expect(pages).toEqual([await fleet.listVehicleFaults(), await fleet.listVehicleFaults({ pageIndex: 1 })]);
  });

  it("requests a page only when needed, and none after the loop is left", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [faultPages(100)] });
    const items = fleet.listVehicleFaults.iterate();
    expect(api.requests).toHaveLength(0);
    for await (const { id } of items) if (id === "v4") break;
    expect(api.requests).toHaveLength(2);
  });
});

describe("pages of a service that states no number of pages", () => {
  const capped = (total: number, most: number) =>
    service(({ pageIndex = 0, pageSize = most }) => {
      const from = Number(pageIndex) * Math.min(Number(pageSize), most);
      return {
        items: ids(from, Math.max(0, Math.min(Number(pageSize), most, total - from))),
        pagination: { totalItems: total, pageSize: most },
      };
    });

  it.each([
    { total: 7, pageSize: 5, requests: 3 },
    { total: 6, pageSize: 5, requests: 2 },
    { total: 2, pageSize: 5, requests: 1 },
    { total: 0, pageSize: 5, requests: 1 },
  ])("are read up to the number of items if they are smaller than requested: $total", async ({ total, pageSize, requests }) => {
    const { fleet, api } = await fleetUnderTest({ api: [capped(total, 3)] });
    expect(await readAll(fleet.listVehicleFaults.iterate({ pageSize }))).toEqual({ items: ids(0, total) });
    expect(api.requests).toHaveLength(requests);
  });

  it("end with a short one if the list is read from a later page", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [capped(7, 3)] });
    expect(await readAll(fleet.listVehicleFaults.iterate({ pageIndex: 1, pageSize: 3 }))).toEqual({ items: ids(3, 4) });
    expect(api.requests).toHaveLength(2);
  });

  it("end with an empty one, however many items there should be", async () => {
    const { fleet, api } = await fleetUnderTest({
      api: [service(({ pageIndex }) => ({ items: Number(pageIndex) === 0 ? ids(0, 3) : [], pagination: { totalItems: 9 } }))],
    });
    expect(await readAll(fleet.listVehicleFaults.iterate({ pageSize: 3 }))).toEqual({ items: ids(0, 3) });
    expect(api.requests).toHaveLength(2);
  });
});

describe("pages of a faulty service", () => {
  const page = (items: unknown, totalPages?: unknown) => ({ items, ...(totalPages !== undefined && { pagination: { totalPages } }) });
  it.each<{ what: string; answer: Parameters<typeof service>[0]; gives: number; requests: number; code?: string }>([
    {
      what: "the same page again and again",
      answer: () => page(ids(0, 3), 1000),
      gives: 3,
      requests: 2,
      code: "contract",
    },
    { what: "the same page, without pagination", answer: () => page(ids(0, 3)), gives: 3, requests: 2, code: "contract" },
    {
      what: "two alternating pages",
      answer: ({ pageIndex }) => page(ids(Number(pageIndex) % 2, 3), 1000),
      gives: 6,
      requests: 3,
      code: "contract",
    },
    {
      what: "empty pages and a total that grows with each",
      answer: ({ pageIndex }) => page(pageIndex === "0" ? ids(0, 2) : [], Number(pageIndex) + 4),
      gives: 2,
      requests: 4,
    },
    {
      what: "pages without records, and a total that grows",
      answer: ({ pageIndex }) => page([null, 5, Number(pageIndex)], Number(pageIndex) + 3),
      gives: 0,
      requests: 3,
    },
    { what: "pages without records and pagination", answer: () => page([null, 5]), gives: 0, requests: 1 },
    {
      what: "a page without records in the middle",
      answer: ({ pageIndex }) => page(pageIndex === "1" ? [null, 1] : ids(Number(pageIndex) * 2, 2), 3),
      gives: 4,
      requests: 3,
    },
    {
      what: "a total that shrinks",
      answer: ({ pageIndex }) => page(ids(Number(pageIndex) * 2, 2), 5 - Number(pageIndex)),
      gives: 6,
      requests: 3,
    },
    {
      what: "an unreadable total",
      answer: ({ pageIndex }) => page(pageIndex === "0" ? ids(0, 2) : ids(2, 1), "9"),
      gives: 3,
      requests: 2,
    },
    { what: "a total of zero", answer: () => page(ids(0, 2), 0), gives: 2, requests: 1 },
    { what: "no items at all", answer: () => ({}), gives: 0, requests: 1 },
    { what: "items that are not a list", answer: () => page({ a: 1 }), gives: 0, requests: 1 },
    {
      what: "a different shape in the middle",
      answer: ({ pageIndex }) => (pageIndex === "0" ? page(ids(0, 2), 3) : []),
      gives: 2,
      requests: 2,
      code: "contract",
    },
  ])("$what", async ({ answer, gives, requests, code }) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    const { items, error } = await readAll(fleet.listVehicleFaults.iterate());
    expect({ items: items.length, code: error?.code, requests: api.requests.length }).toEqual({ items: gives, code, requests });
  });

  it("reports the drift of each page once", async () => {
    const { fleet, drift } = await fleetUnderTest({
      api: [service(({ pageIndex }) => page([{ id: pageIndex, model: 1 }, { model: 2 }, { id: `x${pageIndex}` }], 3))],
    });
    await readAll(fleet.listVehicleFaults.iterate());
    const one = { operation: "listVehicleFaults", drift: [{ path: "$.items[*].model", kind: "wrong type", count: 2 }] };
    expect(drift).toEqual([one, one, one]);
  });

  it("fails at the first differing page in strict mode", async () => {
    const { fleet } = await fleetUnderTest({
      api: [service(({ pageIndex }) => page([{ id: pageIndex, ...(pageIndex === "1" && { model: 1 }) }], 3))],
      validation: "strict",
    });
    const { items, error } = await readAll(fleet.listVehicleFaults.iterate());
    expect([items.length, error?.code]).toEqual([1, "contract"]);
  });
});

describe("iterating over tachograph activity", () => {
  const driver = (id: number, ...activities: number[]) => ({
    driverId: `p${id}`,
    driverKey: `key${id}`,
    activities: activities.map((duration) => ({ duration })),
  });

  it("skips by the records received, whatever the limit, until count is reached", async () => {
    const all = Array.from({ length: 7 }, (_, at) => driver(at, at));
    const { fleet, api } = await fleetUnderTest({
      api: [service(({ skip }) => ({ count: 7, data: all.slice(Number(skip), Number(skip) + 3) }))],
    });
    expect(await readAll(fleet.queryTachoActivity.iterate({ ...span, limit: 5, skip: 1 }))).toEqual({ items: all.slice(1) });
    expect(api.requests.map(({ body }) => JSON.parse(body))).toEqual([1, 4].map((skip) => ({ ...span, limit: 5, skip })));
  });

  it("keeps the order of the sort keys on every page", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [service(({ skip }) => ({ count: 2, data: [driver(Number(skip), 1)] }))] });
    await readAll(fleet.queryTachoActivity.iterate({ ...span, sort: { "activities.type": "ASC", driverId: "DESC" } }));
    expect(api.requests.map(({ body }) => Object.keys(JSON.parse(body).sort))).toEqual(Array(2).fill(["activities.type", "driverId"]));
  });

  it.each<{ what: string; pages: unknown[][]; count?: number; gives: unknown[] }>([
    {
      what: "a driver split over two pages is one",
      pages: [
        [driver(1, 1), driver(2, 2)],
        [driver(2, 3, 4), driver(3, 5)],
      ],
      gives: [driver(1, 1), driver(2, 2, 3, 4), driver(3, 5)],
    },
    {
      what: "a driver split over three pages is one",
      pages: [[driver(1, 1)], [driver(1, 2)], [driver(1, 3)]],
      gives: [driver(1, 1, 2, 3)],
    },
    {
      what: "parts that differ only in an activity at one end are not the same page",
      pages: [[driver(1, 1, 2, 3)], [driver(1, 4, 2, 3)], [driver(1, 4, 2, 5)]],
      gives: [driver(1, 1, 2, 3, 4, 2, 3, 4, 2, 5)],
    },
    { what: "the same driver within a page stays twice", pages: [[driver(1, 1), driver(1, 2)]], gives: [driver(1, 1), driver(1, 2)] },
    {
      what: "drivers without any identity are not merged",
      pages: [[{ activities: [{ duration: 1 }] }], [{ activities: [{ duration: 2 }] }]],
      gives: [{ activities: [{ duration: 1 }] }, { activities: [{ duration: 2 }] }],
    },
    {
      what: "another driver with one equal key",
      pages: [[driver(1, 1)], [{ ...driver(1, 2), driverKey: "key9" }]],
      gives: [driver(1, 1), { ...driver(1, 2), driverKey: "key9" }],
    },
    {
      what: "a part without activities",
      pages: [[{ driverId: "p1", driverKey: "key1" }], [driver(1, 2)]],
      gives: [driver(1, 2)],
    },
    { what: "an empty page is the end, whatever count says", pages: [[driver(1, 1)], []], count: 50, gives: [driver(1, 1)] },
  ])("$what", async ({ pages, count, gives }) => {
    const records = pages.flat();
    const starts = pages.map((_, at) => pages.slice(0, at).flat().length);
    const answer = service(({ skip }) => ({ count: count ?? records.length, data: pages[starts.lastIndexOf(Number(skip))] ?? [] }));
    const { fleet } = await fleetUnderTest({ api: [answer] });
    expect(await readAll(fleet.queryTachoActivity.iterate(span))).toEqual({ items: gives });
  });

  it.each<{ what: string; answer: Parameters<typeof service>[0]; gives: number; requests: number; code?: string }>([
    {
      what: "a skip that is ignored: a driver that may continue is not yielded",
      answer: () => ({ count: 9, data: [driver(1, 1)] }),
      gives: 0,
      requests: 2,
      code: "contract",
    },
    { what: "no count", answer: ({ skip }) => ({ data: Number(skip) < 4 ? [driver(Number(skip), 1)] : [] }), gives: 4, requests: 5 },
    {
      what: "a count that grows over pages without records",
      answer: ({ skip }) => ({ count: Number(skip) + 3, data: [1] }),
      gives: 0,
      requests: 3,
    },
    { what: "a negative count", answer: () => ({ count: -1, data: [driver(1, 1)] }), gives: 1, requests: 2 },
  ])("$what", async ({ answer, gives, requests, code }) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    const { items, error } = await readAll(fleet.queryTachoActivity.iterate(span));
    expect({ items: items.length, code: error?.code, requests: api.requests.length }).toEqual({ items: gives, code, requests });
  });
});

describe("records nested too deeply to serialise", () => {
  const nested = (id: string) => `{"id":"${id}","extra":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const pages = (idOf: (page: number) => string): Answer => {
    let page = 0;
    return (response) => void response.end(`{"items":[${nested(idOf(page++))}],"pagination":{"totalPages":3}}`);
  };

  it("are yielded like any others", async () => {
    const { fleet } = await fleetUnderTest({ api: [pages((page) => `v${page}`)] });
    const ids: unknown[] = [];
    for await (const { id } of fleet.listVehicleFaults.iterate()) ids.push(id);
    expect(ids).toEqual(["v0", "v1", "v2"]);
  });

  it("end the loop if they repeat", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [pages(() => "v1")] });
    const records = fleet.listVehicleFaults.iterate();
    await records.next();
    expect((await failure(records.next())).code).toBe("contract");
    expect(api.requests).toHaveLength(2);
  });
});

describe("the options of an iteration", () => {
  it("apply to each page: retries", async () => {
    const good = service(({ pageIndex }) => ({ items: [{ id: pageIndex }], pagination: { totalPages: 3 } }));
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503 }, good], retries: 1 });
    expect((await readAll(fleet.listVehicleFaults.iterate())).items).toHaveLength(3);
    expect(api.requests).toHaveLength(4);
  });

  it("apply to each page: an abort between two of them", async () => {
    const { fleet } = await fleetUnderTest({ api: [faultPages(9)] });
    const caller = new AbortController();
    const items = fleet.listVehicleFaults.iterate({}, { signal: caller.signal });
    for (let read = 0; read < 3; read++) await items.next();
    caller.abort();
    expect((await failure(items.next())).code).toBe("aborted");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it.each([{ pageSize: 0 }, { pageIndex: -1 }, { pageIndex: "5" }, { pageIndex: null }, { vehicle: "v1" }, 5, "x", new Map()])(
    "are sent with input that is checked first: %j",
    async (input) => {
      const { fleet, api } = await fleetUnderTest();
      const { error } = await readAll(fleet.listVehicleFaults.iterate(input as never));
      expect(error?.code).toBe("input");
      expect(api.requests).toHaveLength(0);
    },
  );
});
