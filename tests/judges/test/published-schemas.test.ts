import { readFileSync } from "node:fs";
import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import { manifest } from "./host-pages.ts";
import { serveSandbox } from "./served-sandbox.ts";

const schemaOf = (name: string) => JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), "utf8"));

/** What the schema finds wrong with a document. */
function problemsOf(schema: object, document: unknown) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.validate(schema, document);
  return ajv.errors ?? [];
}

/** A document without one of its fields. */
const without = (field: string, document: Record<string, unknown>) => ({ ...document, [field]: undefined });

describe("the entry for the MCP registry", () => {
  const schema = schemaOf("server");
  const entry = manifest("packages/mcp-server/server.json");

  it("follows the schema that it names", () => {
    expect(entry.$schema).toBe(schema.$id);
    expect(problemsOf(schema, entry)).toEqual([]);
  });

  it.each(["name", "description", "version"])("would not without its %s", (field) => {
    expect(problemsOf(schema, without(field, entry))).not.toEqual([]);
  });
});

it("the server card follows its schema, and would not without its name", async () => {
  const { url, stop } = await serveSandbox();
  onTestFinished(stop);
  const card = await (await fetch(`${url}/server-card`)).json();
  const schema = { ...schemaOf("server-card"), $ref: "#/$defs/ServerCard" };
  expect(card.remotes).toEqual([{ type: "streamable-http", url }]);
  expect(problemsOf(schema, card)).toEqual([]);
  expect(problemsOf(schema, without("name", card))).not.toEqual([]);
});
