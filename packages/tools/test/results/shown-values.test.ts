import { singleLine } from "@fleetwire/tools/host";
import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

it.each([
  ["  Truck\n12\t\u200e north \u2028 ", 20, "Truck 12 north"],
  ["exactly", 7, "exactly"],
  ["too long", 7, "too lo…"],
  ["🚚🚚", 4, "🚚🚚"],
  ["🚚🚚", 3, "🚚…"],
  ["🚚🚚🚚", 4, "🚚…"],
  ["a\ud800b", 10, "a�b"],
  ["\ud800abcdefgh", 4, "�ab…"],
  [`${" ".repeat(40)}ab`, 5, "…"],
  ["x".repeat(121), undefined, `${"x".repeat(119)}…`],
])("%j in at most %s characters is %j", (text, limit, line) => expect(singleLine(text, limit)).toBe(line));

const list = (length: number) => Array.from({ length }, (_, at) => at);
const lists = (depth: number, end: unknown): unknown => (depth === 0 ? end : [lists(depth - 1, end)]);

describe("a value of the service in the text and in the record", () => {
  /** The cell and the recorded value of a field that is not asked for; one that is may be longer. */
  async function shown(value: unknown) {
    const script = { listJobs: () => ({ body: [{ value }, { value: 1 }] }) };
    const { text, record } = await servedFleet({ script, env: { FLEET_MAX_RESULT_TOKENS: "50000" } });
    return [(await text("list_jobs")).split("\n")[2], (await record("list_jobs")).items[0].value];
  }

  it.each<[string, unknown, cell: string, recorded: unknown]>([
    ["null", null, "-", undefined],
    ["an empty string", "", "-", ""],
    ["a boolean", false, "false", false],
    ["a string", "a|b\nc", "a¦b c", "a|b c"],
    ["a list", ["a", "b"], "a, b", ["a", "b"]],
    ["an object", { a: 1 }, '{"a":1}', { a: 1 }],
    ["an object with a long name", { ["n".repeat(65)]: 1 }, `{"${"n".repeat(63)}…":1}`, { [`${"n".repeat(63)}…`]: 1 }],
    ["a list of objects", [{ a: 1 }], '[{"a":1}]', [{ a: 1 }]],
    ["a string that fits the record only", "t".repeat(121), `${"t".repeat(119)}…`, "t".repeat(121)],
    ["a long string", "t".repeat(401), `${"t".repeat(119)}…`, `${"t".repeat(399)}…`],
    ["a long list", list(21), list(20).join(", "), list(20)],
    ["deep lists", lists(8, 1), "[[[[[[[[1]]]]]]]]", lists(8, 1)],
    ["deeper lists", lists(9, 1), '[[[[[[[["…"]]]]]]]]', lists(8, "…")],
  ])("%s", async (_, value, cell, recorded) => expect(await shown(value)).toEqual([cell, recorded]));
});
