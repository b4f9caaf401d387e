import { describe, expect, it } from "vitest";
import { changed, type OpenApi, POSITIONS, publishedText } from "./openapi-document.ts";
import { judgeFiles } from "./outside-judge.ts";

const lints: Record<string, (document: unknown) => ReturnType<typeof judgeFiles>> = {
  redocly: (document) => judgeFiles("redocly", ["lint", "--extends=recommended", "openapi.json"], { "openapi.json": document }),
  spectral: (document) =>
    judgeFiles("spectral", ["lint", "openapi.json", "--ruleset", "ruleset.json"], {
      "openapi.json": document,
      "ruleset.json": { extends: ["spectral:oas"] },
    }),
};

describe.each(Object.keys(lints))("%s lint of core's OpenAPI document", (judge) => {
  it("finds no error", async () => {
    const { code, output } = (await lints[judge]?.(publishedText)) ?? {};
    expect(output).toMatch(/Your API description is valid|\(0 errors|No results/);
    expect(code).toBe(0);
  });
});

const notDeclared = ({ paths }: OpenApi) => (paths[POSITIONS].get.parameters = []);
const oneName = ({ paths }: OpenApi) => (paths[POSITIONS].get.operationId = "createJob");
const noTitle = ({ info }: OpenApi) => delete info.title;
const noReference = ({ paths }: OpenApi) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" });

it.each<[string, string, (document: OpenApi) => void, string]>([
  ["redocly", "a reference to nothing", noReference, "no-unresolved-refs"],
  ["redocly", "a field that OpenAPI does not have", ({ paths }) => (paths[POSITIONS].get.colour = "red"), "struct"],
  ["redocly", "no title", noTitle, "struct"],
  ["redocly", "a path parameter that is not declared", notDeclared, "path-parameters-defined"],
  ["redocly", "two operations of one name", oneName, "operation-operationId-unique"],
  [
    "redocly",
    "no security",
    (document) => {
      delete document.security;
      delete document.paths[POSITIONS].get.security;
    },
    "security-defined",
  ],
  ["spectral", "a reference to nothing", noReference, "invalid-ref"],
  ["spectral", "no title", noTitle, "oas3-schema"],
  ["spectral", "a path parameter that is not declared", notDeclared, "path-params"],
  ["spectral", "two operations of one name", oneName, "operation-operationId-unique"],
  [
    "spectral",
    "an example that does not fit its schema",
    ({ components }) => (components.schemas.LivePosition.properties.speed.example = "fast"),
    "oas3-valid-schema-example",
  ],
])("%s fails at %s", async (judge, _, change, rule) => {
  const { code, output } = (await lints[judge]?.(changed(change))) ?? {};
  expect(output).toContain(rule);
  expect(code).toBe(1);
});
