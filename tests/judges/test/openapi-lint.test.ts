import { expect, it } from "vitest";
import { checkFiles } from "./external-command.ts";
import { changed, type OpenApi, POSITIONS, publishedText } from "./openapi-document.ts";

const notDeclared = ({ paths }: OpenApi) => (paths[POSITIONS].get.parameters = []);
const oneName = ({ paths }: OpenApi) => (paths[POSITIONS].get.operationId = "createJob");
const noTitle = ({ info }: OpenApi) => delete info.title;
const noReference = ({ paths }: OpenApi) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" });

const FAULTS: readonly [linter: string, what: string, change: (document: OpenApi) => void, rule: string][] = [
  ["redocly", "a dangling reference", noReference, "no-unresolved-refs"],
  ["redocly", "a field unknown to OpenAPI", ({ paths }) => (paths[POSITIONS].get.colour = "red"), "struct"],
  ["redocly", "no title", noTitle, "struct"],
  ["redocly", "an undeclared path parameter", notDeclared, "path-parameters-defined"],
  ["redocly", "two operations with the same id", oneName, "operation-operationId-unique"],
  [
    "redocly",
    "no security",
    (document) => {
      delete document.security;
      delete document.paths[POSITIONS].get.security;
    },
    "security-defined",
  ],
  ["spectral", "a dangling reference", noReference, "invalid-ref"],
  ["spectral", "no title", noTitle, "oas3-schema"],
  ["spectral", "an undeclared path parameter", notDeclared, "path-params"],
  ["spectral", "two operations with the same id", oneName, "operation-operationId-unique"],
  [
    "spectral",
    "an example that does not match its schema",
    ({ components }) => (components.schemas.LivePosition.properties.speed.example = "fast"),
    "oas3-valid-schema-example",
  ],
];

const LINTERS: Record<string, (files: readonly string[]) => string[]> = {
  redocly: (files) => ["lint", "--extends=recommended", "--format=github-actions", ...files],
  spectral: (files) => ["lint", "--ruleset=ruleset.json", "--format=github-actions", ...files],
};

// One process checks all documents, since it takes longer to start than to check one.
it.each(Object.entries(LINTERS))(
  "%s finds no error in core's OpenAPI document, and those of documents that have one",
  async (linter, argsOf) => {
    const faults = FAULTS.filter(([name]) => name === linter);
    const nameOf = (what: string) => `${what.replaceAll(" ", "-")}.json`;
    const changes = Object.fromEntries(faults.map(([, what, change]) => [nameOf(what), changed(change)]));
    const documents = { "published.json": publishedText, ...changes };
    const files = { ...documents, "ruleset.json": { extends: ["spectral:oas"] } };
    const { output } = await checkFiles(linter, argsOf(Object.keys(documents)), files);
    const errors = [...output.matchAll(/^::error title=([\w.-]+),file=([\w.-]+)/gm)].map(([, rule, file]) => `${file}: ${rule}`);
    expect(errors).toEqual(expect.arrayContaining(faults.map(([, what, , rule]) => `${nameOf(what)}: ${rule}`)));
    expect(errors.filter((error) => error.startsWith("published.json"))).toEqual([]);
    expect(output).toMatch(/published\.json/);
  },
);
