import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, thousandVehicles } from "./thousand-vehicles.ts";

interface Row {
  query: string;
  kind: "vehicle" | "driver" | "group" | "location";
  class: string;
  expect: { one?: string; none?: boolean; ask?: string[] };
  why: string;
}

const rows = JSON.parse(readFileSync(new URL("../../evaluation/queries.json", import.meta.url), "utf8")) as Row[];

type Verdict = "right" | "asked" | "wrong" | "lacking";

/** Scored as in evaluation/README.md: an unexpected match is wrong, a question instead is merely not right. */
function judge({ expect: { one, none, ask = [] } }: Row, { found, candidates }: Answer): Verdict {
  if (found !== undefined) return found === one ? "right" : "wrong";
  if (one !== undefined) return "asked";
  return none || ask.every((id) => candidates.includes(id)) ? "right" : "lacking";
}

describe("the resolver, on queries written independently of it", () => {
  let judged: (Row & Answer & { verdict: Verdict })[];
  const missed = (of: typeof judged) => of.flatMap(({ query, verdict }) => (verdict === "right" ? [] : [`${verdict}: ${query}`]));

  beforeAll(async () => {
    const fleet = await thousandVehicles();
    judged = await Promise.all(
      rows.map(async (row) => {
        const answer = await fleet[row.kind](row.query, true);
        return { ...row, ...answer, verdict: judge(row, answer) };
      }),
    );
  });

  it("returns no confident wrong match", () => {
    expect(judged.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
  });

  it("is right for 98% of the unambiguous rows", () => {
    const unambiguous = judged.filter((row) => row.expect.one !== undefined || (row.expect.none && row.expect.ask === undefined));
    expect(unambiguous.length).toBe(360);
    expect(missed(unambiguous).length, missed(unambiguous).join("\n")).toBeLessThanOrEqual(0.02 * unambiguous.length);
  });

  it("offers the right candidates in 95% of its questions", () => {
    const questions = judged.filter((row) => row.expect.ask !== undefined);
    expect(missed(questions).length, missed(questions).join("\n")).toBeLessThanOrEqual(0.05 * questions.length);
  });
});
