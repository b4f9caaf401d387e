import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { mutatedSource, productFiles } from "../src/all-mutants.ts";
import { mutantKinds, mutated, named } from "../src/mutant.ts";
import { REGISTRY, Switches } from "../src/registry.ts";
import { stepMutants } from "../src/step-mutants.ts";
import { programsAmong, switchesOf, withSwitches } from "../src/switches.ts";
import { parse } from "../src/syntax.ts";

const TEXT = `
interface Stop { name?: string; at: number }
const LIMITS = { most: 3, least: -1, words: ["on", "off"] as const };
export const show = (stop?: Stop) => stop?.name?.trim().slice(0, LIMITS.most) ?? "none";
export function sum(stops: Stop[]): number {
  let total = 0;
  for (const { at } of stops) {
    if (at < LIMITS.least || Number.isNaN(at)) continue;
    total += at;
    if (total > 100) break;
  }
  return total;
}
export const pick = (word: string, { loud = false } = {}) => ({ [word]: word === "on" && !loud, ...(loud ? { loud } : {}), at: -LIMITS.most });
export class Counter {
  #count = 1;
  next(by = 2) { this.#count += by; return this.#count++; }
}
`;

const source = parse("sample.ts", TEXT);
const mutants = programsAmong(source, named("sample.ts", stepMutants(source)));

type Sample = {
  show: (stop?: unknown) => unknown;
  sum: (stops: unknown[]) => unknown;
  pick: (word: string, options?: { loud?: boolean }) => unknown;
  Counter: new () => { next: (by?: number) => unknown };
};

const attempt = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

/** What a program does with a handful of inputs. */
function behaviour(text: string): string {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" });
  const module = { exports: {} };
  return JSON.stringify(
    attempt(() => {
      new Function("module", "exports", code)(module, module.exports);
      const { show, sum, pick, Counter } = module.exports as Sample;
      return [
        ...[undefined, {}, { name: " abcdef " }].map((stop) => attempt(() => show(stop))),
        ...[[], [{ at: 1 }, { at: -2 }, { at: 5 }], [{ at: 99 }, { at: 3 }, { at: 7 }]].map((stops) => attempt(() => sum(stops))),
        ...[pick("on"), pick("off", { loud: true }), pick("on", { loud: true })],
        attempt(() => [new Counter().next(), new Counter().next(5)]),
      ];
    }),
    (_, value) => (value === undefined ? "undefined" : value),
  );
}

function behaviourWith(number: number): string {
  const switches = new Switches();
  Object.assign(globalThis, { [REGISTRY]: switches });
  switches.turnOn({ file: "sample.ts", number });
  return behaviour(withSwitches(source, mutants, REGISTRY));
}

describe("a source with switches", () => {
  it("does what the source does while none is on", () => {
    expect(behaviourWith(-1)).toBe(behaviour(TEXT));
  });

  it.each(mutants.map((mutant, number) => [mutant.id, number] as const))("does what the mutant does: %s", (_, number) => {
    const mutant = mutants[number];
    expect(behaviourWith(number)).toBe(behaviour(mutated(TEXT, mutant as NonNullable<typeof mutant>)));
  });
});

describe("the mutants of the product", () => {
  const sources = productFiles().map(mutatedSource);
  const all = sources.flatMap((one) => one.mutants);

  it("are of every kind, each told apart by its words", () => {
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(mutantKinds));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(15_000);
  });

  it("all have a place at which they can be switched on", () => {
    const lost = sources.flatMap((one) => {
      const switched = new Set(switchesOf(one, one.mutants).flatMap(({ numbers }) => numbers));
      return one.mutants.filter((_, number) => !switched.has(number)).map(({ id }) => id);
    });
    expect(lost).toEqual([]);
  });
});
