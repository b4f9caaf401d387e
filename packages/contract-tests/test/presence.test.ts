import { describe, expect, it } from "vitest";
import { presenceOf } from "../src/index.ts";

describe("presence", () => {
  it.each([
    [{ a: 1, b: { c: [] } }, ["a"]],
    [
      [{ a: 1 }, { a: 2, b: 3 }],
      ["[].a", "[].b?"],
    ],
    [
      { items: [{ faults: [{ code: "x" }, { code: "y", details: { fmi: "1" } }] }] },
      ["items[].faults[].code", "items[].faults[].details?.fmi"],
    ],
    [{ tags: ["a", null] }, ["tags[]"]],
    [[{ a: null }, { a: 5 }], ["[].a?"]],
  ])("of %j is %j", (value, places) => {
    expect(presenceOf(value)).toEqual(places);
  });
});
