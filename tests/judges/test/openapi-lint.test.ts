import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderWith, NOWHERE, run } from "./programs.ts";

const publishedText = readFileSync(new URL("../../../packages/core/openapi.json", import.meta.url), "utf8");
const REDOCLY = join(fileURLToPath(new URL("../node_modules/.bin", import.meta.url)), "redocly");

const POSITIONS = "/public/v1/customer/{customerId}/tracking/live";

// biome-ignore lint/suspicious/noExplicitAny: each row changes another part of the document
type Change = (document: any) => unknown;

/** What is wrong with a document, by the rule that finds it. */
const FAULTS: Readonly<Record<string, Change>> = {
  "no-unresolved-refs": ({ paths }) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" }),
  struct: ({ paths }) => (paths[POSITIONS].get.colour = "red"),
  "path-parameters-defined": ({ paths }) => (paths[POSITIONS].get.parameters = []),
  "operation-operationId-unique": ({ paths }) => (paths[POSITIONS].get.operationId = "createJob"),
  "security-defined": (document) => delete document.security && delete document.paths[POSITIONS].get.security,
  "no-invalid-schema-examples": ({ components }) => (components.schemas.LivePosition.properties.speed.example = "fast"),
};

const RULES = { extends: ["recommended"], rules: { "no-invalid-schema-examples": "error", "no-invalid-media-type-examples": "error" } };

// One process checks all documents, since it takes longer to start than to check one.
it("Redocly finds no error in core's OpenAPI document, and those of documents that have one", async () => {
  const changed = Object.entries(FAULTS).map(([rule, change]) => {
    const document = JSON.parse(publishedText);
    change(document);
    return [`${rule}.json`, document];
  });
  const documents = { "published.json": publishedText, ...Object.fromEntries(changed) };
  const args = ["lint", "--config=redocly.yaml", "--format=github-actions", ...Object.keys(documents)];
  const silent = { ...NOWHERE, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { output } = await run(REDOCLY, args, await folderWith({ ...documents, "redocly.yaml": RULES }), silent);
  const errors = [...output.matchAll(/^::error title=([\w.-]+),file=([\w.-]+)/gm)].map(([, rule, file]) => `${file}: ${rule}`);
  expect(errors).toEqual(expect.arrayContaining(Object.keys(FAULTS).map((rule) => `${rule}.json: ${rule}`)));
  expect(errors.filter((error) => error.startsWith("published.json"))).toEqual([]);
  expect(output).toMatch(/published\.json/);
});
