import { describe, expect, it } from "vitest";
import type { FleetTools } from "../../src/index.ts";
import { fleetUnderTest, JOB } from "../fleet-under-test.ts";

const numbers = (n: number) => Array.from({ length: n }, (_, at) => at);
const texts = (n: number, of: (at: number) => string) => numbers(n).map(of);
const fields = (n: number) => Object.fromEntries(texts(n, (at) => `field${at}`).map((name) => [name, 1]));
const GROUP = { group: "Lyon Vans" };

/** Arguments of a size, and the largest size to compare with a quarter of it. */
type Shape = [of: string, tool: string, args: (n: number) => object, n: number];

const SHAPES: Shape[] = [
  ["numbers for texts, as JSON", "create_job", (n) => ({ ...JOB, orderNumbers: JSON.stringify(numbers(n)) }), 6_000],
  ["numbers for names", "update_group", (n) => ({ ...GROUP, vehicles: numbers(n) }), 4_000],
  ["names in a text", "update_group", (n) => ({ ...GROUP, vehicles: texts(n, (at) => `v${at}`).join(" and ") }), 40_000],
  ["unknown fields", "create_job", (n) => ({ ...JOB, ...fields(n) }), 4_000],
  ["spaces in a condition", "list_live_positions", (n) => ({ where: `city=x${" ".repeat(n)}?` }), 4_000],
  ["a text", "create_job", (n) => ({ ...JOB, notes: " a".repeat(n) }), 450_000],
];

/** The least processor time of several calls, in milliseconds, which other work on the machine hardly affects. */
async function leastTime(tools: FleetTools, tool: string, args: object): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run++) {
    const start = process.cpuUsage();
    await tools.call(tool, args);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

// Processor time is noisy: what is quadratic fails each time.
it.each(SHAPES)("four times as many take at most eight times as long, not sixteen times: %s", { retry: 3 }, async (_, tool, args, n) => {
  const { tools } = await fleetUnderTest();
  await tools.call("update_group", { ...GROUP, vehicles: ["truck 12"] });
  const quarter = await leastTime(tools, tool, args(n / 4));
  expect(await leastTime(tools, tool, args(n))).toBeLessThan(8 * quarter + 40);
});

describe("arguments that are all wrong", () => {
  it.each<[string, string, object, RegExp]>([
    ["90,000 blank names", "update_group", { ...GROUP, vehicles: texts(90_000, () => "") }, /some of its 90000 entries are invalid/],
    ["60,000 unknown fields", "create_job", { ...JOB, ...fields(60_000) }, /more than 10000 fields.*Pass fewer/],
  ])("are refused in a line: %s", async (_, tool, args, text) => {
    const { tools, requests } = await fleetUnderTest();
    const result = await tools.call(tool, args);
    expect([result.ok, result.text.length < 1_500, requests()]).toEqual([false, true, 0]);
    expect(result.text).toMatch(text);
  });
});

it.each<[string, object]>([
  ["create_job", { ...JOB, orderNumbers: texts(12_000, (at) => `A-${at}`) }],
  ["update_group", { id: "dthldpkzdw", vehicleIds: texts(12_000, () => "gnqlc3qluhcn") }],
])("valid lists may have 12,000 entries: %s", async (tool, args) => {
  const { tools, writes } = await fleetUnderTest();
  expect(await tools.byName.get(tool)?.execute(args, { approved: true })).toMatchObject({ ok: true });
  expect(writes()).toHaveLength(1);
});
