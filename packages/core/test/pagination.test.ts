import { describe, expect, it } from "vitest";
import type { FleetError } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import type { Answer } from "./recording-server.ts";

const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

type Page = (asked: Record<string, string | number | undefined>) => unknown;

/** Responds to each request according to its query and body; an undefined response is a 404. */
const service =
  (answer: Page): Answer =>
  (response, { url, body }) => {
    const found = answer({ ...Object.fromEntries(new URL(url, "http://x").searchParams), ...(body ? JSON.parse(body) : {}) });
    response.statusCode = found === undefined ? 404 : 200;
    response.end(JSON.stringify(found ?? []));
  };

const ids = (from: number, count: number) => Array.from({ length: Math.max(0, count) }, (_, at) => ({ id: `v${from + at}` }));

/** Pages of faults for this many vehicles, with what else is said of each. */
const faults =
  (total: number, pagination?: (size: number, index: number) => object, most = Number.POSITIVE_INFINITY): Page =>
  ({ pageIndex = 0, pageSize = 3 }) => {
    const size = Math.min(Number(pageSize), most);
    const from = Number(pageIndex) * size;
    return { items: ids(from, Math.min(size, total - from)), ...(pagination && { pagination: pagination(size, Number(pageIndex)) }) };
  };
const stated = (total: number) =>
  faults(total, (pageSize, pageIndex) => ({ totalItems: total, totalPages: Math.ceil(total / pageSize), pageSize, pageIndex }));
const page = (items: unknown, totalPages?: unknown) => ({ items, ...(totalPages !== undefined && { pagination: { totalPages } }) });

/** The first page, and what follows it, which is a 404 if absent. */
const firstPage =
  (first: unknown, next?: (index: number) => unknown): Page =>
  ({ pageIndex = 0 }) =>
    Number(pageIndex) === 0 ? first : next?.(Number(pageIndex));

/** Everything an iteration yields, and the code of its error, if any. */
async function readAll<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; code?: FleetError["code"] }> {
  const read: Item[] = [];
  const reading = (async () => {
    for await (const item of items) read.push(item);
  })();
  const error = await reading.then(
    () => undefined,
    () => failure(reading),
  );
  return { items: read, ...(error && { code: error.code }) };
}

const WIDE = { pageSize: 200 };

describe("iterating over vehicle faults", () => {
  it.each<[what: string, answer: Page, input: object, gives: number, requests: number, code?: string]>([
    ["ends at totalPages, of nothing", stated(0), {}, 0, 1],
    ["ends at totalPages, of several", stated(10), {}, 10, 4],
    ["ends at an empty page after full ones without pagination", faults(6), {}, 6, 3],
    ["ends at totalItems, with pages smaller than requested", faults(7, (pageSize) => ({ totalItems: 7, pageSize }), 3), WIDE, 7, 3],
    ["ends at an empty page, whatever totalItems", faults(3, () => ({ totalItems: 9 })), { pageSize: 3 }, 3, 2],
    ["reads all if totalPages is rounded down", faults(7, () => ({ totalItems: 7, totalPages: 2 })), {}, 7, 3],
    ["reads all if totalPages is of the requested size", faults(7, () => ({ totalItems: 7, totalPages: 1 }), 3), WIDE, 7, 3],
    ["reads all if totalItems counts the page", faults(7, () => ({ totalItems: 3, totalPages: 3 })), {}, 7, 3],
    ["reads all if the size is capped, without totals", faults(7, undefined, 3), WIDE, 7, 3],
    ["reads all if only the capped size is stated", faults(7, () => ({ pageSize: 3 }), 3), WIDE, 7, 3],
    ["reads all that is not paginated", () => ({ items: ids(0, 7) }), WIDE, 7, 2],
    ["reads all if the page after the last is refused", firstPage(page(ids(0, 7))), WIDE, 7, 2],
    ["reads all if faults are counted", () => ({ items: ids(0, 7), pagination: { totalItems: 20, totalPages: 1 } }), WIDE, 7, 2],
    ["ends at a page with fewer, from a later page", faults(7, undefined, 3), { pageIndex: 1, pageSize: 3 }, 4, 2],
    ["reads all from a later page", faults(7, () => ({ totalItems: 7, totalPages: 2, pageSize: 3 }), 3), { ...WIDE, pageIndex: 1 }, 4, 2],
    ["fails if a page repeats", () => page(ids(0, 3), 1000), {}, 3, 2, "contract"],
    ["fails if two pages alternate", ({ pageIndex }) => page(ids(Number(pageIndex) % 2, 3), 1000), {}, 6, 3, "contract"],
    ["fails if an announced page is refused", firstPage(page(ids(0, 2), 2)), {}, 2, 2, "notFound"],
    ["ends at empty pages, though the total grows", firstPage(page(ids(0, 2), 4), (index) => page([], index + 4)), {}, 2, 4],
    ["ends without records, though the total grows", ({ pageIndex }) => page([5, pageIndex], Number(pageIndex) + 3), {}, 0, 3],
    ["goes on after a page without records", ({ pageIndex }) => page(pageIndex === "1" ? [1] : ids(Number(pageIndex), 2), 3), {}, 4, 3],
    ["goes by a total that shrinks", ({ pageIndex }) => page(ids(Number(pageIndex) * 2, 2), 5 - Number(pageIndex)), {}, 6, 3],
    ["ignores an unreadable total", firstPage(page(ids(0, 2), "9"), () => page(ids(2, 1), "9")), {}, 3, 2],
  ])("%s", async (_, answer, input, gives, requests, code) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    const { items, code: end } = await readAll(fleet.listVehicleFaults.iterate(input));
    expect({ items: items.length, requests: api.requests.length, code: end }).toEqual({ items: gives, requests, code });
    if (code === undefined) expect(new Set(items.map(({ id }) => id)).size).toBe(gives);
  });

  it("starts where the caller says, with the other fields on each request", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [service(stated(9))] });
    const { items } = await readAll(fleet.listVehicleFaults.iterate({ groupId: "g1", pageSize: 2, pageIndex: 3 }));
    expect(items).toEqual(ids(6, 3));
    expect(api.requests.map(({ url }) => url.split("?")[1])).toEqual([
      "groupId=g1&pageSize=2&pageIndex=3",
      "groupId=g1&pageSize=2&pageIndex=4",
    ]);
  });

  it("yields pages as single calls return them", async () => {
    const { fleet } = await fleetUnderTest({ api: [service(stated(4))] });
    const { items: pages } = await readAll(fleet.listVehicleFaults.pages());
    expect(pages).toEqual([await fleet.listVehicleFaults(), await fleet.listVehicleFaults({ pageIndex: 1 })]);
  });

  it("requests a page only when needed, and none after the loop is left", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [service(stated(100))] });
    const items = fleet.listVehicleFaults.iterate();
    expect(api.requests).toHaveLength(0);
    for await (const { id } of items) if (id === "v4") break;
    expect(api.requests).toHaveLength(2);
  });

  it("reports the drift of each page once, and fails at the first differing page in strict mode", async () => {
    const answer = service(({ pageIndex }) =>
      page([{ id: pageIndex }, { ...(pageIndex === "1" && { model: 2 }) }, { id: `x${pageIndex}` }], 3),
    );
    const { fleet, drift } = await fleetUnderTest({ api: [answer] });
    expect((await readAll(fleet.listVehicleFaults.iterate())).items).toHaveLength(9);
    expect(drift).toEqual([{ operation: "listVehicleFaults", drift: [{ path: "$.items[*].model", kind: "wrong type", count: 1 }] }]);
    const strict = await fleetUnderTest({ api: [answer], validation: "strict" });
    const { items, code } = await readAll(strict.fleet.listVehicleFaults.iterate());
    expect([items.length, code]).toEqual([3, "contract"]);
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

  const bare = { driverId: "p1", driverKey: "key1" };
  const [one, two, three] = [driver(1, 1), driver(1, 2), driver(1, 3)];
  it.each<[what: string, pages: unknown[][], gives: unknown[], count?: number]>([
    ["a driver split over three pages is one", [[one], [two], [three]], [driver(1, 1, 2, 3)]],
    [
      "parts that differ only in an activity at one end are not the same page",
      [[driver(1, 1, 2, 3)], [driver(1, 4, 2, 3)], [driver(1, 4, 2, 5)]],
      [driver(1, 1, 2, 3, 4, 2, 3, 4, 2, 5)],
    ],
    ["the same driver within a page stays twice", [[one, two]], [one, two]],
    ["another driver with one equal key", [[one], [{ ...two, driverKey: "key9" }]], [one, { ...two, driverKey: "key9" }]],
    ["a part without activities", [[bare], [two]], [two]],
    ["an empty page is the end, whatever count says", [[one], []], [one], 50],
  ])("%s", async (_, pages, gives, count) => {
    const records = pages.flat();
    const starts = pages.map((_, at) => pages.slice(0, at).flat().length);
    const answer = service(({ skip }) => ({ count: count ?? records.length, data: pages[starts.lastIndexOf(Number(skip))] ?? [] }));
    const { fleet } = await fleetUnderTest({ api: [answer] });
    expect(await readAll(fleet.queryTachoActivity.iterate(span))).toEqual({ items: gives });
  });

  const few = (skip: unknown, limit: unknown, most = 3) =>
    Array.from({ length: 7 }, (_, at) => driver(at, at)).slice(Number(skip), Number(skip) + Math.min(Number(limit), most));
  it.each<[what: string, answer: Page, gives: number, requests: number, code?: string]>([
    ["reads all if count is below what has arrived", ({ skip, limit }) => ({ count: 1, data: few(skip, limit) }), 7, 4],
    ["reads all if skip and limit are ignored, with a count too low", () => ({ count: 2, data: few(0, 7, 7) }), 7, 2],
    ["fails if skip is ignored: a driver that may continue is not yielded", () => ({ count: 9, data: [driver(1, 1)] }), 0, 2, "contract"],
    ["ends at an empty page without a count", ({ skip }) => ({ data: Number(skip) < 4 ? [driver(Number(skip), 1)] : [] }), 4, 5],
    ["ends though the count grows over pages without records", ({ skip }) => ({ count: Number(skip) + 3, data: [1] }), 0, 3],
  ])("%s", async (_, answer, gives, requests, code) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    const { items, code: end } = await readAll(fleet.queryTachoActivity.iterate({ ...span, limit: 5 }));
    expect({ items: items.length, requests: api.requests.length, code: end }).toEqual({ items: gives, requests, code });
  });
});

describe("records nested too deeply to serialise", () => {
  const nested = (id: string) => `{"id":"${id}","extra":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const pages = (idOf: (page: number) => string): Answer => {
    let page = 0;
    return (response) => void response.end(`{"items":[${nested(idOf(page++))}],"pagination":{"totalPages":3}}`);
  };

  it("are yielded like any others, and end the loop if they repeat", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [pages((page) => `v${page}`)] });
    const { items } = await readAll(fleet.listVehicleFaults.iterate());
    expect(items.map(({ id }) => id)).toEqual(["v0", "v1", "v2"]);
    api.script(pages(() => "v1"));
    expect((await readAll(fleet.listVehicleFaults.iterate())).code).toBe("contract");
    expect(api.requests).toHaveLength(5);
  });
});

describe("the options of an iteration", () => {
  it("apply to each page: an abort between two of them", async () => {
    const { fleet } = await fleetUnderTest({ api: [service(stated(9))] });
    const caller = new AbortController();
    const items = fleet.listVehicleFaults.iterate({}, { signal: caller.signal });
    for (let read = 0; read < 3; read++) await items.next();
    caller.abort();
    expect((await failure(items.next())).code).toBe("aborted");
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it.each([{ pageSize: 0 }, { vehicle: "v1" }, 5, new Map()])("are sent with input that is checked first: %j", async (input) => {
    const { fleet, api } = await fleetUnderTest();
    expect((await readAll(fleet.listVehicleFaults.iterate(input as never))).code).toBe("input");
    expect(api.requests).toEqual([]);
  });
});
