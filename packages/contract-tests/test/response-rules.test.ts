import { describe, expect, it } from "vitest";
import { FILTERS, filtersOf } from "../src/checks/response-rules.ts";
import { ruleProblems } from "../src/checks/sandbox-rules.ts";
import { loadFixtures } from "../src/index.ts";
import { setUpState } from "../src/provider/states.ts";

const fixtures = loadFixtures();

// biome-ignore lint/suspicious/noExplicitAny: answers, made wrong where each row says
type Answer = any;

/** The rules that an answer breaks which the sandbox gave to a fixture's request and which was then made wrong. */
async function broken(name: string, spoil: (body: Answer) => Answer): Promise<string> {
  const fixture = fixtures.find(({ id }) => id === `documented/${name}`);
  if (!fixture) throw new Error(`there is no fixture ${name}`);
  const provider = await setUpState(fixture.given);
  const { body } = await provider.send(fixture);
  expect(await ruleProblems(fixture, provider, body)).toEqual([]);
  return (await ruleProblems(fixture, provider, spoil(body))).join("\n");
}

describe("an answer of the sandbox is held to what the request asks for", () => {
  it.each<[string, string, (body: Answer) => Answer, string]>([
    [
      "a filter",
      "list-live-positions-by-vehicles",
      (body) => [...body, { assetId: "other" }],
      "$[*].assetId is not what vehicleIds asks for",
    ],
    [
      "a filter of records within records",
      "query-tacho-activity-every-parameter",
      ({ data, count }) => ({ count, data: data.map((one: Answer) => ({ ...one, activities: [{ assetRegistration: "X 1" }] })) }),
      "$.data[*].activities[*].assetRegistration is not what registrations asks for",
    ],
    [
      "vehicles that were sold",
      "list-live-positions-no-parameters",
      (body) => [...body, { status: "SOLD" }],
      "$[*].status is SOLD, although showAllVehicleStatus is not true",
    ],
    [
      "speeds that are hidden",
      "list-live-positions-speed-hidden",
      (body) => body.map((one: Answer) => ({ ...one, speed: 5 })),
      "speed is in every record",
    ],
    [
      "the span",
      "query-tacho-activity-every-parameter",
      ({ data, count }) => ({ count, data: [...data.slice(1), { ...data[0], activities: [{ startTime: "2026-11-22T00:00:00Z" }] }] }),
      "$.data[*].activities[*].startTime is not in the span asked for",
    ],
    [
      "the number of all pages",
      "list-vehicle-faults-page-0",
      (body) => ({ ...body, pagination: { ...body.pagination, totalPages: 99 } }),
      "99 pages in all are told",
    ],
    [
      "the order",
      "query-tacho-activity-sort-descending",
      (body) => ({
        ...body,
        data: body.data.toReversed().map((one: Answer) => ({ ...one, activities: one.activities.toReversed() })),
      }),
      "is not in the order DESC",
    ],
    [
      "the length of a page",
      "query-tacho-activity-skip-0",
      (body) => ({ ...body, data: [...body.data, ...body.data] }),
      "$.data is more than limit",
    ],
    [
      "the number of all records",
      "list-vehicle-faults-page-0",
      (body) => ({ ...body, pagination: { ...body.pagination, totalItems: 0 } }),
      "0 were expected of 0 in all",
    ],
  ])("%s", async (_, name, spoil, words) => {
    expect(await broken(name, spoil)).toContain(words);
  });

  const filters = Object.entries(FILTERS).flatMap(([operation, its]) => Object.keys(its).map((filter) => [operation, filter] as const));

  it.each(filters)("%s: %s, which is asked for alone and leaves nothing out", async (operation, filter) => {
    const fixture = fixtures.find((one) => {
      const asked = { ...one.request.query, ...(one.request.body as Answer) };
      return one.operation === operation && one.reproducible && filtersOf(one.operation, asked).join() === filter;
    });
    if (!fixture) throw new Error(`no fixture has ${filter} alone`);
    const provider = await setUpState(fixture.given);
    const { [filter]: _, ...query } = fixture.request.query;
    const body = fixture.request.body && { ...(fixture.request.body as Answer), [filter]: undefined };
    const all = (await provider.send({ ...fixture, request: { ...fixture.request, query, body } })).body;
    expect((await ruleProblems(fixture, provider, all)).join("\n")).toContain(`the answer is the same without ${filter}`);
  });

  it("a page that is the first one again", async () => {
    const page = fixtures.find(({ id }) => id === "documented/list-vehicle-faults-page-1");
    const first = fixtures.find(({ id }) => id === "documented/list-vehicle-faults-page-0");
    if (!page || !first) throw new Error("there are no fixtures of pages");
    const provider = await setUpState(page.given);
    const { body } = await provider.send(first);
    expect((await ruleProblems(page, provider, body)).join("\n")).toContain("$.items is the first page again");
  });
});
