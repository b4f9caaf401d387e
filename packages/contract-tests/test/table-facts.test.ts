import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { operations } from "@fleetwire/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { repeatedPage, responseViolations } from "../src/checks/response-rules.ts";
import { unreviewedRows } from "../src/checks/unreviewed-rows.ts";
import { ContractTable, loadTable } from "../src/index.ts";
import { reasonFor } from "../src/table/chosen-rules.ts";
import { isOfType, tableProblems, valuesAt } from "../src/table/conformance.ts";
import { descriptionAt } from "../src/table/contract-facts.ts";
import type { TableRow } from "../src/table/contract-table.ts";
import { factsOfTable, mentionsOf } from "../src/table/table-facts.ts";

const of = (row: Partial<TableRow> & { kind: string }): TableRow => ({ part: "9", operation: "listStops", ...row });

describe("a JSON value", () => {
  const VALUES: [string, unknown][] = [
    ["string", "1"],
    ["boolean", false],
    ["integer", 1],
    ["number", 1.5],
    ["array", []],
    ["Stop", {}],
    ["none", null],
  ];

  it.each([
    ["string", ["string"]],
    ["boolean", ["boolean"]],
    ["integer", ["integer"]],
    ["number", ["integer", "number"]],
    ["array", ["array"]],
    ["Stop", ["Stop"]],
    [undefined, ["Stop"]],
  ])("of the type %s is one of %j", (type, kinds) => {
    expect(VALUES.filter(([, value]) => isOfType(value, type)).map(([kind]) => kind)).toEqual(kinds);
  });

  it.each<[unknown, string, unknown[]]>([
    [[{ faults: [{ code: 1 }, {}, { code: 2 }] }, {}], "[].faults[].code", [1, 2]],
    [{ group: { id: "g" } }, "group.id", ["g"]],
    [{ "activities.type": "ASC" }, "activities.type", ["ASC"]],
    [{ tags: "a" }, "tags[].name", []],
    ["text", "[].name", []],
    [{ a: 1 }, "b.c", []],
    [[{ a: 1 }], "[].b", []],
  ])("%j has at %s the values %j", (body, path, values) => expect(valuesAt(body, path)).toEqual(values));
});

/** The table of one operation, as somebody would write it from a description. */
const ROWS: TableRow[] = [
  of({ kind: "request", method: "GET", server: "base", path: "/stops" }),
  of({ kind: "auth", scheme: "basic" }),
  of({ kind: "query", name: "since", type: "string", format: "date-time", written: ["YYYY-DD-MM"], required: true }),
  of({ kind: "query", name: "ids", type: "array", items: "string", form: "alphanumeric", maxItems: 9 }),
  of({ kind: "limit", name: "ids", maxLength: 5, minLength: 0 }),
  of({ kind: "limit", name: "note", maxLength: 7 }),
  of({ kind: "header", name: "x-day", value: "1" }),
  of({ kind: "header", name: "authorization", value: "Basic" }),
  of({ kind: "header", name: "x-own", value: "1", scheme: "basic" }),
  of({ kind: "requestBody", contentType: "application/json", type: "Stop" }),
  of({ kind: "status", status: 200, type: "array", items: "Stop" }),
  of({ kind: "error", name: "gone", status: 410, field: "id" }),
  of({ kind: "rule", rule: "oneOf", fields: ["a", "b"] }),
  of({ kind: "rule", rule: "unique", fields: ["a"] }),
  of({ kind: "deprecated", name: "old" }),
  of({ kind: "version", value: "v1" }),
  of({ kind: "appliesTo" }),
  of({ kind: "bodyFormat" }),
  { part: "1", kind: "server", name: "base" },
  { part: "1", kind: "identifier", name: "stopId", form: "alphanumeric" },
  { part: "1", kind: "scheme", name: "basic", header: "authorization", value: "Basic" },
  { part: "9", kind: "field", shape: "Stop", name: "id", type: "string", required: true, readOnly: true },
  { part: "9", kind: "field", shape: "Stop", name: "kind", type: "string", nullable: true, deprecated: true },
  { part: "9", kind: "enum", shape: "Stop", name: "kind", value: "A" },
  { part: "9", kind: "enum", shape: "Stop", name: "kind", value: "B", inDescription: false },
  { part: "9", kind: "field", shape: "Stop", name: "points", type: "array", items: "Point", maxItems: 3 },
  { part: "9", kind: "field", shape: "Stop", name: "at", type: "string", format: "date-time", written: ["YYYY-DD-MM"] },
  { part: "9", kind: "field", shape: "Point", name: "lat", type: "number", format: "double" },
];

it("the facts of a table are those that a contract can express", () => {
  const { facts, problems } = factsOfTable(new ContractTable(ROWS));
  expect(problems).toEqual([]);
  const stop = (side: string) => [
    `listStops ${side}id type string`,
    `listStops ${side}id required`,
    `listStops ${side}id readOnly`,
    `listStops ${side}kind type string`,
    `listStops ${side}kind nullable`,
    `listStops ${side}kind deprecated`,
    `listStops ${side}kind enum A`,
  ];
  const points = (side: string) => [
    `listStops ${side}points type array`,
    `listStops ${side}points items object`,
    `listStops ${side}points[].lat type number`,
    `listStops ${side}points[].lat format double`,
  ];
  expect([...facts.keys()].sort()).toEqual(
    [
      "server base",
      "identifier stopId alphanumeric",
      "scheme basic authorization: Basic",
      "listStops request GET /stops",
      "listStops server base",
      "listStops auth basic",
      "listStops version v1",
      "listStops header x-day: 1",
      "listStops header content-type: application/json",
      "listStops 410 is documented",
      "listStops 410 names id",
      "listStops rule oneOf a, b",
      "listStops body.old deprecated",
      "listStops query.since type string",
      "listStops query.since written YYYY-DD-MM",
      "listStops query.since required",
      "listStops query.ids type array",
      "listStops query.ids items string",
      "listStops query.ids form alphanumeric",
      "listStops query.ids maxItems 9",
      "listStops query.ids maxLength 5",
      "listStops body.note maxLength 7",
      "listStops 200 type array",
      ...stop("body."),
      "listStops body.at type string",
      "listStops body.at written YYYY-DD-MM",
      ...points("body."),
      "listStops body.points maxItems 3",
      ...stop("200.[]."),
      "listStops 200.[].at type string",
      "listStops 200.[].at format date-time",
      "listStops 200.[].kind enum B",
      ...points("200.[]."),
    ].sort(),
  );
  expect(facts.get("listStops 200.[].id type string")).toBe("9");
});

it("a row of an unknown kind is a problem", () => {
  expect(factsOfTable(new ContractTable([...ROWS, of({ kind: "colour" })])).problems).toEqual(["unknown kind of row: colour (part 9)"]);
});

it("a placeholder in a path takes the values that its description lists", () => {
  const rows = [
    of({ kind: "pathParameter", name: "side", type: "string" }),
    of({ kind: "enum", name: "side", value: "left" }),
    of({ kind: "enum", name: "side", value: "right", inDescription: false }),
  ];
  expect(new ContractTable(rows).pathFields("listStops").map(({ path, values }) => [path, values])).toEqual([["side", ["left"]]]);
});

it("of an operation of which only the path is known, that is the fact", () => {
  const rows = [...ROWS, of({ kind: "unknown", name: "responses" })];
  expect(factsOfTable(new ContractTable(rows)).facts.has("listStops only the path is documented")).toBe(true);
  expect(factsOfTable(new ContractTable(ROWS)).facts.has("listStops only the path is documented")).toBe(false);
});

it.each<[Partial<TableRow>, string[]]>([
  [{}, []],
  [{ unit: "km/h" }, ["km/h"]],
  [{ default: false }, ["false"]],
  [{ zeroBased: true, default: 0 }, ["0", "from 0"]],
])("the description of a field with %j must mention %j", (row, words) => {
  expect(mentionsOf({ path: "x", row: of({ kind: "field", ...row }), values: [] })).toEqual(words);
});

describe("a response against a table", () => {
  const table = new ContractTable(ROWS);

  it.each<[number, unknown, string[]]>([
    [200, [{ id: "1", kind: "B", points: [{ lat: 1.5 }] }], []],
    [200, {}, ["the body is {}, but the table says array"]],
    [200, ["x"], ['[] is "x", but the table says Stop']],
    [200, [{ kind: "A" }, { id: "1" }], ["[].id is missing, but the table says that it is required"]],
    [200, [{ id: "1", kind: "C" }], ['[].kind is "C", but the table says A, B']],
    [200, [{ id: 1 }], ["[].id is 1, but the table says string"]],
    [200, [{ id: "1", points: [1] }], ["[].points[] is 1, but the table says Point"]],
    [
      200,
      [{ id: "1", points: [{ lat: "x", lng: 1 }] }],
      ['[].points[].lat is "x", but the table says number', "[].points[].lng has no row in the table"],
    ],
    [404, "anything", []],
  ])("of status %d %j: %j", (status, body, problems) => expect(tableProblems(table, "listStops", status, body)).toEqual(problems));
});

it("the operations of a table are those with a request, once each, and limited to their own rows", () => {
  const table = new ContractTable([...ROWS, of({ kind: "request", method: "GET", server: "fleet", path: "/stops" })]);
  expect(table.operations).toEqual(["listStops"]);
  expect(table.ofKind("auth", "other")).toEqual([]);
  expect(table.pathOf("listStops")).toBe("/stops");
  expect(table.responseFields("listStops", 404)).toBeUndefined();
});

it.each([
  ["requestAccessToken body.grant_type required", true],
  ["listLivePositions query.vehicleIds minItems 1", true],
  ["listLivePositions query.locale minItems 1", false],
  ["listLivePositions query.unheard minItems 1", false],
  ["listVehicleFaults query.pageIndex minimum 0", true],
  ["listVehicleFaults query.pageSize minimum 0", false],
  ["listVehicleFaults query.pageSize minimum 1", true],
  ["queryTachoActivity body.skip minimum 0", true],
  ["queryTachoActivity body.limit minimum 1", true],
  ["createJob body.lat minimum -90", true],
  ["createJob body.lng maximum 180", true],
  ["createJob body.lng maximum 90", false],
  ["updateGroup body.id form alphanumeric", true],
  ["updateGroup body.name maxLength 9", false],
  ["unheard body.id form alphanumeric", false],
  ["constructor", false],
])("core may add %s: %s", (fact, may) => expect(reasonFor(fact, operations) !== undefined).toBe(may));

it.each([
  ["query", "vehicleIds", /vehicle/i],
  ["200", "[].speed", /km\/h/],
  ["200", "[].unheard", /^$/],
  ["path", "customerId", /^$/],
] as const)("the description of %s %s matches %s", (where, path, form) => {
  expect(descriptionAt(operations.listLivePositions, where, path)).toMatch(form);
});

/** A folder for a table of its own. */
function tableFolder() {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, url: pathToFileURL(`${folder}/`) };
}

it.each(["part", "kind", "operation", "shape", "name", "type", "items", "format"])("a row whose %s is no text is refused", (name) => {
  const { folder, url } = tableFolder();
  writeFileSync(join(folder, "a.json"), JSON.stringify([{ part: "1", kind: "x", [name]: 5 }]));
  expect(() => loadTable(url)).toThrow(name);
});

it("drafted rows are counted by file", () => {
  expect(unreviewedRows()).toEqual([]);
  const { folder, url } = tableFolder();
  writeFileSync(
    join(folder, "a.json"),
    JSON.stringify([
      { part: "1", kind: "x", reviewed: false },
      { part: "1", kind: "y", reviewed: false },
      { part: "1", kind: "z" },
    ]),
  );
  writeFileSync(join(folder, "b.json"), "[]");
  writeFileSync(join(folder, "README.md"), "");
  const problem = `table/a.json: 2 rows are drafts from core: compare each with the description, then remove "reviewed": false`;
  expect(unreviewedRows(url)).toEqual([{ check: "table", subject: "table", problem }]);
  expect(loadTable(url).rows.map(({ kind }) => kind)).toEqual(["x", "y", "z"]);
});

describe("a response breaks", () => {
  const day = { startTime: "2026-11-20T00:00:00", endTime: "2026-11-21T00:00:00" };
  const activity = (startTime: string, endTime: string, more: object = {}) => ({
    data: [{ driverId: "p1", activities: [{ startTime, endTime, ...more }] }],
    count: 1,
  });

  it.each<[string, Parameters<typeof responseViolations>, string[]]>([
    ["no filter that it follows", ["listLivePositions", { vehicleIds: "v1,v2" }, [{ assetId: "v2" }, {}]], []],
    ["a filter", ["listLivePositions", { driverIds: ["p1"] }, [{ driverId: "p2" }]], ["$[*].driverId: does not match driverIds"]],
    ["a filter by id", ["listVehicleFaults", { vehicleId: "v1" }, { items: [{ id: "v2" }] }], ["$.items[*].id: does not match vehicleId"]],
    ["no filter by group, which may include subgroups", ["listLivePositions", { groupId: "g1" }, [{ assetGroupId: "g2" }]], []],
    [
      "the status",
      ["listLivePositions", { showAllVehicleStatus: "false" }, [{ status: "SOLD" }]],
      ["$[*].status: SOLD, although showAllVehicleStatus is not true"],
    ],
    ["no status if all were requested", ["listLivePositions", { showAllVehicleStatus: true }, [{ status: "SOLD" }]], []],
    ["no period that an activity touches", ["queryTachoActivity", day, activity("2026-11-19T23:00:00", "2026-11-20T00:00:00")], []],
    [
      "no period if an activity is open",
      ["queryTachoActivity", day, { data: [{ activities: [{ startTime: "2026-11-20T01:00:00" }] }] }],
      [],
    ],
    [
      "the period before",
      ["queryTachoActivity", day, activity("2026-11-19T22:00:00", "2026-11-19T23:59:59")],
      ["$.data[*].activities[*].startTime: outside the requested period"],
    ],
    [
      "the period after",
      ["queryTachoActivity", day, activity("2026-11-21T00:00:01", "2026-11-22T00:00:00")],
      ["$.data[*].activities[*].startTime: outside the requested period"],
    ],
    [
      "no order",
      ["queryTachoActivity", { sort: { driverId: "ASC" } }, { data: [{ driverId: "a" }, {}, { driverId: "a" }, { driverId: "b" }] }],
      [],
    ],
    [
      "ascending order",
      ["queryTachoActivity", { sort: { driverId: "ASC" } }, { data: [{ driverId: "b" }, { driverId: "a" }] }],
      ["$.data[*].driverId: not in ASC order"],
    ],
    [
      "descending order",
      ["queryTachoActivity", { sort: { driverId: "DESC" } }, { data: [{ driverId: "a" }, { driverId: "b" }] }],
      ["$.data[*].driverId: not in DESC order"],
    ],
    [
      "order within a record",
      [
        "queryTachoActivity",
        { sort: { "activities.startTime": "ASC" } },
        { data: [{ activities: [{ startTime: "2" }, { startTime: "1" }] }, { activities: [{ startTime: "0" }] }] },
      ],
      ["$.data[*].activities[*].startTime: not in ASC order"],
    ],
    [
      "no order across records",
      [
        "queryTachoActivity",
        { sort: { "activities.startTime": "ASC" } },
        { data: [{ activities: [{ startTime: "2" }] }, { activities: [{ startTime: "0" }] }] },
      ],
      [],
    ],
    ["the page size", ["listVehicleFaults", { pageSize: "1" }, { items: [{}, {}] }], ["$.items: more than pageSize"]],
    [
      "the page index",
      ["listVehicleFaults", { pageIndex: "1" }, { items: [], pagination: { pageIndex: 0, pageSize: 5 } }],
      ["$.pagination.pageIndex: not the requested one"],
    ],
  ])("%s", (_, given, violations) => {
    expect(responseViolations(...given).map(({ path, kind }) => `${path}: ${kind}`)).toEqual(violations);
  });

  it.each<[unknown, boolean]>([
    [{ items: [{ id: 1 }] }, true],
    [{ items: [{ id: 1 }, { id: 3 }] }, false],
    [{ items: [] }, false],
  ])("its page %j if that repeats the first: %s", (body, repeats) => {
    expect(repeatedPage("listVehicleFaults", body, { items: [{ id: 1 }, { id: 2 }] }).length > 0).toBe(repeats);
    expect(repeatedPage("listLivePositions", [], [])).toEqual([]);
  });
});
