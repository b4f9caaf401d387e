import { existsSync, readFileSync } from "node:fs";
import { clientVariables, fleetErrorCodes, type VariableTable } from "@fleetwire/core";
import { environmentVariables, httpVariables } from "@fleetwire/mcp-server/environment";
import { toolVariables } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { codeRows, document } from "../src/document-programs.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

describe("the docs match the contract", () => {
  it.each<[string, VariableTable]>([
    ["core", clientVariables],
    ["tools", toolVariables],
    ["mcp-server", { ...environmentVariables, ...httpVariables }],
  ])("%s's README lists every variable with its description", (name, table) => {
    const expected = Object.entries(table).map(([variable, { description, required }]) => [
      variable,
      required ? `required: ${description}` : description,
    ]);
    expect(codeRows(read(`packages/${name}/README.md`), /^FLEET_/)).toEqual(expected);
  });

  it("the page on troubleshooting lists every error code with its meaning", () => {
    const [, section = ""] = document("troubleshooting.md").split("## Error codes");
    expect(Object.fromEntries(codeRows(section, /./))).toEqual(fleetErrorCodes);
  });
});

// Those of all other documents are checked where the site is built (site.test.ts).
it("the links of the root's README point to existing files", () => {
  const links = [...read("README.md").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(new URL(`../../../${link}`, import.meta.url)))).toEqual([]);
});
