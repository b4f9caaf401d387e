import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { briefRows, compactOutputSchema, type ListPage, listOutputSchema, listResult, unitsOf } from "../../src/query/list-result.ts";
import { SHORTENED_NOTE } from "../../src/text/clip-values.ts";
import { directionOf, zonedTimes } from "../../src/text/time.ts";
import { leftOutNote, resultTokens } from "../../src/text/token-budget.ts";

const PAGE: ListPage = {
  what: ["row", "rows"],
  rows: [
    { id: "a", name: "North|1", speed: 50, heading: 90 },
    { id: "b", name: undefined, speed: 0, heading: undefined },
  ],
  fields: ["id", "name", "speed", "heading", "color", "odd field"],
  defaultFields: ["id", "name", "speed", "color"],
  next: () => undefined,
  times: zonedTimes("Europe/Berlin", Date.UTC(2026, 10, 20, 9, 30)),
};
const COLUMNS = { speed: { unit: "km/h" }, heading: { unit: "°", meaning: { field: "direction", of: directionOf } } };

const listed = (page: Partial<ListPage> = {}, fields?: string[], budget = 2_000) => listResult({ ...PAGE, ...page }, { fields })(budget);

it.each([
  [["DIESEL"], "DIESEL"],
  [
    ["DIESEL", "LPG"],
    ["DIESEL", "LPG"],
  ],
  [[{ code: "P0420" }], [{ code: "P0420" }]],
  [[], []],
])("the value %j is shown as %j in a compact row", (value, shown) => {
  expect(briefRows([{ value }], ["value"], { times: PAGE.times })).toEqual([{ value: shown }]);
});

it("a compact list counts vehicles, and explains the columns whose names do not", () => {
  const { properties } = compactOutputSchema({ km: "road distance", id: "" }) as { properties: Record<string, { type: string }> };
  expect(properties["vehicles"]?.type).toBe("integer");
  expect(JSON.stringify(properties["columns"])).toContain('in each row; km: road distance"');
});

describe("a list", () => {
  it("is a table and records, with the default fields that some row has", () => {
    expect(listed()).toEqual({
      text: "2 rows.\nid | name | speed\na | North¦1 | 50\nb | - | 0",
      structured: {
        returned: 2,
        items: [
          { id: "a", name: "North|1", speed: 50 },
          { id: "b", speed: 0 },
        ],
        next: undefined,
        note: undefined,
      },
    });
  });

  it("shows the requested fields, once each, even if no row has them", () => {
    expect(listed({}, ["color", "id", "color"]).text).toBe("2 rows.\ncolor | id\n- | a\n- | b");
    expect(listed({}, []).text).toBe(listed().text);
  });

  it("explains fields by unit and meaning", () => {
    const { text, structured } = listed({ columns: COLUMNS }, ["id", "heading", "speed"]);
    expect(text).toBe("2 rows. Units: heading °, speed km/h.\nid | heading | speed\na | 90 (E) | 50\nb | - | 0");
    expect(structured["items"]).toEqual([
      { id: "a", heading: 90, direction: "E", speed: 50 },
      { id: "b", speed: 0 },
    ]);
    expect(structured["note"]).toBe("Units: heading °, speed km/h.");
    expect(unitsOf(["id"], COLUMNS)).toEqual([]);
  });

  it.each<[string, Partial<ListPage>, string, Record<string, unknown>]>([
    ["one row", { rows: PAGE.rows.slice(1) }, "1 row.", { returned: 1 }],
    ["no rows", { rows: [], notes: ["None yet."] }, "0 rows. None yet.", { returned: 0, items: [], note: "None yet." }],
    ["part of all rows", { total: 7 }, "2 of 7 rows.", { total: 7 }],
    ["one in all", { rows: PAGE.rows.slice(1), total: 1 }, "1 of 1 row.", { total: 1 }],
    ["rows of something else", { total: 1, totalOf: ["driver", "drivers"] }, "2 rows; 1 driver in all.", { total: 1, totalOf: "drivers" }],
  ])("states the count of %s", (_, page, first, record) => {
    const { text, structured } = listed(page);
    expect(text.split("\n")[0]).toBe(first);
    expect(structured).toMatchObject(record);
    if (page.rows?.length === 0) expect(text).toBe(first);
    expect("total" in structured).toBe("total" in record);
  });

  it("says how to continue", () => {
    const { text, structured } = listed({ next: (shown) => `after${shown}`, notes: ["First."] });
    expect(text).toMatch(/^2 rows\. First\.\n[\s\S]*\nMore: repeat this call with cursor "after2"\.$/);
    expect(structured).toMatchObject({ next: "after2", note: "More: repeat this call with next as cursor. First." });
    expect(listed({ next: () => "x" }).structured["note"]).toBe("More: repeat this call with next as cursor.");
  });

  it("says that long values are shortened", () => {
    const rows = [{ id: "i".repeat(121), ["n".repeat(65)]: 1 }];
    const { text, structured } = listed({ rows: [...rows, ...rows], defaultFields: ["id", "n".repeat(65)] });
    expect(text).toContain(`2 rows. ${SHORTENED_NOTE}\nid | ${"n".repeat(65)}\n${"i".repeat(119)}… | 1`);
    expect(structured["items"]).toEqual(Array(2).fill({ id: rows[0]?.id, [`${"n".repeat(63)}…`]: 1 }));
    expect(listed({ rows: [...PAGE.rows, ...rows] }, ["name"]).text).not.toContain(SHORTENED_NOTE);
  });

  it.each([
    [["colour"], "fields: no such field: colour", "color"],
    [["x|y", "1", "2", "3", "4", "5"], "fields: no such field: x¦y, 1, 2, 3, 4", "id, name, speed, heading, color, “odd field”"],
  ])("rejects the unknown fields %j, and lists known ones", (fields, summary, known) => {
    expect(() => listed({}, fields)).toThrow(FleetError);
    expect(() => listed({}, fields)).toThrow(expect.objectContaining({ code: "input", summary, advice: `Choose from ${known}` }));
  });

  it("names unknown fields beside those that it shows", () => {
    expect(listed({}, ["id", "x|y"]).text).toContain("No such field: x|y; existing ones: id, name, speed, heading, color, “odd field”.");
  });
});

describe("a list over budget", () => {
  const rows = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`.repeat(20), name: "n".repeat(20) }));
  const page: Partial<ListPage> = { rows, total: 10, next: (shown) => (shown < 10 ? `after${shown}` : undefined) };

  it("has as many rows as fit, and a cursor for the rest", () => {
    const whole = resultTokens(listed(page));
    expect(listed(page, undefined, whole).structured["returned"]).toBe(10);
    const cut = listed(page, undefined, whole - 1);
    expect(resultTokens(cut)).toBeLessThan(whole);
    expect(cut.structured).toMatchObject({ returned: 8, next: "after8" });
    expect(cut.text.split("\n")[0]).toBe("8 of 10 rows.");
  });

  it("loses fields only if a single row does not fit", () => {
    const { text, structured } = listed({ ...page, rows: [{ id: "i".repeat(300), name: "n".repeat(300), speed: 1 }] }, undefined, 170);
    const note = `${leftOutNote(["name", "speed"])} Request fewer fields. ${SHORTENED_NOTE}`;
    expect(Object.keys((structured["items"] as object[])[0] ?? {})).toEqual(["id"]);
    expect(text).toContain(`\nid\n${"i".repeat(39)}…\n`);
    expect(text.split("\n")[0]).toBe(`1 of 10 rows. ${note.slice(0, 84)}…`);
    expect(structured["next"]).toBe("after1");
  });

  it("has no fields if only the row's place fits, and fails if nothing does", () => {
    const one = { ...page, rows: [{ id: "i".repeat(300) }], what: ["row", "rows"] as const };
    const { text, structured } = listed(one, undefined, 130);
    expect(structured["items"]).toEqual([{}]);
    expect(text.split("\n")).toHaveLength(2);
    expect(() => listed(one, undefined, 60)).toThrow(
      expect.objectContaining({
        code: "input",
        summary: "rows: the result does not fit FLEET_MAX_RESULT_TOKENS",
        advice: "Request fewer fields, or raise the budget",
      }),
    );
  });

  it("without rows says so within any budget that fits it", () => {
    expect(listed({ rows: [] }, undefined, 100).text).toBe("0 rows.");
  });
});

it("the output schema describes what the list returns", () => {
  const { type, properties } = listOutputSchema({ id: { type: "string" } }) as {
    type: string;
    properties: Record<string, Record<string, unknown>>;
  };
  expect(type).toBe("object");
  expect(Object.entries(properties).map(([name, { type: of }]) => `${name}: ${of}`)).toEqual([
    ...["total: integer", "totalOf: string", "returned: integer", "items: array", "next: string", "note: string"],
    ...["result: string", "field: string", "candidates: array", "question: string"],
  ]);
  const undescribed = Object.keys(properties).filter((name) => properties[name]?.["description"] === undefined);
  expect(undescribed).toEqual(["items"]);
  expect(properties["items"]).toEqual({ type: "array", items: { type: "object", properties: { id: { type: "string" } } } });
});
