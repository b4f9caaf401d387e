import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import type { Answer, RecordedRequest } from "./recording-server.ts";

type Json = Record<string, unknown>;
type Asked = Readonly<Record<string, unknown>>;

/** Responds to each request according to its query and body; an undefined response is a 404. */
const service =
  (answer: (asked: Asked) => Json | undefined): Answer =>
  (response, { url, body }: RecordedRequest) => {
    const found = answer({ ...Object.fromEntries(new URL(url, "http://x").searchParams), ...(body ? JSON.parse(body) : {}) });
    response.statusCode = found === undefined ? 404 : 200;
    response.end(JSON.stringify(found ?? []));
  };

const FAULTS = Array.from({ length: 7 }, (_, at) => ({ id: `v${at}` }));
const DRIVERS = FAULTS.map(({ id }) => ({ driverId: id, driverKey: `key-${id}` }));

/** The page at an index of a service that sends at most three vehicles, whatever was requested. */
const capped = ({ pageIndex }: Asked) => FAULTS.slice(Number(pageIndex) * 3, Number(pageIndex) * 3 + 3);

const from = ({ skip, limit }: Asked, most = 3) => DRIVERS.slice(Number(skip), Number(skip) + Math.min(Number(limit), most));

async function readAll(records: AsyncIterable<{ id?: string | undefined; driverId?: string | undefined }>) {
  const ids: unknown[] = [];
  for await (const { id, driverId } of records) ids.push(id ?? driverId);
  return ids;
}

const all = FAULTS.map(({ id }) => id);

describe("all vehicles are read from a service", () => {
  it.each<[what: string, answer: Parameters<typeof service>[0], input: object, requests: number]>([
    ["that rounds totalPages down", (asked) => ({ items: capped(asked), pagination: { totalItems: 7, totalPages: 2 } }), {}, 3],
    [
      "that computes totalPages from the requested size, which it caps",
      (asked) => ({ items: capped(asked), pagination: { totalItems: 7, totalPages: 1 } }),
      { pageSize: 200 },
      3,
    ],
    ["that rounds totalPages up", (asked) => ({ items: capped(asked), pagination: { totalItems: 7, totalPages: 4 } }), {}, 4],
    ["whose totalItems counts the page", (asked) => ({ items: capped(asked), pagination: { totalItems: 3, totalPages: 3 } }), {}, 3],
    ["whose totalItems is zero", (asked) => ({ items: capped(asked), pagination: { totalItems: 0 } }), { pageSize: 200 }, 4],
    ["that caps the page size without totals", (asked) => ({ items: capped(asked) }), { pageSize: 200 }, 3],
    ["that states only its own page size", (asked) => ({ items: capped(asked), pagination: { pageSize: 3 } }), { pageSize: 200 }, 3],
    ["that does not paginate", () => ({ items: FAULTS }), { pageSize: 200 }, 2],
    ["that does not paginate, and sends more than requested", () => ({ items: FAULTS }), { pageSize: 5 }, 2],
    ["that refuses a page after the last", ({ pageIndex }) => (pageIndex === "0" ? { items: FAULTS } : undefined), { pageSize: 200 }, 2],
    [
      "that counts faults, and repeats its last page",
      () => ({ items: FAULTS, pagination: { totalItems: 20, totalPages: 1 } }),
      { pageSize: 200 },
      2,
    ],
  ])("%s", async (_, answer, input, requests) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    expect(await readAll(fleet.listVehicleFaults.iterate(input))).toEqual(all);
    expect(api.requests).toHaveLength(requests);
  });

  it("from a later page, if the service states its page size", async () => {
    const answer = service((asked) => ({ items: capped(asked), pagination: { totalItems: 7, totalPages: 2, pageSize: 3 } }));
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    expect(await readAll(fleet.listVehicleFaults.iterate({ pageIndex: 1, pageSize: 200 }))).toEqual(all.slice(3));
    expect(api.requests).toHaveLength(2);
  });
});

describe("all drivers are read from a service", () => {
  const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

  it.each<[what: string, answer: Parameters<typeof service>[0], requests: number]>([
    ["that counts them", (asked) => ({ count: 7, data: from(asked) }), 3],
    ["whose count is below what has arrived", (asked) => ({ count: 1, data: from(asked) }), 4],
    ["whose count is that of the page", (asked) => ({ count: from(asked, 5).length, data: from(asked, 5) }), 3],
    ["that ignores skip and limit, with a count too low", () => ({ count: 2, data: DRIVERS }), 2],
  ])("%s", async (_, answer, requests) => {
    const { fleet, api } = await fleetUnderTest({ api: [service(answer)] });
    expect(await readAll(fleet.queryTachoActivity.iterate({ ...span, limit: 5 }))).toEqual(all);
    expect(api.requests).toHaveLength(requests);
  });
});

it.each<[what: string, answer: Parameters<typeof service>[0], code: string]>([
  ["repeats a page while it announces more", () => ({ items: FAULTS, pagination: { totalItems: 20 } }), "contract"],
  ["repeats a page of the requested size", () => ({ items: FAULTS }), "contract"],
  [
    "refuses a page that it announced",
    ({ pageIndex }) => (pageIndex === "0" ? { items: FAULTS, pagination: { totalPages: 2 } } : undefined),
    "notFound",
  ],
])("a service that %s has failed", async (_, answer, code) => {
  const { fleet } = await fleetUnderTest({ api: [service(answer)] });
  expect((await failure(readAll(fleet.listVehicleFaults.iterate({ pageSize: 7 })))).code).toBe(code);
});
