import { loadFixtures, type NamedFixture } from "@fleetwire/contract-tests";
import { describe, expect, it } from "vitest";
import { type OfferedTool, privacyOf, type ToolCall, toolCallOf, toolNameOf } from "./tool-call.ts";

type Json = Record<string, unknown>;

const fixtures = loadFixtures();
const OFFERED = new Map<string, OfferedTool>(
  ["list_live_positions", "list_vehicle_faults", "query_tacho_activity", "list_jobs", "create_job"].map((name) => [
    name,
    { name, inputSchema: {} },
  ]),
);

function fixtureOf(
  operation: string,
  call: Json,
  more: { value?: unknown; query?: Record<string, string>; id?: string } = {},
): NamedFixture {
  const fixture = fixtures.find((one) => one.operation === operation);
  if (!fixture) throw new Error(`no fixture of ${operation}`);
  const { value = {}, query = {}, id = "mine" } = more;
  return { ...fixture, id, call, request: { ...fixture.request, query }, expect: { value } as NamedFixture["expect"] } as NamedFixture;
}

it("a tool has the name of its operation, in snake case", () => expect(toolNameOf("listLivePositions")).toBe("list_live_positions"));

it.each([
  ["true", "respect"],
  ["false", "off"],
  [undefined, "off"],
])("hideSpeedIfSpeedSensitive %s is sent with privacy %s", (value, privacy) => {
  const query = value === undefined ? {} : { hideSpeedIfSpeedSensitive: value };
  expect(privacyOf(fixtureOf("listLivePositions", {}, { query }))).toBe(privacy);
});

describe("a recorded call", () => {
  const callOf = (fixture: NamedFixture, occurrence = 0, all: readonly NamedFixture[] = []) =>
    toolCallOf(fixture, OFFERED, all, occurrence);

  it.each<[string, NamedFixture, number, Partial<ToolCall>]>([
    [
      "names a locale, so that the list is not read from memory",
      fixtureOf("listLivePositions", {}),
      0,
      { arguments: { locale: "en-x-0", limit: 500 }, addedQuery: { hideSpeedIfSpeedSensitive: "false", locale: "en-x-0" } },
    ],
    [
      "keeps its arguments",
      fixtureOf(
        "listLivePositions",
        { vehicleIds: ["v1"], hideSpeedIfSpeedSensitive: true },
        { query: { hideSpeedIfSpeedSensitive: "true" } },
      ),
      0,
      { arguments: { vehicleIds: ["v1"], limit: 500 }, addedQuery: { hideSpeedIfSpeedSensitive: "true" } },
    ],
    [
      "differs when it is repeated",
      fixtureOf("listLivePositions", { vehicleIds: ["v1"] }),
      2,
      {
        arguments: { vehicleIds: ["v1"], locale: "en-x-2", limit: 500 },
        addedQuery: { hideSpeedIfSpeedSensitive: "false", locale: "en-x-2" },
      },
    ],
    [
      "of an undocumented list has its query",
      fixtureOf("listJobs", { query: { status: "NEW" } }),
      0,
      { arguments: { query: { status: "NEW" }, limit: 500 }, addedQuery: {} },
    ],
    [
      "of an undocumented list differs when it is repeated",
      fixtureOf("listJobs", {}),
      1,
      { arguments: { query: { occurrence: "1" }, limit: 500 }, addedQuery: { occurrence: "1" } },
    ],
    [
      "that a tool makes for all pages asks for the first",
      fixtureOf("listVehicleFaults", { vehicleId: "v1", pageSize: 5 }, { value: { items: [], pagination: { totalPages: 1 } } }),
      0,
      { arguments: { vehicleId: "v1", limit: 500 }, addedQuery: {}, ownQuery: { pageIndex: "0", pageSize: "200" } },
    ],
    [
      "of a page has a limit",
      fixtureOf("queryTachoActivity", { startTime: "a", limit: 3 }),
      0,
      { arguments: { startTime: "a", limit: 3 }, addedBody: { skip: 0, limit: 3 } },
    ],
    [
      "of a page without a size differs when it is repeated",
      fixtureOf("queryTachoActivity", { startTime: "a" }),
      1,
      { arguments: { startTime: "a", limit: 21 }, addedBody: { skip: 0, limit: 21 } },
    ],
    [
      "of a write is the same",
      fixtureOf("createJob", { address: "Lyon" }),
      1,
      { arguments: { address: "Lyon" }, addedQuery: {}, addedBody: {} },
    ],
  ])("%s", (_, fixture, occurrence, call) => expect(callOf(fixture, occurrence)).toMatchObject(call));

  it.each<[string, NamedFixture, number, string]>([
    ["is of no tool", fixtureOf("updateGroup", {}), 0, "no tool calls this operation"],
    [
      "has a date alone",
      fixtureOf("createJob", { scheduledStartDateTime: "2026-10-11" }),
      0,
      "tools reject dates with the day before the month, since models put the month first",
    ],
    [
      "has an empty string",
      fixtureOf("createJob", { vehicleName: "" }),
      0,
      "tools send no empty strings, since hosts use them for missing values",
    ],
    [
      "is of a later page that a tool reads anyway",
      fixtureOf("listVehicleFaults", { pageIndex: 1, pageSize: 5 }),
      0,
      "the tool reads all pages, but a fixture contains only one",
    ],
    [
      "is of one page of several",
      fixtureOf("listVehicleFaults", {}, { value: { items: [], pagination: { totalPages: 2 } } }),
      0,
      "the tool reads all pages, but a fixture contains only one",
    ],
    ["is the same again", fixtureOf("listVehicleFaults", {}), 1, "an earlier fixture has the same request"],
    [
      "has no page before it",
      fixtureOf("queryTachoActivity", { skip: 3, limit: 3 }),
      0,
      "tools paginate by cursor, and no fixture precedes skip 3",
    ],
  ])("is skipped if it %s", (_, fixture, occurrence, skipped) => expect(callOf(fixture, occurrence)).toEqual({ skipped }));

  describe("of a later page comes after", () => {
    const page = (call: Json, items = 3, id = "before") =>
      fixtureOf("queryTachoActivity", { startTime: "a", ...call }, { value: { data: Array(items).fill({}) }, id });
    const later = page({ skip: 6, limit: 3 }, 3, "later");
    const failed = { ...page({ skip: 3, limit: 3 }), expect: { error: { code: "rejected" } } } as NamedFixture;

    it.each<[string, NamedFixture, boolean]>([
      ["the page before it", page({ skip: 3, limit: 3 }), true],
      ["no page further before it", page({ skip: 0, limit: 3 }), false],
      ["no page with fewer entries", page({ skip: 3, limit: 3 }, 2), false],
      ["no page without entries", page({ skip: 6, limit: 3 }, 0), false],
      ["no page of another query", page({ skip: 3, limit: 3, startTime: "b" }), false],
      ["no page of another size", page({ skip: 3, limit: 4 }), false],
      ["no page of another operation", { ...page({ skip: 3, limit: 3 }), operation: "listJobs" } as NamedFixture, false],
      ["no failure", failed, false],
    ])("%s", (_, before, isBefore) => {
      const call = callOf(later, 0, [later, before]);
      expect("after" in call ? call.after : undefined).toBe(isBefore ? before : undefined);
    });

    it("no page whose size is left to the service", () => {
      const [first, second] = [page({ skip: 3 }), page({ skip: 6 }, 3, "later")];
      expect(callOf(second, 0, [first, second])).toHaveProperty("skipped");
    });
  });
});
