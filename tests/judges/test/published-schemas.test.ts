import { readFileSync } from "node:fs";
import { createFetchHandler, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";
import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import { expect, it, onTestFinished } from "vitest";
import { manifest } from "./host-pages.ts";

const schemaOf = (name: string) => JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), "utf8"));

/** What the schema finds wrong with a document. */
function problemsOf(schema: object, document: unknown) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.validate(schema, document);
  return ajv.errors ?? [];
}

function follows(schema: object, document: Record<string, unknown>) {
  expect(problemsOf(schema, document)).toEqual([]);
  for (const field of ["name", "description", "version"]) expect(problemsOf(schema, { ...document, [field]: undefined })).not.toEqual([]);
}

it("the entry for the MCP registry follows the schema that it names", () => {
  const schema = schemaOf("server");
  const entry = manifest("packages/mcp-server/server.json");
  expect(entry.$schema).toBe(schema.$id);
  follows(schema, entry);
});

it("the server card follows its schema", async () => {
  const publicUrl = new URL("https://fleet.example.com/mcp");
  const values = {
    FLEET_CUSTOMER_ID: "1",
    FLEET_CLIENT_ID: "x",
    FLEET_CLIENT_SECRET: "canary-secret",
    FLEET_BASE_URL: "http://127.0.0.1:9",
  };
  const fleets = serverConfigFromEnv(values);
  const handler = createFetchHandler({ callers: { issuer: new URL("http://127.0.0.1:9"), publicUrl }, fleets, version: "1.2.3" });
  onTestFinished(() => handler.close());
  const response = await handler.fetch(new Request(`${publicUrl}/server-card`));
  // Of its draft of JSON Schema, it uses what Ajv's default draft has too.
  const { $schema: _, ...schema } = schemaOf("server-card");
  follows({ ...schema, $ref: "#/$defs/ServerCard" }, (await response.json()) as Record<string, unknown>);
});
