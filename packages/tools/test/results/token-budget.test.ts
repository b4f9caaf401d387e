import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/model/tool-result.ts";
import { ageTokens, schemaWithAge, withAge } from "../../src/text/data-age.ts";
import { fingerprint } from "../../src/text/fingerprint.ts";
import { MARK_TOKENS, marked, markedRecord, markedText } from "../../src/text/sandbox-mark.ts";
import { largestWithinBudget, leftOutNote, noteWithinBudget, resultTokens } from "../../src/text/token-budget.ts";

describe("the tokens of a result", () => {
  // 200 characters for the envelope, and four characters to a token.
  it.each([
    [{ text: "", structured: {} }, 51],
    [{ text: "abcd", structured: { a: 1 } }, 54],
    [{ text: "abcde", structured: { a: 1 } }, 54],
    [{ text: "abcdef", structured: { a: 1 } }, 54],
    [{ text: "a\u202eb", structured: {} }, 54],
    [{ error: "abcdef" }, 52],
  ])("%j are %d", (result, tokens) => expect(resultTokens(result)).toBe(tokens));
});

describe("the largest count within a budget", () => {
  const resultOf = (tried: number[]) => (count: number) => {
    tried.push(count);
    // 51 tokens, and one for each count.
    return { text: "abcd".repeat(count), structured: {} };
  };

  it.each([
    ["everything fits", 10, 100, 0, 10, [10]],
    ["exactly everything", 10, 61, 0, 10, [10]],
    ["all but one", 10, 60, 0, 9, [10, 4, 7, 8, 9]],
    ["some", 10, 54, 0, 3, [10, 4, 1, 2, 3]],
    ["none but the empty result", 10, 51, 0, 0, [10, 4, 1, 0]],
    ["not even that", 10, 50, 0, undefined, [10, 4, 1, 0]],
    ["less than required", 10, 53, 3, undefined, [10, 6, 4, 3]],
    ["just what is required", 10, 54, 3, 3, [10, 6, 4, 3]],
    ["nothing to show", 0, 51, 0, 0, [0]],
  ])("%s: of %d within %d, at least %d", (_, most, budget, least, count, tried) => {
    const trials: number[] = [];
    const best = largestWithinBudget(most, budget, resultOf(trials), least);
    expect(best?.text.length).toBe(count === undefined ? undefined : 4 * count);
    expect(trials).toEqual(tried);
  });
});

it.each([
  [[], 100, undefined],
  [["First.", "Second."], 100, "First. Second."],
  [["The service said: “no”", "First."], 100, "First. The service said: “no”"],
  [["abcdefghijk"], 22, "abcdefghijk"],
  [["abcdefghijk"], 21, "abcdefghi…"],
])("the note of %j within %d tokens is %j", (sentences, budget, note) => expect(noteWithinBudget(sentences, budget)).toBe(note));

it("names what was left out", () => expect(leftOutNote(["a", "b"])).toBe("Left out to fit FLEET_MAX_RESULT_TOKENS: a, b."));

it.each([3, 12, 123, 1234])("the age of data, %d s, costs the tokens that it adds", (seconds) => {
  const result = { text: "abc", structured: { a: 1 } };
  const aged = withAge(result, { seconds });
  expect(aged).toEqual({ text: `abc\nRead ${seconds} s ago.`, structured: { a: 1, readSecondsAgo: seconds } });
  const size = (value: ToolResult) => JSON.stringify(value.text).length + JSON.stringify(value.structured).length;
  expect(ageTokens({ seconds })).toBe(Math.ceil((size(aged) - size(result)) / 4));
});

it("says why there is no newer data", () => {
  const { text, structured } = withAge({ text: "abc", structured: {} }, { seconds: 9, failure: "timeout" });
  const why = "The service is failing (timeout), so there is nothing newer.";
  expect([text, structured]).toEqual([`abc\nRead 9 s ago. ${why}`, { readSecondsAgo: 9, outdated: why }]);
});

it("adds the age to an output schema", () => {
  expect(schemaWithAge({ type: "object", properties: { a: {} } })).toEqual({
    type: "object",
    properties: {
      a: {},
      readSecondsAgo: { type: "integer", description: "Age of the data; absent if just read" },
      outdated: { type: "string", description: "Why the data is old" },
    },
  });
});

describe("results of the sandbox", () => {
  const SANDBOX = { sandbox: true };

  it("are marked in text and record", () => {
    expect(markedText("a", SANDBOX)).toBe("[sandbox] a");
    expect(markedRecord({ a: 1 }, SANDBOX)).toEqual({ sandbox: true, a: 1 });
    expect(marked({ text: "a", structured: { a: 1 } }, SANDBOX)).toEqual({ text: "[sandbox] a", structured: { sandbox: true, a: 1 } });
    const failure = { error: "e", structured: { error: { code: "internal" as const, changed: "no" as const } } };
    expect(marked(failure, SANDBOX)).toEqual({ error: "[sandbox] e", structured: { sandbox: true, ...failure.structured } });
    expect(marked({ ask: "Send?", state: "signed" }, SANDBOX)).toEqual({ ask: "[sandbox] Send?", state: "signed" });
    expect(marked({ text: "a", structured: undefined as never }, SANDBOX)).toEqual({ text: "[sandbox] a" });
  });

  it("cost the tokens of the mark", () => expect(MARK_TOKENS).toBe(Math.ceil(("[sandbox] ".length + '{"sandbox":true}'.length) / 4)));

  it.each([{}, { sandbox: false }])("are not those of %j", (origin) => {
    const result = { text: "a", structured: { a: 1 } };
    expect(marked(result, origin)).toBe(result);
    expect(markedText("a", origin)).toBe("a");
    expect(markedRecord(result.structured, origin)).toBe(result.structured);
  });
});

it("a record is identified by what would be shown of it", () => {
  const record = { a: "x".repeat(500), b: 1 };
  expect(fingerprint(record)).toMatch(/^[\w-]{12}$/);
  expect(fingerprint({ ...record, a: `${"x".repeat(450)}y` })).toBe(fingerprint(record));
  expect(fingerprint({ ...record, b: 2 })).not.toBe(fingerprint(record));
});
