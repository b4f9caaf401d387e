import { describe, expect, it } from "vitest";
import { FILTERS, filtersOf } from "../src/checks/response-rules.ts";
import { ruleProblems } from "../src/checks/sandbox-check.ts";
import { loadFixtures } from "../src/index.ts";
import { setUpState } from "../src/provider/provider-sandbox.ts";

const fixtures = loadFixtures();

// biome-ignore lint/suspicious/noExplicitAny: responses, altered by each row
type Body = any;

/** The problems found after altering the sandbox's response to a fixture's request. */
async function broken(name: string, alter: (body: Body) => Body): Promise<string> {
  const fixture = fixtures.find(({ id }) => id === `documented/${name}`);
  if (!fixture) throw new Error(`unknown fixture ${name}`);
  const provider = await setUpState(fixture.given);
  const { body } = await provider.send(fixture);
  expect(await ruleProblems(fixture, provider, body)).toEqual([]);
  return (await ruleProblems(fixture, provider, alter(body))).join("\n");
}

describe("a response of the sandbox is checked against parameters request", () => {
  const speeding = (body: Body) => body.map((one: Body) => ({ ...one, speed: 5 }));
  it.each<[string, string, (body: Body) => Body, string]>([
    ["hidden speeds", "list-live-positions-speed-hidden", speeding, "every record has a speed"],
    [
      "the total number of pages",
      "list-vehicle-faults-page-0",
      (body) => ({ ...body, pagination: { ...body.pagination, totalPages: 99 } }),
      "the response states 99 pages in total",
    ],
    [
      "the total number of records",
      "list-vehicle-faults-page-0",
      (body) => ({ ...body, pagination: { ...body.pagination, totalItems: 0 } }),
      "expected 0 of 0",
    ],
  ])("%s", async (_, name, alter, message) => {
    expect(await broken(name, alter)).toContain(message);
  });

  const filters = Object.entries(FILTERS).flatMap(([operation, parameters]) =>
    Object.keys(parameters).map((filter) => [operation, filter] as const),
  );

  it.each(filters)("%s: the only filter, %s, leaves nothing out", async (operation, filter) => {
    const fixture = fixtures.find((one) => {
      const sent = { ...one.request.query, ...(one.request.body as Body) };
      return one.operation === operation && one.reproducible && filtersOf(one.operation, sent).join() === filter;
    });
    if (!fixture) throw new Error(`no fixture has only ${filter}`);
    const provider = await setUpState(fixture.given);
    const { [filter]: _, ...query } = fixture.request.query;
    const body = fixture.request.body && { ...(fixture.request.body as Body), [filter]: undefined };
    const all = (await provider.send({ ...fixture, request: { ...fixture.request, query, body } })).body;
    expect((await ruleProblems(fixture, provider, all)).join("\n")).toContain(`the response is the same without ${filter}`);
  });

  it("a page that repeats the first", async () => {
    const page = fixtures.find(({ id }) => id === "documented/list-vehicle-faults-page-1");
    const first = fixtures.find(({ id }) => id === "documented/list-vehicle-faults-page-0");
    if (!page || !first) throw new Error("fixtures of pages are missing");
    const provider = await setUpState(page.given);
    const { body } = await provider.send(first);
    expect((await ruleProblems(page, provider, body)).join("\n")).toContain("$.items: the first page again");
  });
});
