import {
  Client,
  type ClientOptions,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** Compiles each schema once: every test connects hosts of its own, to much the same tools. */
const validator: jsonSchemaValidator = {
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? new AjvJsonSchemaValidator().getValidator(schema);
    compiled.set(key, known);
    return known as JsonSchemaValidator<Value>;
  },
};

/** A host that speaks today's revision (auto) or an older one. It checks records against the output schemas that it has listed. */
export const hostClient = (mode: "auto" | "legacy", capabilities: NonNullable<ClientOptions["capabilities"]> = {}): Client =>
  new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode }, capabilities, jsonSchemaValidator: validator });
