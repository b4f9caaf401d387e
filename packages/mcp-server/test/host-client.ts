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

interface Connecting {
  /** @default "auto" */
  mode?: "auto" | "legacy";
  token?: string | undefined;
  capabilities?: NonNullable<ClientOptions["capabilities"]>;
  fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A host that is connected to a server over HTTP until the test ends. */
export async function connectedHost(url: string, { mode = "auto", token, capabilities, fetch }: Connecting = {}): Promise<Client> {
  const client = hostClient(mode, capabilities);
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, ...(fetch && { fetch }) }));
  return client;
}
