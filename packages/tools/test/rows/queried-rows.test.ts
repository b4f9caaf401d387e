import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fieldsUsed, type QueriedRows, type QueryArguments, queriedPage, readQuery } from "../../src/query/queried-rows.ts";
import { rowColumns } from "../../src/query/row-columns.ts";
import type { ToolContext } from "../../src/writes/write-tool.ts";

const NOW = Date.UTC(2026, 10, 20, 9);
const CONTEXT = { now: () => NOW, settings: { timeZone: "Europe/Paris" } } as ToolContext;

const ROWS = [
  { id: "v1", name: "Truck 1", code: "P1", lamp: "RED", at: "2026-11-19T23:30:00Z" },
  { id: "v1", name: "Truck 1", code: "P2", lamp: "AMBER", at: "2026-11-19T22:30:00Z" },
  { id: "v2", name: "Truck 2", code: "P1", lamp: "RED" },
];

const SOURCE: QueriedRows = {
  noun: ["fault", "faults"],
  rows: ROWS,
  fields: ["id", "name", "code", "lamp", "at"],
  shape: {},
  columns: rowColumns({}),
  defaultFields: ["name", "code"],
  query: { order: "name", ties: ["name", "code"], vehicle: "id" },
  notes: ["Note."],
  notesOn: (rows, fields) => [`${rows.length} with ${fields.join(" ")}.`],
};

/** The page for these arguments. */
async function page(
  args: QueryArguments,
  { fields, limit = 20, last, ...more }: Partial<QueriedRows> & { limit?: number; last?: (string | number)[] } = {},
) {
  const asked = readQuery(args, undefined, {});
  const source = { ...SOURCE, ...more };
  const { rows, next, times: _, columns: __, ...shown } = await queriedPage(source, asked, { carried: [], last, limit }, CONTEXT);
  return { ...shown, rows, codes: rows.map(({ name, code }) => `${name} ${code}`).join(", "), next: next(rows.length) };
}

it.each<[QueryArguments, string[]]>([
  [{}, []],
  [{ where: "code=P1, lamp=RED", sort: "-at", count: "name" }, ["code", "lamp", "at", "name"]],
  [{ count: "total" }, []],
  [{ count: "faults" }, []],
  [{ where: "speed>1" }, []],
])("%j needs the fields %j", (args, used) => expect(fieldsUsed(readQuery(args, undefined, {}), SOURCE)).toEqual(used));

describe("a query", () => {
  it("is identified by its conditions, order and count, and by what else changes the list", () => {
    const of = (args: QueryArguments, more = {}) => readQuery(args, ["x"], more).fingerprint;
    expect(of({})).toBe("");
    const all = [of({ where: "a=1" }), of({ sort: "a" }), of({ count: "a" }), of({}, { begun: true }), of({ where: "a=2" })];
    expect(new Set(all).size).toBe(5);
    expect(all.map(({ length }) => length)).toEqual([6, 6, 6, 6, 6]);
    expect(of({ where: "a=1" })).toBe(all[0]);
  });

  it.each([
    [undefined, undefined],
    [[], undefined],
    [["a"], ["a"]],
  ])("with the fields %j shows %j", (fields, shown) => expect(readQuery({}, fields, {}).fields).toEqual(shown));
});

describe("a page of rows", () => {
  it("is in the usual order, with totals and notes", async () => {
    expect(await page({})).toMatchObject({
      ...{
        codes: "Truck 1 P1, Truck 1 P2, Truck 2 P1",
        total: 3,
        vehicles: 2,
        what: ["fault", "faults"],
        isCompact: true,
        next: undefined,
      },
      ...{ defaultFields: ["name", "code"], requested: undefined, fields: SOURCE.fields, notes: ["Note.", "3 with name code."] },
    });
  });

  it.each<[QueryArguments, string, string[]]>([
    [{ sort: "-name" }, "Truck 2 P1, Truck 1 P1, Truck 1 P2", ["name", "code"]],
    [{ sort: "lamp" }, "Truck 1 P2, Truck 1 P1, Truck 2 P1", ["name", "code", "lamp"]],
    [{ where: "code=P1" }, "Truck 1 P1, Truck 2 P1", ["name"]],
    [{ where: "lamp!=RED" }, "Truck 1 P2", ["name", "code", "lamp"]],
    // 23:30 UTC is the next day in Paris.
    [{ where: "at>=2026-11-20" }, "Truck 1 P1", ["name", "code", "at"]],
  ])("of %j has %s", async (args, codes, columns) => {
    const shown = await page(args);
    expect([shown.codes, shown.defaultFields, shown.total]).toEqual([codes, columns, codes.split(", ").length]);
  });

  it("that meet a flag after a value, which may be another name of its field", async () => {
    const rows = ROWS.map((row, at) => ({ ...row, lamp: at === 2 }));
    const shape = { lamp: z.boolean().optional().describe("Whether it is open") };
    const of = (where: string) => page({ where }, { rows, shape });
    expect((await of("code=P2|P1, open")).codes).toBe("Truck 2 P1");
    expect((await of("code=P2|P1 && not open")).codes).toBe("Truck 1 P1, Truck 1 P2");
  });

  it("has no vehicles if these are unknown", async () => {
    const shown = await page({}, { query: undefined });
    expect([shown.total, "vehicles" in shown, shown.codes]).toEqual([3, false, "Truck 1 P1, Truck 1 P2, Truck 2 P1"]);
  });

  it("leaves conditions on other fields to the service", async () => {
    expect((await page({ where: "depot=Lyon, code=P2" }, { served: ["depot"] })).codes).toBe("Truck 1 P2");
    await expect(page({ where: "depot=Lyon" })).rejects.toMatchObject({ code: "input", summary: "where: no such field: depot" });
    await expect(page({ sort: "depot" })).rejects.toMatchObject({ summary: "sort: no such field: depot" });
    expect((await page({ where: "depot=Lyon", sort: "depot" }, { hasNoFields: true, rows: [] })).rows).toEqual([]);
  });

  it("continues after the last row shown, and names the query in its cursor", async () => {
    const first = await page({ sort: "lamp" }, { limit: 2 });
    expect(first.codes).toBe("Truck 1 P2, Truck 1 P1");
    const [fingerprint, ...last] = JSON.parse(atob(String(first.next).replaceAll("-", "+").replaceAll("_", "/"))) as [
      string,
      ...(string | number)[],
    ];
    expect(fingerprint).toBe(readQuery({ sort: "lamp" }, undefined, {}).fingerprint);
    expect((await page({ sort: "lamp" }, { limit: 2, last })).codes).toBe("Truck 2 P1");
  });
});

describe("the fields requested", () => {
  const requested = async (fields: string[], more: Partial<QueriedRows> = {}) => {
    const { requested, notes } = await queriedPage(
      { ...SOURCE, ...more },
      readQuery({}, fields, {}),
      { carried: [], last: undefined, limit: 20 },
      CONTEXT,
    );
    return [requested, notes];
  };

  it.each<[string[], Partial<QueriedRows>, unknown, string[]]>([
    [["lamp"], {}, ["name", "lamp"], ["Note.", "3 with name lamp."]],
    [["lamp", "name"], {}, ["lamp", "name"], ["Note.", "3 with lamp name."]],
    [
      ["lamp", "color"],
      {},
      ["name", "lamp"],
      ["No such field: color; existing ones: id, name, code, lamp, at.", "Note.", "3 with name lamp."],
    ],
    [["lamp"], { naming: "code" }, ["code", "lamp"], ["Note.", "3 with code lamp."]],
    [["lamp"], { rows: [{ lamp: "RED" }] }, ["lamp"], ["Note.", "1 with lamp."]],
    [["lamp"], { rows: [], hasNoFields: true }, undefined, ["Note.", "0 with ."]],
  ])("%j are shown with what names the row", async (fields, more, shown, notes) =>
    expect(await requested(fields, more)).toEqual([shown, notes]),
  );
});

describe("a count", () => {
  const many = Array.from({ length: 6 }, (_, at) => ({ id: `v${at}`, name: `Truck ${at}`, code: "P1" }));

  it.each<[string, Partial<QueriedRows>, number, string[]]>([
    ["of few rows names them, once each", {}, 3, ["Truck 1, Truck 2.", "Note."]],
    ["of many rows does not name them", { rows: many }, 6, ["Note."]],
    ["of five rows names them", { rows: many.slice(0, 5) }, 5, ["Truck 0, Truck 1, Truck 2, Truck 3, Truck 4.", "Note."]],
    ["of nothing", { rows: [] }, 0, ["Note."]],
    ["of rows without names", { rows: [{ id: "v1", name: "" }, { id: "v2" }] }, 2, ["Note."]],
    ["of rows named by another field", { naming: "code" }, 3, ["P1, P2.", "Note."]],
    ["of rows that nothing names", { defaultFields: [] }, 3, ["Note."]],
  ])("%s", async (_, more, total, notes) => {
    expect(await page({ count: "Total" }, more)).toMatchObject({
      rows: [],
      total,
      notes,
      isCounted: true,
      fields: [],
      defaultFields: [],
      next: undefined,
    });
  });

  it.each<[string, Partial<QueriedRows>, object[], string[]]>([
    [
      "code",
      {},
      [
        { code: "P1", faults: 2, vehicles: 2 },
        { code: "P2", faults: 1, vehicles: 1 },
      ],
      ["Counted by code: 2 values.", "Note."],
    ],
    ["lamp", { query: undefined, rows: ROWS.slice(0, 1) }, [{ lamp: "RED", faults: 1 }], ["Counted by lamp: 1 value.", "Note."]],
    // A field with the name of a total is still a field.
    ["all", { fields: ["all"], rows: [{ all: 1 }], query: undefined }, [{ all: 1, faults: 1 }], ["Counted by all: 1 value.", "Note."]],
  ])("by %s has a row for each value", async (count, more, rows, notes) => {
    const source = { ...SOURCE, ...more };
    const shown = await queriedPage(source, readQuery({ count }, undefined, {}), { carried: [], last: undefined, limit: 20 }, CONTEXT);
    expect([shown.rows, shown.notes, shown.isCounted, shown.total]).toEqual([rows, notes, true, source.rows.length]);
    expect([shown.fields, shown.defaultFields]).toEqual([Object.keys(rows[0] ?? {}), Object.keys(rows[0] ?? {})]);
  });

  it("says that sort has no effect on them", async () => {
    const asked = readQuery({ count: "code", sort: "-code", where: "code=P1" }, undefined, {});
    const { notes } = await queriedPage(SOURCE, asked, { carried: [], last: undefined, limit: 20 }, CONTEXT);
    expect(notes?.slice(0, 2)).toEqual([
      "Counted by code: 1 value, the most frequent first; sort has no effect on counts.",
      "Where code=P1.",
    ]);
  });

  it("by a field that does not exist is rejected", async () => {
    await expect(page({ count: "color" })).rejects.toMatchObject({ summary: "count: no such field: color" });
  });
});
