import { defineOperation, type Operation } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Script, servedFleet } from "./served-fleet.ts";

type Json = Record<string, unknown>;

const livePositions = [{ assetId: "v12", assetName: "Truck 12" }];

/** The first line of the text, and the record, of a list whose service sends this body. */
async function listed(body: unknown, args: Json = {}) {
  const script: Script = {
    listLivePositions: () => ({ body: livePositions }),
    listJobs: () => ({ body }),
    listTireEvents: () => ({ body }),
  };
  const { call } = await servedFleet({ script });
  const { text, structured } = await call((body as Json)["events"] ? "list_tire_events" : "list_jobs", args);
  return { head: text.split("\n", 1)[0] ?? "", structured: structured as Json };
}

const jobs = Array.from({ length: 3 }, (_, at) => ({ jobNumber: `J${at}`, status: at === 0 ? "DONE" : "NEW", load: at }));

const MORE = "3 of at least 3 jobs; there are more";
const OF_9 = `${MORE} (the service counts 9).`;
const WHOLE = "3 of 3 jobs.";

describe("a list is known to be a part by", () => {
  it.each<[what: string, around: Json, head: string]>([
    ["a total", { total: 9 }, OF_9],
    ["a total of metadata", { meta: { total: 9, page: 1 } }, OF_9],
    ["a total with its relation", { total: { value: 9, relation: "eq" } }, OF_9],
    ["an OData count", { "@odata.count": 9 }, OF_9],
    ["a number of pages", { paging: { pageCount: 3, currentPage: 1 } }, `${MORE}.`],
    ["a flag", { hasMore: true }, `${MORE}.`],
    ["a page that is not the last", { last: false, first: true }, `${MORE}.`],
    ["a cursor", { nextCursor: "abc" }, `${MORE}.`],
    ["nothing: the size of a page", { pageSize: 50, pageIndex: 12, limit: 100, offset: 200, perPage: 20 }, WHOLE],
    ["nothing: an id or a version", { customerId: 4711, version: 2026, accountNumber: 99 }, WHOLE],
    ["nothing: another total", { totalDistance: 812, unreadCount: 7, discount: 30, country: 49 }, WHOLE],
    ["nothing: its own total", { total: 3, pages: 1, totalPages: 1, page: 7, numberOfElements: 3 }, WHOLE],
    ["nothing: no further page", { next: null, nextCursor: "", hasMore: false, last: true, nextPageToken: null }, WHOLE],
    ["nothing: a cursor with a flag against it", { pageInfo: { hasNextPage: false, endCursor: "x" } }, WHOLE],
    ["nothing: the time of the next job", { nextRun: "2026-11-21", nextSync: 1_764_000_000 }, WHOLE],
  ])("%s", async (_, around, head) => {
    const { head: text, structured } = await listed({ jobs, ...around });
    expect(text.slice(0, head.length)).toBe(head);
    expect(structured["total"]).toBe(head === WHOLE ? 3 : undefined);
  });

  it.each<[what: string, body: unknown, head: string]>([
    ["within an object, its total outside", { data: { jobs }, meta: { total: 9 } }, OF_9],
    ["under a general name, with other lists", { items: jobs, links: [{ rel: "next", href: "/x" }], warnings: [] }, `${MORE}.`],
    ["with the same name as its object", { hits: { total: { value: 9 }, hits: jobs } }, OF_9],
    ["without anything around it", jobs, WHOLE],
  ])("what is around it, if it is %s", async (_, body, head) => {
    expect((await listed(body)).head.slice(0, head.length)).toBe(head);
  });
});

describe("every number of a part says so", () => {
  const body = { jobs, next: "/jobs?page=2" };
  it.each<[args: Json, head: string]>([
    [{ count: "total" }, "At least 3 jobs; there are more."],
    [{ where: "status=NEW", count: "total" }, "At least 2 jobs among the first 3 jobs; there are more."],
    [{ where: "status=NEW" }, "2 of at least 2 jobs among the first 3 jobs; there are more."],
    [{ where: "load>5", count: "total" }, "None among the first 3 jobs; there are more. Of 3, 3 have load, from 0 to 2."],
    [{ period: "yesterday" }, "None among the first 3 jobs; there are more."],
    [{ count: "status" }, "At least 3 jobs; there are more. Counted by status, among these only: 2 values."],
    [{ sort: "-load", limit: 1 }, "1 of at least 3 jobs; there are more. Sorted among these only."],
    [{ query: { page: "2" }, where: "status=NEW" }, "2 of at least 2 jobs among the 3 jobs loaded; there are more."],
  ])("%j", async (args, head) => {
    const { head: text, structured } = await listed(body, args);
    expect(text.slice(0, head.length)).toBe(head);
    const [sentence] = head.split(/(?<=\.)(?= )/);
    expect(structured["note"]).toContain(sentence);
    expect(structured["total"]).toBeUndefined();
  });
});

describe("what a further request reads of 102 events is read", () => {
  const events = Array.from({ length: 102 }, (_, at) => ({ id: `e${at}`, vehicleName: `Truck ${at + 200}` }));
  const integer = (url: URL, name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
  const listing = (url: URL, skip: number, limit: number, more: Json = {}) => ({
    body: { events: events.slice(integer(url, "skip", skip), integer(url, "skip", skip) + limit), ...more },
  });

  const [FIRST, ANY] = [events.slice(0, 100), { total: 102 }];
  const linked = (url: URL, skip = integer(url, "skip", 0)) => listing(url, 0, 50, skip < 100 ? { next: `/e?skip=${skip + 50}` } : {});
  it.each<[service: string, reply: (url: URL) => { status?: number; body: unknown }, read: number, requests: number]>([
    ["that knows skip and limit", (url) => listing(url, 0, integer(url, "limit", 100), ANY), 102, 2],
    ["that knows only limit", (url) => ({ body: { events: events.slice(0, integer(url, "limit", 100)), ...ANY } }), 102, 2],
    ["with links", (url) => linked(url), 102, 3],
    ["that refuses parameters", ({ search }) => (search ? { status: 400, body: {} } : { body: { events: FIRST, ...ANY } }), 100, 2],
    ["whose link leads to the same page", () => ({ body: { events: FIRST, next: "/e?page=1" } }), 100, 2],
  ])("from a service %s", async (_, reply, read, requests) => {
    const { text, service } = await servedFleet({
      script: { listLivePositions: () => ({ body: livePositions }), listTireEvents: ({ url }) => reply(url) },
    });
    const said = await text("list_tire_events", { count: "total" });
    expect(said).toContain(read === 102 ? "102 events." : "At least 100 events; there are more");
    expect(service.of("listTireEvents").length).toBe(requests);
  });
});

it.each([
  ["Truck 3", "Truck 3A, Truck 3 (old)"],
  ["3", "Truck 3A, Van 3, Truck 3 (old)"],
  // Truck 12 is a vehicle of the fleet.
  ["Truck 12", ""],
  ["Truck", "Truck 300, Truck 13, Truck 3A, Truck 3 (old), Truck 12 (trailer)"],
])("a name in where is a whole name, as far as its numbers go: %s", async (name, expected) => {
  const names = ["Truck 300", "Truck 13", "Truck 3A", "Van 3", "Truck 3 (old)", "DE-AB 3001", "Truck 12 (trailer)"];
  const events = names.map((vehicleName, at) => ({ id: `e${at}`, vehicleName }));
  const { structured } = await listed({ events }, { where: `vehicleName=${name}`, fields: "vehicleName" });
  expect(((structured["rows"] ?? []) as string[][]).map(([first]) => first).join(", ")).toBe(expected);
});

describe("a custom operation", () => {
  const trips = Array.from({ length: 5 }, (_, at) => ({ tripId: `t${at}`, km: at }));
  const query = { example: "km>1", order: "tripId", ties: ["tripId", "tripId"] as [string, string] };
  const rows = { path: "items", noun: ["trip", "trips"] as [string, string], columns: ["tripId", "km"] };
  const base = {
    ...{ name: "listTrips", summary: "List trips", source: "our own notes", method: "GET" as const, path: "/v1/trips" },
    ...{ servers: ["base"] as const, auth: ["basic"] as const, effect: "read" as const },
    output: z.object({ items: z.array(z.object({ tripId: z.string().optional(), km: z.number().optional() })) }),
  };
  const tool = { title: "Trips", description: "Trips.", toolset: "jobs" };

  it.each<[what: string, body: Json, isQueried: boolean, head: string]>([
    ["that says that it is a part", { items: trips, total: 40 }, true, "5 of at least 5 trips; there are more (the service counts 40)."],
    ["that is whole, shown as it is", { items: trips, pageSize: 50 }, false, "5 of 5 trips."],
  ])("without pages has a response %s", async (_, body, isQueried, head) => {
    const operation = defineOperation({ ...base, tool: { ...tool, rows: { ...rows, ...(isQueried && { query }) } } }) as Operation;
    const { text } = await servedFleet({ script: { listTrips: () => ({ body }) }, options: { operations: [operation] } });
    expect((await text("list_trips")).slice(0, head.length)).toBe(head);
  });

  it("with pages reads all of them to count", async () => {
    const operation = defineOperation({
      ...base,
      query: { index: z.int().optional(), size: z.int().max(2).optional() },
      paging: { kind: "page", index: "index", size: "size", items: "items", totalItems: "total", totalPages: "pages" },
      tool: { ...tool, rows: { ...rows, query } },
    }) as Operation;
    const page = (index: number) => ({ body: { items: trips.slice(index * 2, index * 2 + 2), total: 5 } });
    const script = { listTrips: ({ url }: { url: URL }) => page(Number(url.searchParams.get("index"))) };
    const { text, service } = await servedFleet({ options: { operations: [operation] }, script });
    expect(await text("list_trips", { count: "total" })).toMatch(/^5 trips\./);
    expect(service.of("listTrips").map(({ url }) => url.search)).toEqual(["0", "1", "2"].map((index) => `?index=${index}&size=2`));
  });
});
