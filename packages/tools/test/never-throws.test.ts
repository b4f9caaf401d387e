import { describe, expect, it } from "vitest";
import type { FleetTool } from "../src/index.ts";
import { CALLS, fleetUnderTest, JOB } from "./fleet-under-test.ts";

const fail = (message: string): never => {
  throw new Error(message);
};

const cycle: Record<string, unknown> = { query: "truck 12" };
cycle["query"] = cycle;

/** A value whose copy would exceed any memory. */
const doubled = [...Array(60)].reduce<unknown>((inner) => ({ a: inner, b: inner }), {});
const deep = [...Array(20_000)].reduce<unknown>((inner) => [inner], []);

const GARBAGE: [string, unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["a text", '{"query": "truck 12"}'],
  ["a symbol", Symbol("s")],
  ["a list", [{}]],
  ["a Map", new Map([["query", "truck 12"]])],
  ["a cycle", cycle],
  ["too much", doubled],
  ["too deep", { query: deep }],
  ["an endless list", { limit: Object.defineProperty([], "length", { value: 2 ** 32 - 1 }) }],
  ["a name of the prototype", JSON.parse('{"__proto__": {"query": "x"}, "constructor": {"prototype": 1}}')],
  ["a getter that throws", Object.defineProperty({}, "query", { enumerable: true, get: () => fail("canary-getter") })],
  ["a proxy that throws", new Proxy({}, { ownKeys: () => fail("canary-proxy") })],
];

/** A seeded generator of numbers below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const VALUES: unknown[] = [
  ...[null, undefined, true, "", " ", "truck 12", "\u0000\u202e", "9".repeat(400), "null", "[1]", '{"a":1}', -1, 0, 1.5, 1e308],
  ...[Number.NaN, Number.POSITIVE_INFINITY, [], [null], {}, { a: { b: [] } }, new Date(0), 10n, Symbol("s"), ["x", 1, null]],
];

async function expectResults(tool: FleetTool | undefined, cases: readonly [what: string, args: unknown][]) {
  for (const [what, args] of cases) {
    for (const result of [await tool?.execute(args), await tool?.preview(args)]) {
      expect({ what, keys: Object.keys(result ?? {}) }).toEqual({ what, keys: ["ok", "text", "structured"] });
      expect(JSON.stringify(result)).not.toMatch(/canary-|"code":"internal/);
    }
    expect(Object.keys(tool?.inputSchema["~standard"].validate(args) ?? {}).length).toBe(1);
  }
}

it("every tool returns a result for any arguments, and sends no unapproved write", { timeout: 30_000 }, async () => {
  const { tools, writes } = await fleetUnderTest({ config: { snapshotSeconds: 600 } });
  for (const name of ["locate_vehicle", "create_job"]) await expectResults(tools.byName.get(name), GARBAGE);
  const random = randomFrom(7);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  for (const [name, tool] of tools.byName) {
    const fields = Object.keys(tool.inputJsonSchema["properties"] as object);
    const drawn = Array.from({ length: 8 }, (): [string, unknown] => {
      const some = fields.filter(() => random() < 0.3).map((field) => [field, pick(VALUES)]);
      return [name, { ...(random() < 0.5 && CALLS[name]), ...Object.fromEntries(some) }];
    });
    await expectResults(tool, drawn);
  }
  expect(writes()).toEqual([]);
});

describe("invalid options of a call", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["a bogus signal", { signal: {} }],
    ["a timeout that is not a number", { timeout: Symbol("s") }],
    ["a getter that throws", Object.defineProperty({}, "signal", { get: () => fail("canary-getter") })],
  ])("end in a result: %s (create-fleet-tools.ts)", async (_, given) => {
    const { tools, writes } = await fleetUnderTest();
    const options = given as undefined;
    const results = await Promise.all([
      ...[...tools.byName.values()].flatMap((tool) => [tool.execute(CALLS[tool.name], options), tool.preview(CALLS[tool.name], options)]),
      tools.readVehicle("truck 12", options),
    ]);
    expect(results.filter(({ ok, text }) => typeof ok !== "boolean" || text.includes("canary"))).toEqual([]);
    expect(writes()).toEqual([]);
  });

  it("still let an aborted call end while the user never replies", async () => {
    const { tools, writes } = await fleetUnderTest();
    const ending = new AbortController();
    const ask = () => {
      ending.abort();
      return new Promise<never>(() => {});
    };
    const { structured } = await tools.call("create_job", JOB, { signal: ending.signal, elicitation: { ask } });
    expect(structured).toMatchObject({ result: "notAsked" });
    expect(writes()).toEqual([]);
  });
});
