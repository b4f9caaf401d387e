import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { openApiDocument } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";

/** Generates the OpenAPI document, with the samples as its examples. */
export async function generate(): Promise<GeneratedFiles> {
  return { "packages/core/openapi.json": `${JSON.stringify(openApiDocument({ samples }), null, 2)}\n` };
}
