import {
  Client,
  type ClientOptions,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { onTestFinished } from "vitest";

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

/** A host of today's revision, connected to a server over HTTP as a caller. */
export async function callerHost(url: string, token: string): Promise<Client> {
  const client = hostClient("auto");
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}
