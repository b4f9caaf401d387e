import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkFiles } from "./external-command.ts";

const publishedText = readFileSync(new URL("../../../packages/core/openapi.json", import.meta.url), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: each test case changes another part of the document
type OpenApi = any;

/** The published document with a change applied. */
function changed(change: (document: OpenApi) => void): OpenApi {
  const document = JSON.parse(publishedText);
  change(document);
  return document;
}

const POSITIONS = "/public/v1/customer/{customerId}/tracking/live";

const FAULTS: readonly [what: string, change: (document: OpenApi) => void, rule: string][] = [
  [
    "a dangling reference",
    ({ paths }) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" }),
    "no-unresolved-refs",
  ],
  ["a field unknown to OpenAPI", ({ paths }) => (paths[POSITIONS].get.colour = "red"), "struct"],
  ["no title", ({ info }) => delete info.title, "struct"],
  ["an undeclared path parameter", ({ paths }) => (paths[POSITIONS].get.parameters = []), "path-parameters-defined"],
  ["two operations with the same id", ({ paths }) => (paths[POSITIONS].get.operationId = "createJob"), "operation-operationId-unique"],
  [
    "no security",
    (document) => {
      delete document.security;
      delete document.paths[POSITIONS].get.security;
    },
    "security-defined",
  ],
  [
    "an example that does not match its schema",
    ({ components }) => (components.schemas.LivePosition.properties.speed.example = "fast"),
    "no-invalid-schema-examples",
  ],
];

const RULES = { extends: ["recommended"], rules: { "no-invalid-schema-examples": "error", "no-invalid-media-type-examples": "error" } };

// One process checks all documents, since it takes longer to start than to check one.
it("Redocly finds no error in core's OpenAPI document, and those of documents that have one", async () => {
  const nameOf = (what: string) => `${what.replaceAll(" ", "-")}.json`;
  const changes = Object.fromEntries(FAULTS.map(([what, change]) => [nameOf(what), changed(change)]));
  const documents = { "published.json": publishedText, ...changes };
  const args = ["lint", "--config=redocly.yaml", "--format=github-actions", ...Object.keys(documents)];
  const { output } = await checkFiles("redocly", args, { ...documents, "redocly.yaml": RULES });
  const errors = [...output.matchAll(/^::error title=([\w.-]+),file=([\w.-]+)/gm)].map(([, rule, file]) => `${file}: ${rule}`);
  expect(errors).toEqual(expect.arrayContaining(FAULTS.map(([what, , rule]) => `${nameOf(what)}: ${rule}`)));
  expect(errors.filter((error) => error.startsWith("published.json"))).toEqual([]);
  expect(output).toMatch(/published\.json/);
});
