import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL("./", import.meta.url);
const thisFile = import.meta.url.split("/").at(-1);
const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name !== thisFile);
const tests = files.map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
const decisions = readFileSync(new URL("../../../docs/decisions.md", import.meta.url), "utf8");
const section = /\n## The sandbox\n(.*?)(?=\n## |$)/s.exec(decisions)?.[1] ?? "";
const listed = [...section.matchAll(/^\| (S\d+) +\|/gm)].map(([, id]) => id ?? "");
const named = tests.flatMap(({ text }) => [...text.matchAll(/chosen (S\d+)/g)].map(([, id]) => id ?? ""));

describe("the sandbox's choices", () => {
  test("have unique ids", () => {
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter((id, at) => listed.indexOf(id) !== at)).toEqual([]);
  });

  test("named by tests are in docs/decisions.md", () => {
    expect(named.filter((id) => !listed.includes(id))).toEqual([]);
  });

  test("in docs/decisions.md are each named by a test", () => {
    expect(listed.filter((id) => !named.includes(id))).toEqual([]);
  });

  test.each(tests)("$name names the decision for each row tagged as chosen", ({ text }) => {
    expect([...text.matchAll(/^.*\bchosen\b(?! S\d).*$/gm)].map(([line]) => line.trim())).toEqual([]);
  });
});
