import { expect, it } from "vitest";
import { mutatedSource } from "../src/all-mutants.ts";
import { knownSurvivors } from "../src/report.ts";

const listed = knownSurvivors.flatMap(({ mutants }) => mutants);
const fileOf = (id: string) => id.slice(0, id.indexOf(" "));

it.each([...new Set(listed.map(fileOf))])("survivors.json lists only mutants that still exist in %s", (file) => {
  const ids = new Set(mutatedSource(file).mutants.map(({ id }) => id));
  expect(listed.filter((id) => fileOf(id) === file && !ids.has(id))).toEqual([]);
});

it("survivors.json lists a mutant once, and a reason once", () => {
  const reasons = knownSurvivors.map(({ reason }) => reason);
  for (const all of [listed, reasons]) expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
});
