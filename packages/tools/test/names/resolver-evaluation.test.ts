import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { FleetView } from "../../src/fleet/fleet-view.ts";
import type { NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";
import { thousandVehicles } from "./thousand-vehicles.ts";

type EntityKind = "vehicle" | "driver" | "group" | "location";

interface Row {
  query: string;
  kind: EntityKind;
  class: string;
  expect: { one?: string; none?: boolean; ask?: string[] };
  why: string;
}

const rows = JSON.parse(readFileSync(new URL("../../evaluation/queries.json", import.meta.url), "utf8")) as Row[];

interface Answer {
  found: string | undefined;
  candidates: string[];
}

async function answerFrom<Value>(query: string, index: NameIndex<Value>, idOf: (value: Value) => string | undefined): Promise<Answer> {
  const resolution = await resolveName(query, index);
  const ids = (values: readonly Value[]) => values.map((value) => String(idOf(value)));
  if (resolution.result === "found") return { found: String(idOf(resolution.match.value)), candidates: [] };
  const values = resolution.result === "ambiguous" ? resolution.matches.map(({ value }) => value) : await resolution.nearest();
  return { found: undefined, candidates: ids(values) };
}

const ASK: Record<EntityKind, (query: string, view: FleetView) => Promise<Answer>> = {
  vehicle: async (query, view) => answerFrom(query, view.vehicles, ({ assetId }) => assetId),
  driver: async (query, view) => answerFrom(query, await view.drivers(), ({ driverId }) => driverId),
  group: async (query, view) => answerFrom(query, await view.groups(), ({ id }) => id),
  location: async (query, view) => answerFrom(query, await view.places(), ({ id }) => id),
};

type Verdict = "right" | "asked" | "wrong" | "lacking";

/** Scored as in evaluation/README.md: an unexpected match is wrong, a question instead is merely not right. */
function judge({ expect: { one, none, ask = [] } }: Row, { found, candidates }: Answer): Verdict {
  if (found !== undefined) return found === one ? "right" : "wrong";
  if (one !== undefined) return "asked";
  return none || ask.every((id) => candidates.includes(id)) ? "right" : "lacking";
}

describe("the resolver, on queries written independently of it", () => {
  let judged: { row: Row; answer: Answer; verdict: Verdict }[];

  beforeAll(async () => {
    const view = await thousandVehicles();
    judged = await Promise.all(
      rows.map(async (row) => {
        const answer = await ASK[row.kind](row.query, view);
        return { row, answer, verdict: judge(row, answer) };
      }),
    );
    const classes = [...new Set(rows.map((row) => row.class)), "all"];
    const table = classes.map((name) => {
      const own = judged.filter(({ row }) => name === "all" || row.class === name);
      const count = (verdict: Verdict) => own.filter((entry) => entry.verdict === verdict).length;
      const columns = [own.length, count("right"), count("asked"), count("lacking"), count("wrong")];
      return `${name.padEnd(16)}${columns.map((column) => String(column).padStart(9)).join("")}`;
    });
    const heading = ["rows", "right", "asked", "lacking", "wrong"].map((column) => column.padStart(9)).join("");
    console.log([`${"class".padEnd(16)}${heading}`, ...table].join("\n"));
    const missed = judged.filter(({ verdict }) => verdict !== "right");
    if (missed.length > 0)
      console.log(missed.map(({ row, verdict }) => `${verdict}: ${row.kind} "${row.query}" (${row.class}: ${row.why})`).join("\n"));
  });

  it("has the required rows", () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
    for (const name of ["exact", "typo", "partial", "ambiguous", "absent", "other languages"])
      expect(rows.filter((row) => row.class === name).length, name).toBeGreaterThanOrEqual(40);
  });

  it("returns no confident wrong match", () => {
    expect(judged.filter(({ verdict }) => verdict === "wrong").map(({ row, answer }) => ({ ...row, ...answer }))).toEqual([]);
  });

  it("is right for 98% of the unambiguous rows", () => {
    const unambiguous = judged.filter(({ row }) => row.expect.one !== undefined || (row.expect.none && row.expect.ask === undefined));
    const right = unambiguous.filter(({ verdict }) => verdict === "right");
    expect(unambiguous.length).toBe(367);
    expect(right.length / unambiguous.length).toBeGreaterThanOrEqual(0.98);
  });

  it("offers the right candidates in 95% of its questions", () => {
    const questions = judged.filter(({ row }) => row.expect.ask !== undefined);
    const right = questions.filter(({ verdict }) => verdict === "right");
    expect(right.length / questions.length).toBeGreaterThanOrEqual(0.95);
  });
});
