import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { run } from "./run-command.ts";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const published = readFileSync(join(packages, "core/openapi.json"), "utf8");
const POSITIONS = "/public/v1/customer/{customerId}/tracking/live";
const GROUP = "/public/v1/customer/{customerId}/group";

// biome-ignore lint/suspicious/noExplicitAny: each row changes another part
type Any = any;

/** Compares two files; `reversed` swaps them. */
async function diffOf(before: unknown, after: unknown) {
  const folder = temporaryFolder();
  const [old, now] = ["old.json", "new.json"].map((name) => join(folder, name)) as [string, string];
  for (const [path, content] of [[old, before] as const, [now, after] as const])
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  const ended = await run(["diff", old, now, "--json"]);
  const changes = ended.code === 2 ? [] : JSON.parse(ended.stdout).changes;
  return { ...ended, changes: changes.map(({ impact, faces, rule, at }: Any) => `${impact} ${faces.join("+")} ${rule} ${at}`) };
}

const fieldsOf = (document: Any) => document.components.schemas.LivePosition.properties;
const positionsOf = (document: Any) => document.paths[POSITIONS].get;
const groupBodyOf = (document: Any) => Object.values<Any>(document.paths[GROUP].put.requestBody.content)[0].schema;

/**
 * Edits of the published document. `oasdiff` is the level of its check for the same edit, as its documents give it (checks.md and the triage
 * of severities, version 1.31); it is "ours" where both say the same.
 */
const EDITS: [edit: string, change: (document: Any) => void, expected: string, oasdiff: string][] = [
  ["an operation removed", (d) => delete d.paths[POSITIONS], "breaking wire+client operation-removed listLivePositions", "error"],
  ["an operation renamed", (d) => (positionsOf(d).operationId = "positions"), "breaking client operation-renamed positions", "info"],
  [
    "a path moved",
    (d) => {
      d.paths["/v2/positions"] = d.paths[POSITIONS];
      delete d.paths[POSITIONS];
    },
    "breaking wire address-changed listLivePositions",
    "error",
  ],
  [
    "an optional parameter added",
    (d) => positionsOf(d).parameters.push({ name: "colour", in: "query", schema: { type: "string" } }),
    "additive wire+client parameter-added listLivePositions.colour",
    "info",
  ],
  [
    "a required parameter added",
    (d) => positionsOf(d).parameters.push({ name: "colour", in: "query", required: true, schema: { type: "string" } }),
    "breaking wire+client parameter-added listLivePositions.colour",
    "error",
  ],
  [
    "a parameter removed",
    (d) => positionsOf(d).parameters.splice(-1),
    "breaking wire+client parameter-removed listLivePositions.hideSpeedIfSpeedSensitive",
    "warn",
  ],
  [
    "a parameter of another type",
    (d) => (positionsOf(d).parameters.at(-1).schema = { type: "integer" }),
    "breaking wire+client type-changed listLivePositions.hideSpeedIfSpeedSensitive",
    "error",
  ],
  ["a response field removed", (d) => delete fieldsOf(d).speed, "breaking wire+client property-removed LivePosition.speed", "info"],
  [
    "a response field added",
    (d) => (fieldsOf(d).colour = { type: "string" }),
    "additive wire+client property-added LivePosition.colour",
    "info",
  ],
  [
    "a response field of another type",
    (d) => (fieldsOf(d).speed.type = "string"),
    "breaking wire+client type-changed LivePosition.speed",
    "error",
  ],
  [
    "a response number that is whole",
    (d) => (fieldsOf(d).speed.type = "integer"),
    "additive wire+client type-changed LivePosition.speed",
    "info",
  ],
  [
    "a response field that may be null",
    (d) => (fieldsOf(d).speed.type = ["number", "null"]),
    "breaking wire+client type-changed LivePosition.speed",
    "error",
  ],
  [
    "another word in a response",
    (d) => fieldsOf(d).eventType.enum.push("towing"),
    "additive wire+client value-added LivePosition.eventType",
    "warn",
  ],
  [
    "a word fewer in a response",
    (d) => fieldsOf(d).eventType.enum.pop(),
    "additive wire+client value-removed LivePosition.eventType",
    "info",
  ],
  [
    "a response field always present",
    (d) => (d.components.schemas.LivePosition.required = ["assetId"]),
    "additive wire+client now-required LivePosition.assetId",
    "info",
  ],
  [
    "a request field removed",
    (d) => delete groupBodyOf(d).properties.name,
    "breaking wire+client property-removed updateGroup.name",
    "warn",
  ],
  [
    "an optional request field added",
    (d) => (groupBodyOf(d).properties.colour = { type: "string" }),
    "additive wire+client property-added updateGroup.colour",
    "info",
  ],
  ["a request field required", (d) => groupBodyOf(d).required.push("name"), "breaking wire+client now-required updateGroup.name", "error"],
  [
    "a shorter request field",
    (d) => (groupBodyOf(d).properties.name.maxLength = 20),
    "breaking wire+client constraint-changed updateGroup.name",
    "error",
  ],
  [
    "a longer request field",
    (d) => (groupBodyOf(d).properties.name.maxLength = 300),
    "additive wire+client constraint-changed updateGroup.name",
    "info",
  ],
  [
    "another pattern of a request field",
    (d) => (groupBodyOf(d).properties.id.pattern = "^x$"),
    "breaking wire+client constraint-changed updateGroup.id",
    "warn",
  ],
  ["a default", (d) => (groupBodyOf(d).properties.name.default = "x"), "additive wire+client default-changed updateGroup.name", "info"],
  [
    "an error status removed",
    (d) => delete d.paths[GROUP].put.responses["409"],
    "additive wire+client status-removed updateGroup 409",
    "info",
  ],
  [
    "an error status added",
    (d) => (d.paths[GROUP].put.responses["410"] = { description: "Gone" }),
    "additive wire+client status-added updateGroup 410",
    "info",
  ],
  ["no success status", (d) => delete d.paths[GROUP].put.responses["200"], "breaking wire+client status-removed updateGroup 200", "error"],
  [
    "credentials no longer accepted",
    (d) => d.paths[GROUP].put.security.pop(),
    "breaking wire+client security-removed updateGroup",
    "error",
  ],
  [
    "other credentials accepted",
    (d) => d.paths[GROUP].put.security.push({ connectToken: [] }),
    "additive wire+client security-added updateGroup",
    "info",
  ],
  ["other words", (d) => (fieldsOf(d).speed.description = "Speed"), "cosmetic wire+client words-changed LivePosition.speed", "none"],
  ["deprecation", (d) => (positionsOf(d).deprecated = true), "additive wire+client operation-deprecated listLivePositions", "info"],
  [
    "a type renamed",
    (d) => {
      d.components.schemas.Position = d.components.schemas.LivePosition;
      const { [POSITIONS]: item } = d.paths;
      d.paths[POSITIONS] = JSON.parse(JSON.stringify(item).replaceAll("schemas/LivePosition", "schemas/Position"));
    },
    "breaking client type-renamed Position",
    "info",
  ],
];

/** oasdiff's levels say what we say: an error or a warning is breaking. */
const AGREED: Record<string, string[]> = { error: ["breaking"], warn: ["breaking"], info: ["additive"], none: ["cosmetic"] };

/** Where both differ, and why. */
const DIFFERENT: Record<string, string> = {
  "an operation renamed": "the client's method is called after it",
  "a type renamed": "the client's type is called after it",
  "a response field removed": "no field of a response is required here, and callers read them all the same",
  "another word in a response": "the client's types are open, and its callers get unknown words as they are",
};

describe("an edit of the OpenAPI document, by its impact and who notices it", () => {
  it.each(EDITS)("%s", async (edit, change, expected, oasdiff) => {
    const after = JSON.parse(published);
    change(after);
    const { changes, code } = await diffOf(published, after);
    expect(changes).toEqual([expected]);
    expect(code).toBe(expected.startsWith("breaking") ? 1 : 0);
    const agrees = AGREED[oasdiff]?.includes(expected.split(" ")[0] ?? "") ?? false;
    expect({ edit, agrees }).toEqual({ edit, agrees: !(edit in DIFFERENT) });
  });

  it("no edit: nothing is said of another order or form", async () => {
    const { paths, ...rest } = JSON.parse(published);
    const reordered = { paths: Object.fromEntries(Object.entries(paths).reverse()), ...rest };
    expect(await diffOf(published, reordered)).toMatchObject({ changes: [], code: 0 });
  });
});

const tool = (more: object = {}) => ({
  name: "locate_vehicle",
  description: "Where it is",
  inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  annotations: { readOnlyHint: true },
  ...more,
});

it.each<[string, object[], object[], string[]]>([
  ["a tool removed", [tool()], [], ["breaking tools tool-removed locate_vehicle"]],
  ["a tool added", [], [tool()], ["additive tools tool-added locate_vehicle"]],
  ["other words", [tool()], [tool({ description: "Where" })], ["cosmetic tools words-changed locate_vehicle"]],
  ["a tool that writes", [tool()], [tool({ annotations: {} })], ["breaking tools effect-changed locate_vehicle"]],
  [
    "other inputs",
    [tool()],
    [tool({ inputSchema: { type: "object", properties: { query: { type: "string", maxLength: 9 }, map: { type: "boolean" } } } })],
    [
      "additive tools now-optional locate_vehicle.query",
      "breaking tools constraint-changed locate_vehicle.query",
      "additive tools property-added locate_vehicle.map",
    ],
  ],
])("an edit of the tools that a server lists: %s", async (_, before, after, expected) => {
  expect((await diffOf({ result: { tools: before } }, { tools: after })).changes).toEqual(expected);
});

describe("two releases", () => {
  const release = (edit: (folder: string) => void) => {
    const folder = temporaryFolder();
    for (const part of ["core/openapi.json", "core/api.md", "mcp-server/snapshots/tools"])
      cpSync(join(packages, part), join(folder, part), { recursive: true });
    edit(folder);
    return folder;
  };

  it("are compared by HTTP, declarations and tools", async () => {
    const after = release((folder) => {
      const [document, report, of] = ["core/openapi.json", "core/api.md", "mcp-server/snapshots/tools/where_was.json"].map((path) =>
        join(folder, path),
      ) as [string, string, string];
      const changed = JSON.parse(published);
      delete fieldsOf(changed).speed;
      writeFileSync(document, JSON.stringify(changed));
      writeFileSync(
        report,
        readFileSync(report, "utf8").replace("    duration: number;\n", "").replace("export type AuthScheme ", "export type Scheme "),
      );
      writeFileSync(of, JSON.stringify({ ...JSON.parse(readFileSync(of, "utf8")), name: "where_is" }));
    });
    const { stdout, code } = await run(["diff", release(() => {}), after]);
    expect(code).toBe(1);
    expect(stdout).toBe(`### Breaking

- wire: Responses no longer have \`LivePosition.speed\`.
- client: core: \`AuthScheme\` is gone.
- client: core: \`CallMetadata.duration\` is gone.
- tools: The tool \`where_was\` is gone.

### New

- client: core: \`Scheme\` is new.
- tools: The tool \`where_is\` is new.

4 breaking, 2 additive, 0 cosmetic.
`);
  });

  it("say what only one of them has", async () => {
    const { stderr, stdout, code } = await run(["diff", join(packages, "core/openapi.json"), release(() => {})]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No change.\n" });
    expect(stderr).toContain("not compared: only the new one has tools");
  });
});

it.each<[string, (folder: string) => void, RegExp]>([
  ["a file that does not exist", () => {}, /old does not exist/],
  ["YAML", (folder) => writeFileSync(join(folder, "old"), "openapi: 3.1.0"), /old is not JSON: convert YAML first/],
  [
    "another document",
    (folder) => writeFileSync(join(folder, "old"), '{"swagger":"2.0"}'),
    /old is neither an OpenAPI 3 document, nor a list of tools/,
  ],
  ["an empty folder", (folder) => mkdirSync(join(folder, "old")), /old holds no release: name a folder of packages/],
  [
    "nothing in common",
    (folder) => writeFileSync(join(folder, "old"), '{"tools":[]}'),
    /nothing to compare: only the new one has an OpenAPI document; only the old one has tools/,
  ],
])("cannot compare %s", async (_, prepare, message) => {
  const folder = temporaryFolder();
  prepare(folder);
  const { code, stderr } = await run(["diff", join(folder, "old"), join(packages, "core/openapi.json")]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

it("ends for schemas that refer to each other", async () => {
  const schemas = {
    Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, round: { $ref: "#/components/schemas/A" } } },
    A: { $ref: "#/components/schemas/B" },
    B: { $ref: "#/components/schemas/A" },
  };
  const document = (type: string) => ({
    openapi: "3.1.0",
    paths: {
      "/nodes": { get: { responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } } } } } },
    },
    components: { schemas: { ...schemas, Node: { ...schemas.Node, properties: { ...schemas.Node.properties, id: { type } } } } },
  });
  expect((await diffOf(document("string"), document("number"))).changes).toEqual(["breaking wire+client type-changed Node.id"]);
});
