import { existsSync, readFileSync } from "node:fs";
import { type EnvironmentVariable, fleetErrorCodes } from "@fleetwire/core";
import { httpVariables, watchVariables } from "@fleetwire/mcp-server/environment";
import { describe, expect, it } from "vitest";
import { codeRows, document } from "../src/document-programs.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

describe("the docs match the contract", () => {
  it("docs/settings.md lists every variable once, with its description", () => {
    const ofWatch = Object.entries<EnvironmentVariable>(watchVariables).filter(([name]) => !(name in httpVariables));
    const variables = [...ofWatch, ...Object.entries<EnvironmentVariable>(httpVariables)];
    expect(codeRows(document("settings.md"), /^FLEET_/)).toEqual(
      variables.map(([name, { description, required }]) => [name, required ? `required: ${description}` : description]),
    );
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

describe("docs/dependencies.md", () => {
  const [installed = "", onRequest = "", bundled = ""] = read("docs/dependencies.md")
    .split(/^## .*$/m)
    .slice(1);
  const manifests = ["core", "driving-time", "tools", "mcp-server", "sandbox", "contract-tests"].map(
    (name) => JSON.parse(read(`packages/${name}/package.json`)) as Manifest,
  );
  const rows = (part: string) =>
    [...part.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| \S/gm)].map(([, name, dependency]) => `${name} ${dependency}`);

  it.each([
    ["dependencies", installed],
    ["peerDependencies", onRequest],
  ] as const)("lists the %s of each public package", (kind, part) => {
    expect(rows(part)).toEqual(manifests.flatMap(({ name, [kind]: found = {} }) => Object.keys(found).map((one) => `${name} ${one}`)));
  });

  it("lists what the server's own code uses of what is bundled", () => {
    const licences = read("packages/mcp-server/dist/bundle/LICENSES.txt");
    const { devDependencies = {} } = manifests.find(({ name }) => name === "@fleetwire/mcp-server") as Manifest;
    const expected = Object.entries(devDependencies).filter(
      ([name, version]) => licences.includes(`\n${name} ${version} (`) || licences.startsWith(`${name} ${version} (`),
    );
    expect(codeRows(bundled, /./).map(([name]) => name)).toEqual(expected.map(([name]) => name));
  });
});
