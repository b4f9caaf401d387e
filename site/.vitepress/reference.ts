import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { root } from "./pages.ts";

const core = `${root}packages/core`;
const folder = fileURLToPath(new URL("../reference/", import.meta.url));
const typescript = `${root}tests/packaging/typescript-5`;

const OPTIONS = {
  tsconfig: `${core}/tsconfig.build.json`,
  plugin: "typedoc-plugin-markdown",
  out: `${folder}typedoc`,
  logLevel: "Warn",
  // The typecheck already does this.
  skipErrorChecking: true,
  // Links to sources need a Git remote, which not every checkout has.
  disableSources: true,
  readme: "none",
  "validation.notDocumented": true,
  "validation.invalidLink": true,
  "validation.notExported": true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hidePageTitle: true,
  outputFileStrategy: "modules",
  useHTMLEncodedBrackets: true,
  "tableColumnSettings.hideInherited": true,
  "tableColumnSettings.hideOverrides": true,
  "tableColumnSettings.hideModifiers": true,
  "tableColumnSettings.hideSources": true,
};

const TABLES = [
  "parametersFormat",
  "interfacePropertiesFormat",
  "classPropertiesFormat",
  "typeAliasPropertiesFormat",
  "typeDeclarationFormat",
];

/** A page for each entry point: the file that TypeDoc writes, and what is above it. */
const PAGES = [
  {
    entry: "index.ts",
    written: "index.md",
    page: "client.md",
    title: "Reference",
    about: "What `@fleetwire/core` exports, from the comments in its sources.",
  },
  {
    entry: "schemas/shapes.generated.ts",
    written: "schemas/shapes.generated.md",
    page: "records.md",
    title: "Reference: records",
    about: "The records that operations take and return, with the meaning and unit of each field.",
  },
];

// The fields of schema types are documented in the interfaces, and sort keys are names of documented fields.
const isExpected = (warning: string) => /\.__type|\.TachoSort\.(driver|activities)|Found \d+ errors? and \d+ warnings?/.test(warning);

/** Writes the reference pages, and returns the address of each export. Throws if an export or a member of it has no comment, refers to what is not exported, or has a broken link. */
export async function writeReference(): Promise<ReadonlyMap<string, string>> {
  const args = [
    ...Object.entries(OPTIONS).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...TABLES.flatMap((name) => [`--${name}`, "table"]),
    ...PAGES.flatMap(({ entry }) => ["--entryPoints", `${core}/src/${entry}`]),
    ...["NoFields", "Present", "Shape"].flatMap((name) => ["--intentionallyNotExported", name]),
  ];
  const command = [`${typescript}/node_modules/typedoc/bin/typedoc`, ...args];
  const { stderr } = await promisify(execFile)(process.execPath, command, { cwd: typescript, env: { ...process.env, NO_COLOR: "1" } });
  const problems = stderr.split("\n").filter((line) => /^\[(warning|error)\] /.test(line) && !isExpected(line));
  if (problems.length > 0) throw new Error(problems.join("\n"));

  mkdirSync(folder, { recursive: true });
  const addresses = new Map<string, string>();
  for (const { written, page, title, about } of PAGES) {
    const text = readFileSync(`${OPTIONS.out}/${written}`, "utf8").replace(/(?<=\]\()[^)#]+\.md/g, (link) => {
      const target = PAGES.find((other) => link.endsWith(other.written.replace(/^.*\//, "")));
      return target?.page ?? link;
    });
    writeFileSync(`${folder}${page}`, `---\neditLink: false\npageClass: reference\n---\n\n# ${title}\n\n${about}\n\n${text}`);
    // A record is a schema in the first page and an interface in the second.
    for (const [, name = ""] of text.matchAll(/^### (\w+)/gm))
      addresses.set(name, `/reference/${page.replace(".md", "")}#${name.toLowerCase()}`);
  }
  return addresses;
}
