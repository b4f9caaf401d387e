import { expect, it } from "vitest";
import { MARK_TOKENS, marked } from "../../src/text/sandbox-mark.ts";

it.each<[why: string, result: Parameters<typeof marked>[0], expected: object]>([
  [
    "a result",
    { text: "2 vehicles.", structured: { total: 2 } },
    { text: "[sandbox] 2 vehicles.", structured: { sandbox: true, total: 2 } },
  ],
  ["a failure", { error: "Failed." } as never, { error: "[sandbox] Failed." }],
  ["a failure with a record", { error: "Failed.", structured: undefined } as never, { error: "[sandbox] Failed.", structured: undefined }],
  ["a question, but not its state", { ask: "Send?", state: "signed" } as never, { ask: "[sandbox] Send?", state: "signed" }],
])("%s from the sandbox is marked", (_, result, expected) => {
  expect(marked(result, { sandbox: true })).toEqual(expected);
  expect(marked(result, {})).toBe(result);
});

it("the mark costs as much as is planned for it", () => expect(MARK_TOKENS).toBe(Math.ceil('[sandbox] {"sandbox":true}'.length / 4)));
