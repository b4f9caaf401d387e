import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksIn, document, programFolder } from "../src/document-programs.ts";

/** What runs after each program, if it only exports something, and what is printed. */
const RECIPES: readonly { section: string; block?: number; language?: "js"; after?: string; printed: RegExp }[] = [
  { section: "CommonJS", language: "js", printed: /^\d\d vehicles\n$/ },
  { section: "CSV of faults", printed: /^"vehicle","registration",.*\n("[^"\n]*",){4}"[\dT:-]+Z?"\n/ },
  {
    section: "React",
    after: `
      import { act, create } from "react-test-renderer";
      import { createElement } from "react";
      globalThis.IS_REACT_ACT_ENVIRONMENT = true;
      const url = process.env.FLEET_BASE_URL + "/public/v1/customer/" + process.env.FLEET_CUSTOMER_ID + "/tracking/live";
      const Status = () => { const { positions, failed } = usePositions(url, 0.05); return positions.length + " " + failed; };
      let page;
      await act(() => { page = create(createElement(Status)); });
      while (page.toJSON() !== "0 true") await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
      const plain = fetch;
      globalThis.fetch = (address, init) => plain(address, { ...init, headers: { authorization: "Basic " + btoa(process.env.FLEET_CLIENT_ID + ":" + process.env.FLEET_CLIENT_SECRET) } });
      while (/^0/.test(page.toJSON())) await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
      console.log(page.toJSON());
      await act(() => page.unmount());`,
    printed: /^\d\d false\n$/,
  },
  { section: "Tests of your own", printed: /^# pass 1$/m },
  { section: "Tests of your own", block: 1, printed: /^# pass 1$/m },
];

/** What tests/runtimes runs where it belongs. */
const ELSEWHERE = ["Vite", "Next.js", "Cloudflare Workers"];

const sandbox = createSandbox();
const programs = programFolder();
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  ({ env } = await sandbox.listen());
});

afterAll(async () => {
  programs.remove();
  await sandbox.close();
});

it("every recipe is run", () => {
  const count = (section?: string) => ["js", "ts"].flatMap((language) => blocksIn(document("recipes.md"), language, section)).length;
  expect(RECIPES.length).toBe(ELSEWHERE.reduce((left, section) => left - count(section), count()));
});

it.each(RECIPES)("$section", async ({ section, block = 0, language = "ts", after = "", printed }) => {
  const program = blocksIn(document("recipes.md"), language, section)[block] ?? "";
  expect(await programs.run(`${program}${after}`, env, language === "js" ? "cjs" : "js")).toMatch(printed);
});
