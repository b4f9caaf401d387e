import { describe, expect, it } from "vitest";
import { recordResult, writeOutputSchema } from "../../src/query/record-result.ts";
import { SHORTENED_NOTE } from "../../src/text/clip-values.ts";
import { zonedTimes } from "../../src/text/time.ts";
import { leftOutNote, resultTokens } from "../../src/text/token-budget.ts";

const SHOWN = { times: zonedTimes("Europe/Berlin", Date.UTC(2026, 10, 20, 9, 30)) };

const RECORD = { id: "g1", name: "Lyon|1", codes: ["a", "b"], note: undefined, color: null, vehicles: [], flag: false };

it("a record is shown line by line, without empty fields", () => {
  expect(recordResult("Updated group g1.", "group", RECORD, SHOWN, 500)).toEqual({
    text: "Updated group g1.\nid: g1\nname: Lyon¦1\ncodes: a, b\nflag: false",
    structured: { group: { id: "g1", name: "Lyon|1", codes: ["a", "b"], flag: false }, note: "Updated group g1." },
  });
});

it("remarks follow the headline", () => {
  const { text, structured } = recordResult("Done.", "group", { id: "g1" }, SHOWN, 500, ["Not checked: name.", "Nor this."]);
  expect(text).toBe("Done. Not checked: name. Nor this.\nid: g1");
  expect(structured["note"]).toBe("Done. Not checked: name. Nor this.");
});

it("an empty record has its headline", () => {
  expect(recordResult("Done.", "group", {}, SHOWN, 500)).toEqual({ text: "Done.", structured: { group: {}, note: "Done." } });
});

it("long values and names are shortened, and a note says so", () => {
  const name = "n".repeat(65);
  const { text, structured } = recordResult("Done.", "group", { [name]: "v".repeat(121) }, SHOWN, 1_000);
  const shown = `${"n".repeat(63)}…`;
  expect(text).toBe(`Done.\n${shown}: ${"v".repeat(119)}…\n${SHORTENED_NOTE}`);
  expect(structured).toEqual({ group: { [shown]: "v".repeat(121) }, note: `Done. ${SHORTENED_NOTE}` });
});

describe("a record over budget", () => {
  const wide = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, name.repeat(100)]));
  const fieldsIn = (budget: number) => Object.keys(recordResult("Done.", "group", wide, SHOWN, budget).structured["group"] as object);

  it("loses fields from the end, and a note names them", () => {
    const { text, structured } = recordResult("Done.", "group", wide, SHOWN, 300);
    const note = leftOutNote(["e"]);
    expect(Object.keys(structured["group"] as object)).toEqual(["a", "b", "c", "d"]);
    expect(text.split("\n").at(-1)).toBe(note);
    expect(structured["note"]).toBe(`Done. ${note}`);
  });

  it("has as many fields as fit", () => {
    const counts = [1_000, 400, 320, 250, 190, 140, 110, 60].map((budget) => fieldsIn(budget).length);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect([counts[0], counts.at(-1)]).toEqual([5, 1]);
    for (const budget of [300, 400]) expect(resultTokens(recordResult("Done.", "group", wide, SHOWN, budget))).toBeLessThanOrEqual(budget);
  });

  it("has tighter values before it loses its first field", () => {
    const { text, structured } = recordResult("Done.", "group", { a: "a".repeat(400), b: "b" }, SHOWN, 140);
    expect(text).toContain(`a: ${"a".repeat(39)}…`);
    expect(structured["group"]).toEqual({ a: `${"a".repeat(39)}…`, b: "b" });
    expect(text).toContain(SHORTENED_NOTE.slice(0, 20));
  });

  it("is a headline if no field fits beside the remarks", () => {
    const { text, structured } = recordResult("Done.", "group", { a: "a".repeat(100) }, SHOWN, 105, ["r".repeat(60)]);
    expect(text.split("\n")[0]).toBe(`Done. ${"r".repeat(60)}`);
    expect(structured["group"]).toEqual({});
  });

  it("loses its remarks last, and keeps one field", () => {
    const { text, structured } = recordResult("Done.", "group", { a: "a".repeat(100), b: "b" }, SHOWN, 60, ["r".repeat(500)]);
    expect(text).toMatch(/^Done\.\na: a{39}…\nLeft out to fit/);
    expect(structured["group"]).toEqual({ a: `${"a".repeat(39)}…` });
  });

  it("names the remarks among what was left out", () => {
    const { text } = recordResult("Done.", "group", { a: "a".repeat(100), b: "b" }, SHOWN, 150, ["r".repeat(2_000)]);
    expect(text.split("\n").at(-1)).toMatch(/^Left out to fit FLEET_MAX_RESULT_TOKENS: remarks, b\. Long values/);
  });
});

it("the output schema of a write names the record and the reasons for sending nothing", () => {
  const schema = writeOutputSchema("group", { id: { type: "string" } }) as {
    type: string;
    properties: Record<string, Record<string, unknown>>;
  };
  expect(schema.type).toBe("object");
  const types = Object.entries(schema.properties).map(([name, { type }]) => `${name}: ${type}`);
  expect(types).toEqual([
    ...["group: object", "result: string", "field: string", "candidates: array", "question: string"],
    ...["total: integer", "request: object", "preview: array", "confirmation: string", "note: string"],
  ]);
  const undescribed = Object.keys(schema.properties).filter((name) => schema.properties[name]?.["description"] === undefined);
  expect(undescribed).toEqual(["group"]);
  expect(schema.properties["group"]?.["properties"]).toEqual({ id: { type: "string" } });
  expect(schema.properties["preview"]?.["items"]).toEqual({ type: "string" });
  expect(schema.properties["result"]?.["enum"]).toEqual([
    ...["dryRun", "declined", "cancelled", "notAsked", "confirmationNeeded", "ambiguous", "notFound"],
  ]);
});
