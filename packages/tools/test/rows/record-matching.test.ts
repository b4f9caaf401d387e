import { expect, it } from "vitest";
import { recordsCalled, recordsWithin, timeFields } from "../../src/query/record-matching.ts";

const RECORDS = [
  { id: 7, vehicle: { id: "AB-12", name: "Truck 1" }, driverName: "AB 12", tags: ["ab12"] },
  { id: 8, name: "Ana Ruiz", former: [{ id: "ab12" }] },
  { id: 9, name: "--", note: "" },
];

it.each([
  [["ab 12"], undefined, [0], ["vehicle.id", "driverName"]],
  [["ab 12"], { other: /driver/, numbered: /vehicle/ }, [0], ["vehicle.id"]],
  [["7"], { other: /driver/, numbered: /vehicle/ }, [], []],
  [["7", "ana-ruiz"], undefined, [0, 1], ["id", "name"]],
  [["?"], undefined, [], []],
  [["truck"], undefined, [], []],
])("records called %j, with %j", (texts, names, indexes, fields) => {
  expect(recordsCalled(RECORDS, texts, names)).toEqual({ records: indexes.map((at) => RECORDS[at]), fields });
});

const TIME = "2026-11-20T08:00:00Z";

it.each([
  ["created some_date date startTime plannedAt", "plannedAt startTime date some_date created"],
  ["updated doneAt dueDate", "dueDate doneAt updated"],
  ["sometimes lastStart scheduled", "scheduled sometimes lastStart"],
  ["arrives modifiedAt creationDate occurs", "occurs creationDate arrives modifiedAt"],
  ["at", "at"],
])("of the fields %s, the likeliest times come first", (fields, expected) => {
  const records = [{ id: 7, name: "x" }, Object.fromEntries(fields.split(" ").map((field) => [field, TIME]))];
  expect(timeFields(records).join(" ")).toBe(expected);
});

it("records are within a period from its start until its end", () => {
  const records = [7, 8, 9, 10].map((hour) => ({ at: new Date(Date.UTC(2026, 10, 20, hour)).toISOString() }));
  const period = { start: Date.UTC(2026, 10, 20, 8), end: Date.UTC(2026, 10, 20, 10) };
  expect(recordsWithin([...records, { at: "soon" }], "at", period)).toEqual(records.slice(1, 3));
});
