import { existsSync, readFileSync } from "node:fs";
import { clientVariables, fleetErrorCodes, type VariableTable } from "@fleetwire/core";
import { environmentVariables, httpVariables } from "@fleetwire/mcp-server/environment";
import { toolVariables } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The first two cells of each row of a Markdown table whose first cell is code. */
function codeRows(markdown: string, first: RegExp): [string, string][] {
  return [...markdown.matchAll(/^\| `([^`]+)`[^|]*\| (.*?) +\|/gm)].flatMap(([, name = "", text = ""]) =>
    first.test(name) ? [[name, text] as [string, string]] : [],
  );
}

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

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

  it("core's README lists every error code with its meaning", () => {
    const rows = codeRows(read("packages/core/README.md"), /./).filter(([name]) => Object.hasOwn(fleetErrorCodes, name));
    expect(Object.fromEntries(rows)).toEqual(fleetErrorCodes);
  });
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

describe("links point to existing files", () => {
  const docs = ["agents", "credentials", "decisions", "dependencies", "identity-providers", "scaling", "security"].map(
    (name) => `docs/${name}.md`,
  );
  const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...docs].concat(
    ["core", "driving-time", "tools", "mcp-server", "sandbox", "contract-tests"].map((name) => `packages/${name}/README.md`),
    ["chat-agent", "deployment", "dispatch-api", "nightly-faults", "oauth"].map((name) => `examples/${name}/README.md`),
  );

  it.each(documents)("in %s", (document) => {
    const links = [...read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link));
    const missing = links.filter((link) => !existsSync(new URL(link, new URL(`../../../${document}`, import.meta.url))));
    expect(missing).toEqual([]);
  });
});
