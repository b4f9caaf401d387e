import { describe, expect, it } from "vitest";
import { checkFiles } from "./external-command.ts";
import { changed, type OpenApi, POSITIONS, publishedText } from "./openapi-document.ts";

const lints: Record<string, (document: unknown) => ReturnType<typeof checkFiles>> = {
  redocly: (document) => checkFiles("redocly", ["lint", "--extends=recommended", "openapi.json"], { "openapi.json": document }),
  spectral: (document) =>
    checkFiles("spectral", ["lint", "openapi.json", "--ruleset", "ruleset.json"], {
      "openapi.json": document,
      "ruleset.json": { extends: ["spectral:oas"] },
    }),
};

describe.each(Object.keys(lints))("%s lint of core's OpenAPI document", (linter) => {
  it("finds no error", async () => {
    const { code, output } = (await lints[linter]?.(publishedText)) ?? {};
    expect(output).toMatch(/Your API description is valid|\(0 errors|No results/);
    expect(code).toBe(0);
  });
});

const notDeclared = ({ paths }: OpenApi) => (paths[POSITIONS].get.parameters = []);
const oneName = ({ paths }: OpenApi) => (paths[POSITIONS].get.operationId = "createJob");
const noTitle = ({ info }: OpenApi) => delete info.title;
const noReference = ({ paths }: OpenApi) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" });

it.each<[string, string, (document: OpenApi) => void, string]>([
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
])("%s fails for %s", async (linter, _, change, rule) => {
  const { code, output } = (await lints[linter]?.(changed(change))) ?? {};
  expect(output).toContain(rule);
  expect(code).toBe(1);
});
