import { safeValue } from "@fleetwire/tools/host";
import { expect, test } from "vitest";
import { servedFleet } from "./served-fleet.ts";

test("each text in a preview is shown so that no two look the same", async () => {
  const { text } = await servedFleet();
  for (const [notes, shown] of [
    ["Müller & Söhne, Straße 5", "Müller & Söhne, Straße 5"],
    ["a\nb\tc\rd C:\\new", "a\\nb\\tc\\rd C:\\\\new"],
    ["pay\u202e001 ok\u{e0041}\u{e0042}", "pay\\u{202e}001 ok\\u{e0041}\\u{e0042}"],
    ["\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"],
    ["a\u00a0b\u2003c\u3000d\u2028\u2029\u2800", "a\\u{a0}b\\u{2003}c\\u{3000}d\\u{2028}\\u{2029}\\u{2800}"],
    ["\ue000\u{10ffff}\u0378\ud83d", "\\u{e000}\\u{10ffff}\\u{378}\\u{d83d}"],
    ["\u001b[31m\u009b\u007f\0", "\\u{1b}[31m\\u{9b}\\u{7f}\\u{0}"],
  ] as const)
    expect((await text("create_job", { address: "Lyon", notes, dryRun: true })).split("\n")).toContain(`notes: ${shown}`);
});

test("removes invisible controls from values and keys, and keeps the rest", () => {
  expect(
    safeValue({
      "a\nb": "one\r\ntwo\tthree",
      list: ["\u202eabc", "\u{e0041}", "👨\u200d👩\u200d👧", "❤\ufe0f", 7, null, true],
      smuggled: "葛\u{e0100} ❤\ufe0f\ufe00\u{e01ef}",
      inner: { text: "C:\\new \u2028\u009b\ud800" },
    }),
  ).toEqual({
    "a b": "one two three",
    list: ["\\u{202e}abc", "\\u{e0041}", "👨\u200d👩\u200d👧", "❤\ufe0f", 7, null, true],
    smuggled: "葛\u{e0100} ❤\ufe0f\\u{fe00}\\u{e01ef}",
    inner: { text: "C:\\new \\u{2028}\\u{9b}\\u{d800}" },
  });
});

test("escapes every unsafe code point in data, in whatever script the text around it is", () => {
  const kept: string[] = [];
  for (let point = 0; point <= 0xfffff; point++) {
    const character = String.fromCodePoint(point);
    const isUnsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character);
    for (const around of ["Köln", "Łódź", "東京"]) {
      const text = `${around} ${character}a`;
      if (isUnsafe && safeValue(text) === text) kept.push(point.toString(16));
    }
  }
  expect(kept, "see packages/core/src/plain-text.ts").toEqual([]);
});

test.each([
  ["a zero-width space", "a\u200bb", "a\\u{200b}b"],
  ["Hangul fillers", "a\u3164\u115f\u1160\uffa0", "a\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}"],
  ["a combining grapheme joiner", "e\u034fa", "e\\u{34f}a"],
  ["a joiner between Latin letters", "a\u200db\u200cc", "a\\u{200d}b\\u{200c}c"],
  ["two joiners in a row", "👩\u200d\u200d🚒", "👩\u200d\\u{200d}🚒"],
  ["bits in selectors after digits", "1\ufe012\ufe02", "1\\u{fe01}2\\u{fe02}"],
  ["the tags of a flag", "🏴\u{e0067}\u{e007f}", "🏴\\u{e0067}\\u{e007f}"],
  ["emoji with skin and presentation", "👩🏽\u200d🚒 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "👩🏽\u200d🚒 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3"],
  ["a Persian word", "می\u200cخواهم", "می\u200cخواهم"],
  ["an ideographic variant", "葛\u{e0100}城", "葛\u{e0100}城"],
])("data with %s", (_, text, shown) => {
  expect(safeValue(text)).toBe(shown);
});
