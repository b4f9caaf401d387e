import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL("./", import.meta.url);
const own = import.meta.url.split("/").at(-1);
const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name !== own);
const tests = files.map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
const decisions = readFileSync(new URL("../../../docs/decisions.md", import.meta.url), "utf8");
const section = /\n## The sandbox\n(.*?)(?=\n## |$)/s.exec(decisions)?.[1] ?? "";
const listed = [...section.matchAll(/^\| (S\d+) +\|/gm)].map(([, id]) => id ?? "");
const named = tests.flatMap(({ text }) => [...text.matchAll(/chosen (S\d+)/g)].map(([, id]) => id ?? ""));

describe("the choices of the sandbox", () => {
  test("have ids that differ", () => {
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter((id, at) => listed.indexOf(id) !== at)).toEqual([]);
  });

  test("that tests name are in docs/decisions.md", () => {
    expect(named.filter((id) => !listed.includes(id))).toEqual([]);
  });

  test("that docs/decisions.md lists are each named by a test", () => {
    expect(listed.filter((id) => !named.includes(id))).toEqual([]);
  });

  test.each(tests)("$name tags no row as chosen without saying by which line", ({ text }) => {
    expect([...text.matchAll(/^.*\bchosen\b(?! S\d).*$/gm)].map(([line]) => line.trim())).toEqual([]);
  });
});
