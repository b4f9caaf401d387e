import { openApiDocument } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import type { NamedFixture } from "../fixtures/fixture.ts";

type Json = Record<string, unknown>;

/** A fixture's name as an example key. */
const keyOf = (id: string) => id.replaceAll(/[^A-Za-z0-9._-]/g, ".");

function addExample(content: Json | undefined, { id, title }: NamedFixture, value: unknown): void {
  const [media] = Object.values(content ?? {}) as Json[];
  if (!media || value === undefined) return;
  // OpenAPI allows `example` or `examples`, not both.
  delete media["example"];
  media["examples"] = { ...(media["examples"] as Json | undefined), [keyOf(id)]: { summary: title, value } };
}

/** The contract's OpenAPI document with fixtures as examples of every response that it describes. */
export function openApiOf(fixtures: readonly NamedFixture[]): unknown {
  const document = structuredClone(openApiDocument({ samples })) as Json;
  const paths = document["paths"] as Record<string, Json>;
  const operations = Object.values(paths).flatMap(
    (path) => Object.values(path).filter((value) => typeof value === "object" && !Array.isArray(value)) as Json[],
  );
  for (const fixture of fixtures) {
    const operation = operations.find(({ operationId }) => operationId === fixture.operation);
    if (!operation) continue;
    const { responses, requestBody } = operation as { responses: Record<string, Json>; requestBody?: Json };
    if (!fixture.refusedByClient) addExample(requestBody?.["content"] as Json | undefined, fixture, fixture.request.body);
    addExample(responses[fixture.response.status]?.["content"] as Json | undefined, fixture, fixture.response.body);
  }
  return document;
}
