import { describe, expect, it } from "vitest";
import { MalformedList, RecordScanner } from "../../src/client/record-scanner.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** What each part of a body completes, and how the list ends. */
function scan(...parts: (string | Uint8Array)[]): (string | undefined)[] {
  const scanner = new RecordScanner((part) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(part));
  const lists: (string | undefined)[] = [];
  try {
    for (const part of parts) lists.push(scanner.push(typeof part === "string" ? bytes(part) : part));
    scanner.end();
  } catch (error) {
    if (!(error instanceof MalformedList)) throw error;
    expect(error.message).toBe(error.why);
    lists.push(error.why);
  }
  return lists;
}

describe("the parts of a list", () => {
  it.each<[string, string[], (string | undefined)[]]>([
    ["whole", ["[1,2]"], ["[1,2]"]],
    ["empty", ["[]"], [undefined]],
    ["blank", [" \n\r\t[ ] \n"], [undefined]],
    ["between elements", ["[1,2", "3,4]"], ["[1]", "[23,4]"]],
    ["several elements at once", ["[1,2,3,", "4]"], ["[1,2,3]", "[4]"]],
    ["nothing complete", ["[", "1", "2", ",3]"], [undefined, undefined, undefined, "[12,3]"]],
    ["nothing complete, then a comma", ["[1", "2,", "3]"], [undefined, "[12]", "[3]"]],
    ["nested lists", ["[[1,2],[3", ",4],", "5]"], ["[[1,2]]", "[[3,4]]", "[5]"]],
    ["nested objects", ['[{"a":{"b":1},"c":[2]},{"d"', ":3}]"], ['[{"a":{"b":1},"c":[2]}]', '[{"d":3}]']],
    ["a string with brackets and commas", ['["a,]}{[', 'b",2]'], [undefined, '["a,]}{[b",2]']],
    ["a quote that is escaped", ['["a\\"', ',",1,', "2]"], [undefined, '["a\\",",1]', "[2]"]],
    ["an escape between parts", ['["a\\', '",",1]'], [undefined, '["a\\",",1]']],
    ["an escaped backslash", ['["a\\\\",', "1]"], ['["a\\\\"]', "[1]"]],
    ["an escaped backslash between parts", ['["a\\', '\\",', "1]"], [undefined, '["a\\\\"]', "[1]"]],
    ["a string that ends a part", ['["a"', ',"b"', "]"], [undefined, '["a"]', '["b"]']],
    ["a string that begins a part", ["[", '"a,', 'b",', "1]"], [undefined, undefined, '["a,b"]', "[1]"]],
    ["space after the end, in another part", ["[1]", " \n"], ["[1]", undefined]],
    ["a byte order mark", ["\ufeff[1]"], ["[1]"]],
    ["space, then the list", [" ", "\n", "[1]"], [undefined, undefined, "[1]"]],
    ["no bytes", ["[1", "", "]"], [undefined, undefined, "[1]"]],
    ["a byte order mark before an element", ["[\ufeff1]"], ["[\ufeff1]"]],
    ["space of different lengths", ["    ", " ", "[1]"], [undefined, undefined, "[1]"]],
    ["words", ["[true,{},null]"], ["[true,{},null]"]],
    ["a byte order mark within a string", ['["\ufeff"]'], ['["\ufeff"]']],
  ])("%s", (_, parts, lists) => {
    expect(scan(...parts)).toEqual(lists);
  });

  it("may be single bytes", () => {
    const body = bytes('\ufeff [{"a":"\u{1f69a}\\"]"},{"b":[1]}]');
    const lists = scan(...Array.from(body, (byte) => Uint8Array.of(byte))).filter((list) => list !== undefined);
    expect(lists).toEqual(['[{"a":"\u{1f69a}\\"]"}]', '[{"b":[1]}]']);
  });

  it("may be long", () => {
    const elements = Array.from({ length: 2_000 }, (_, at) => `{"at":${at},"text":"${"x".repeat(at % 50)}"}`);
    const body = `[${elements.join(",")}]`;
    const parts = Array.from({ length: Math.ceil(body.length / 997) }, (_, at) => body.slice(at * 997, (at + 1) * 997));
    const lists = scan(...parts).flatMap((list) => (list === undefined ? [] : (JSON.parse(list) as { at: number }[])));
    expect(lists.map(({ at }) => at)).toEqual(elements.map((_, at) => at));
  });
});

describe("a malformed list", () => {
  it.each<[string[], (string | undefined)[]]>([
    [[], ["empty"]],
    [["  "], [undefined, "empty"]],
    [["\ufeff"], [undefined, "empty"]],
    [["{}"], ["wrong shape"]],
    [["x"], ["not JSON"]],
    [[" 1"], ["wrong shape"]],
    [["\ufeff\ufeff[]"], ["not JSON"]],
    [[" \ufeff[]"], ["not JSON"]],
    [
      [" ", "\ufeff[]"],
      [undefined, "not JSON"],
    ],
    [["["], [undefined, "not JSON"]],
    [["[1"], [undefined, "not JSON"]],
    [["[,"], ["not JSON"]],
    [["[ ,1]"], ["[ ,1]"]],
    [
      ["[1,", ","],
      ["[1]", "not JSON"],
    ],
    [
      ["[1,", " ]"],
      ["[1]", "not JSON"],
    ],
    [["[}"], ["not JSON"]],
    [["[1]x"], ["not JSON"]],
    [
      ["[1]", "x"],
      ["[1]", "not JSON"],
    ],
    [["[1] []"], ["not JSON"]],
  ])("%j", (parts, lists) => {
    expect(scan(...parts)).toEqual(lists);
  });

  it("starts with half a byte order mark", () => {
    expect(scan(Uint8Array.of(0xef, 0xbb))).toEqual([undefined, "not JSON"]);
    expect(scan(Uint8Array.of(0xef, 0xbb, 0x5b, 0x5d))).toEqual(["not JSON"]);
    expect(scan(Uint8Array.of(0xef, 0x20, 0x20, 0x5b, 0x5d))).toEqual(["not JSON"]);
    expect(scan(Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf, 0x5b, 0x5d))).toEqual([undefined, undefined]);
  });

  it("has a record of more than 16 MB", () => {
    const half = `"${"x".repeat(8 * 1024 * 1024 - 1)}`;
    expect(scan("[", half, half)).toEqual([undefined, undefined, undefined, "not JSON"]);
    expect(scan("[", half, half, "x")).toEqual([undefined, undefined, undefined, "too large"]);
  });
});
