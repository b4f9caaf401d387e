import { describe, expect, it } from "vitest";
import { messageLines, requestIdIn } from "../../src/stdio/message-lines.ts";

/** The lines in these chunks, as text, with the full length of those that were cut. */
function linesIn(chunks: readonly string[], maxBytes: number): string[][] {
  const lines = messageLines(maxBytes);
  return chunks.map((chunk) =>
    lines(Buffer.from(chunk)).map(({ bytes, length, complete }) => (complete ? String(bytes) : `${bytes}, of ${length}`)),
  );
}

const [A, B, C] = ["a".repeat(512), "b".repeat(600), "c".repeat(512)];

describe("a stream is split into lines", () => {
  it.each<[why: string, chunks: string[], maxBytes: number, lines: string[][]]>([
    ["in one chunk", ["a\nb\n"], 10, [["a", "b"]]],
    ["over several chunks", ["a", "b\nc", "\n"], 10, [[], ["ab"], ["c"]]],
    ["without the last one until it ends", ["a\nb"], 10, [["a"]]],
    ["even if they are empty", ["\n\n"], 10, [["", ""]]],
    ["as long as is allowed", ["1234\n"], 4, [["1234"]]],
    ["as long as is allowed, over several chunks", [A, B, C, "\n"], 1_624, [[], [], [], [`${A}${B}${C}`]]],
    ["too long, but shorter than both ends", ["12345\n"], 4, [["12345, of 5"]]],
    ["too long, keeping both ends", [`${A}${B}${C}\nd\n`], 1_000, [[`${A}${C}, of 1624`, "d"]]],
    ["too long, over several chunks", [A, B, C, "\nd\n"], 1_000, [[], [], [], [`${A}${C}, of 1624`, "d"]]],
    ["too long by one byte", [`${A}x${C}\n`], 1_024, [[`${A}${C}, of 1025`]]],
    ["of bytes rather than characters", ["éé\nééé\n"], 4, [["éé", "ééé, of 6"]]],
  ])("%s", (_, chunks, maxBytes, lines) => expect(linesIn(chunks, maxBytes)).toEqual(lines));
});

it.each<[message: string, id: string | number | null]>([
  ['{"id": 7, "method": "tools/call", "params": {', 7],
  ['{"jsonrpc":"2.0","id":-7,"method":"x","params":{', -7],
  ['{"id":"a b","method":"x","params":{', "a b"],
  [' {"method":"x","params":{"a":1},"id":7}', 7],
  ['{"method":"x","params":{"id":1},"id":"last","jsonrpc":"2.0"}\n', "last"],
  ['{"method":"x","params":{"a":[1],"id":7}, "b"', null],
  ['{"method":"x","params":{"id":7}', null],
  ['{"id":7,"result":{"method":"x"}}', null],
  ['{"id":"a\\"b","method":"x"}', null],
  ['{"id":1234567890123456,"method":"x"}', null],
  ['{"id":123456789012345,"method":"x"}', 123_456_789_012_345],
  [`{"id":"${"x".repeat(201)}","method":"x"}`, null],
  [`{"id":"${"x".repeat(200)}","method":"x"}`, "x".repeat(200)],
  ['{"id":7.5,"method":"x"}', null],
  ['[{"id":7,"method":"x"}]', null],
  ["no message", null],
])("the id in %j is %j", (message, id) => expect(requestIdIn(Buffer.from(message))).toBe(id));
