import { loadFixtures, loadTable, type NamedFixture } from "@fleetwire/contract-tests";
import { describe, expect, it } from "vitest";
import { columnsOf, resultProblems, rowCountOf } from "./tool-result.ts";

type Json = Record<string, unknown>;

const fixtures = loadFixtures();

/** A fixture of an operation whose client returns this value. */
function returning(operation: string, value: unknown, query: Record<string, string> = {}): NamedFixture {
  const fixture = fixtures.find((one) => one.operation === operation);
  if (!fixture) throw new Error(`no fixture of ${operation}`);
  return { ...fixture, request: { ...fixture.request, query }, expect: { value } as NamedFixture["expect"] };
}

describe("rows of a tool", () => {
  const COLUMNS = ["assetName", "speed", "date", "tags", "city"];
  const problems = (
    recorded: Json[],
    shown: Json[],
    { text, columns = COLUMNS, limit = 9, query = {} as Record<string, string> } = {} as {
      text?: string;
      columns?: string[];
      limit?: number;
      query?: Record<string, string>;
    },
  ) => {
    const names = [...new Set(shown.flatMap((row) => Object.keys(row)))];
    const structured = { columns: names, rows: shown.map((row) => names.map((name) => row[name] ?? null)) };
    return resultProblems(returning("listLivePositions", recorded, query), { columns, limit }, structured, text ?? JSON.stringify(shown));
  };
  const TRUCK = { assetName: "Truck 1", speed: 80 };
  const VAN = { assetName: "Van 2", speed: 50 };

  it.each<[string, Json[], Json[]]>([
    ["equal ones", [TRUCK, VAN], [TRUCK, VAN]],
    ["another order", [TRUCK, VAN], [VAN, TRUCK]],
    ["no row", [], []],
    ["values that the service leaves out", [{ ...TRUCK, city: null }], [TRUCK]],
    ["computed columns", [TRUCK], [{ ...TRUCK, age: "2 min ago" }]],
    ["line breaks shown as spaces", [{ assetName: "a\r\nb\tc" }], [{ assetName: "a b c" }]],
    ["the beginning of a long text", [{ assetName: "x".repeat(90) }], [{ assetName: `${"x".repeat(30)}…` }]],
    ["instants with an offset", [{ date: "2026-11-20T08:30:00" }], [{ date: "2026-11-20T09:30:00+01:00" }]],
    ["lists", [{ tags: ["a", "b"] }], [{ tags: ["a", "b"] }]],
  ])("may have %s", (_, recorded, shown) => expect(problems(recorded, shown)).toEqual([]));

  it.each<[string, Json[], Json[], string[]]>([
    ["a value", [TRUCK], [{ ...TRUCK, speed: 81 }], ["speed of row 0 is 81, expected 80"]],
    ["a missing value", [TRUCK], [{ assetName: "Truck 1" }], ["speed of row 0 is nothing, expected 80"]],
    ["a missing row", [TRUCK, VAN], [TRUCK], [`row 1 ({"assetName":"Van 2","speed":50}) is missing`]],
    ["another row", [TRUCK], [TRUCK, VAN], [`the tool shows a row that was not recorded: {"assetName":"Van 2","speed":50}`]],
    ["the row that is most alike", [TRUCK, VAN], [{ ...VAN, speed: 51 }, TRUCK], ["speed of row 1 is 51, expected 50"]],
    [
      "a short beginning",
      [{ assetName: "x".repeat(90) }],
      [{ assetName: `${"x".repeat(29)}…` }],
      [`assetName of row 0 is "${"x".repeat(29)}…", expected "${"x".repeat(79)}…`],
    ],
    [
      "another beginning",
      [{ assetName: "x".repeat(90) }],
      [{ assetName: `${"y".repeat(40)}…` }],
      [`assetName of row 0 is "${"y".repeat(40)}…", expected "${"x".repeat(79)}…`],
    ],
    [
      "an instant",
      [{ date: "2026-11-20T08:30:00" }],
      [{ date: "2026-11-20T08:30:00+01:00" }],
      ['date of row 0 is "2026-11-20T08:30:00+01:00", expected "2026-11-20T08:30:00"'],
    ],
    [
      "an instant without an offset",
      [{ date: "2026-11-20T08:30:00Z" }],
      [{ date: "2026-11-20T08:30:00" }],
      ['date of row 0 is "2026-11-20T08:30:00", expected "2026-11-20T08:30:00Z"'],
    ],
    ["a list", [{ tags: ["a", "b"] }], [{ tags: ["a"] }], ['tags of row 0 is ["a"], expected ["a","b"]']],
    ["a member of a list", [{ tags: ["a", "b"] }], [{ tags: ["a", "c"] }], ['tags of row 0 is ["a","c"], expected ["a","b"]']],
    ["a record for a text", [{ city: "Lyon" }], [{ city: { name: "Lyon" } }], ['city of row 0 is {"name":"Lyon"}, expected "Lyon"']],
    ["a text for a record", [{ city: { name: "Lyon" } }], [{ city: "Lyon" }], ['city of row 0 is "Lyon", expected {"name":"Lyon"}']],
    [
      "a field of a record",
      [{ city: { name: "Lyon" } }],
      [{ city: { name: "Lyon", x: 1 } }],
      ['city of row 0 is {"name":"Lyon","x":1}, expected {"name":"Lyon"}'],
    ],
  ])("differ in %s", (_, recorded, shown, found) => expect(problems(recorded, shown)).toEqual(found));

  it("must be in the text, unless they are long", () => {
    const row = { assetName: "Truck 1", city: "x".repeat(61), speed: 80, tags: ["a"], road: "" };
    const columns = Object.keys(row);
    expect(problems([row], [row], { text: "Truck 1 | -", columns })).toEqual(["the text does not show speed"]);
    expect(problems([{ city: "x".repeat(60) }], [{ city: "x".repeat(60) }], { text: "" })).toEqual(["the text does not show city"]);
    expect(problems([{ city: "a|\u200bb" }], [{ city: "a|\u200bb" }], { text: "a¦ b" })).toEqual([]);
    const date = "2026-11-20T09:30:00+01:00";
    expect(problems([{ date }], [{ date }], { text: "2026-11-20 09:30" })).toEqual([]);
    expect(problems([{ date }], [{ date }], { text: "2026-11-20 08:30" })).toEqual(["the text does not show date"]);
  });

  it("are compared up to the limit, and without whereabouts on a private journey if privacy is respected", () => {
    expect(problems([TRUCK, VAN], [TRUCK], { limit: 1 })).toEqual([]);
    const journey = [{ ...TRUCK, privacy: true, city: "Lyon" }];
    const respected = { hideSpeedIfSpeedSensitive: "true" };
    const columns = ["assetName", "city", "privacy"];
    expect(problems(journey, [{ assetName: "Truck 1", privacy: true }], { columns, query: respected })).toEqual([]);
    expect(problems(journey, [{ assetName: "Truck 1", privacy: true }], { columns })).toEqual([
      'city of row 0 is nothing, expected "Lyon"',
    ]);
    const other = [{ ...TRUCK, privacy: false, city: "Lyon" }];
    expect(problems(other, [{ assetName: "Truck 1", privacy: false }], { columns, query: respected })).toEqual([
      'city of row 0 is nothing, expected "Lyon"',
    ]);
  });

  it("are those of the list inside a record, with the fields around it", () => {
    const faults = returning("listVehicleFaults", {
      items: [{ id: "v1", make: "DAF", faults: [{ code: "P1", details: { fmi: 3, lamps: [] } }, { code: "P2" }] }, { id: "v2" }],
      pagination: {},
    });
    expect(rowCountOf(faults)).toBe(2);
    expect(columnsOf(faults, loadTable()).sort()).toEqual(["code", "fmi", "id", "lamps", "make"]);
  });

  it.each<[string, unknown, number, string[]]>([
    ["listJobs", [{ a: 1 }, 2], 2, ["a", "value"]],
    ["listJobs", { jobs: [{ a: 1 }], other: [] }, 1, ["a"]],
    ["listJobs", { things: [{ a: 1 }] }, 1, ["a"]],
    ["listJobs", { a: 1 }, 1, ["a"]],
    ["listJobs", "none", 0, []],
    ["listLivePositions", [{ assetId: "v1", unheard: 1 }], 1, ["assetId"]],
  ])("of %s %j: %d, with %j", (operation, value, count, columns) => {
    expect(rowCountOf(returning(operation, value))).toBe(count);
    expect(columnsOf(returning(operation, value), loadTable())).toEqual(columns);
  });

  it("are none if a failure was recorded", () => {
    const failed = { ...returning("listJobs", []), expect: { error: { code: "rejected" } } } as NamedFixture;
    expect([rowCountOf(failed), columnsOf(failed, loadTable()), resultProblems(failed, { columns: [], limit: 1 }, {}, "")]).toEqual([
      0,
      [],
      [],
    ]);
  });
});

describe("the record of a write", () => {
  const problems = (value: unknown, structured: Json, text = JSON.stringify(structured)) =>
    resultProblems(returning("updateGroup", value), { columns: [], limit: 0 }, structured, text);
  const GROUP = { id: "g1", name: "Lyon" };

  it.each<[string, unknown, Json, string[]]>([
    ["may be the body", GROUP, { group: GROUP, note: "x" }, []],
    ["may be a property of the body", { group: GROUP }, { group: GROUP }, []],
    ["may leave out what is empty", { ...GROUP, vehicleIds: [], parentId: null }, { group: GROUP }, []],
    ["must have the same values", GROUP, { group: { ...GROUP, name: "Metz" } }, ['group.name is "Metz", expected "Lyon"']],
    ["must not have more", GROUP, { group: { ...GROUP, x: 1 } }, ["group.x is 1, expected nothing"]],
    ["must be there", GROUP, {}, ['.id is nothing, expected "g1"', '.name is nothing, expected "Lyon"']],
    ["must be a record", GROUP, { group: 1 }, ['the result shows 1, expected {"id":"g1","name":"Lyon"}']],
    ["cannot be a text", "g1", { group: GROUP }, ['the result shows {"id":"g1","name":"Lyon"}, expected "g1"']],
  ])("%s", (_, value, structured, found) => expect(problems(value, structured)).toEqual(found));

  it("must be in the text", () => expect(problems(GROUP, { group: GROUP }, "g1")).toEqual(["the text does not show name"]));
});
