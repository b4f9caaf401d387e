import type * as z from "zod";
import type { AuthScheme, Operation, ServerName } from "../operation.ts";
import { requestFields } from "../operation-fields.ts";
import { operations as interfaceOperations } from "../operations/index.ts";
import { ApiError } from "../schemas/group.ts";
import { type JsonSchema, jsonSchemaOf } from "../schemas/json-schema.ts";
import { definitionOf, isOptional } from "../schemas/schema-walk.ts";

const SERVERS: Record<ServerName, { variable: string; description: string }> = {
  base: { variable: "base_url", description: "Core API, with its path prefix" },
  fleet: { variable: "fleet_url", description: "Fleet management API, with its path prefix" },
  apiHost: { variable: "api_host", description: "Origin of the API host" },
  job: { variable: "job_url", description: "Job creation API" },
  tacho: { variable: "tacho_url", description: "Tachograph API" },
  auth: { variable: "auth_url", description: "Token service" },
};

const SECURITY: Record<AuthScheme, { name: string; scheme: JsonSchema }> = {
  basic: { name: "basic", scheme: { type: "http", scheme: "basic", description: "Base64 of clientId:clientSecret (interface 5.1)" } },
  bearer: { name: "bearer", scheme: { type: "http", scheme: "bearer", description: "An access token (interface 5.2)" } },
  "connect-token": {
    name: "connectToken",
    scheme: {
      type: "apiKey",
      in: "header",
      name: "x-connect-token",
      description: "The word TOKEN, a space and an access token (interface 5.2)",
    },
  },
};

const json = (schema: JsonSchema, example?: unknown) => ({ "application/json": { schema, ...(example !== undefined && { example }) } });

/** Collects each named schema that is referenced, once. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  private readonly byName = new Map<string, z.ZodType>();

  refer(schema: z.ZodType): JsonSchema {
    this.learn(schema);
    const id = schema.meta()?.id;
    return id === undefined ? this.write(schema) : this.reference(id);
  }

  private write(schema: z.ZodType): JsonSchema {
    return jsonSchemaOf(schema, { refer: (name) => this.reference(name).$ref });
  }

  private reference(name: string): { $ref: string } {
    const schema = this.byName.get(name);
    if (schema && !this.schemas[name]) {
      this.schemas[name] = {};
      this.schemas[name] = this.write(schema);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private learn(schema: z.ZodType): void {
    const id = schema.meta()?.id;
    if (id !== undefined && this.byName.has(id)) return;
    if (id !== undefined) this.byName.set(id, schema);
    const { shape = {}, element, innerType } = definitionOf(schema);
    for (const inner of [...Object.values(shape), element, innerType]) if (inner) this.learn(inner as z.ZodType);
  }
}

/** The schema of a query parameter, in which null is sent as the word `null`. */
function asText(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || !type.includes("null")) return schema;
  return {
    anyOf: [
      { ...rest, type: type.find((name) => name !== "null") },
      { type: "string", const: "null" },
    ],
  };
}

function parameters(operation: Operation) {
  const customer = {
    name: "customerId",
    in: "path",
    required: true,
    description: "Customer that the call is scoped to",
    schema: { type: "string", pattern: "^[A-Za-z0-9]+$" },
  };
  const sent = Object.entries(requestFields(operation)).flatMap(([name, { in: place, schema: field }]) => {
    if (place === "body") return [];
    const { description, ...written } = jsonSchemaOf(field);
    const schema = asText(written);
    // An exploded object allows arbitrary parameters, which undocumented endpoints need.
    const explode = schema["type"] === "object";
    return {
      name,
      in: place,
      // OpenAPI requires path parameters to be required.
      required: place === "path" || !isOptional(field),
      description,
      ...(schema["type"] === "array" || explode ? { style: "form", explode } : {}),
      schema,
    };
  });
  return [...(operation.path.includes("{customerId}") ? [customer] : []), ...sent];
}

/** A call and its response, as examples. */
type Example = { input: unknown; output: unknown } | undefined;

function requestBody({ body, contentType = "application/json" }: Operation, components: Components, example: Example) {
  if (!body) return {};
  const fields = example && Object.entries(example.input as object).filter(([name]) => Object.hasOwn(body, name));
  const properties: JsonSchema = {};
  for (const [name, field] of Object.entries(body)) properties[name] = components.refer(field);
  const required = Object.keys(body).filter((name) => !isOptional(body[name] as z.ZodType));
  const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
  return {
    requestBody: { required: true, content: { [contentType]: { schema, ...(fields && { example: Object.fromEntries(fields) }) } } },
  };
}

function responses(operation: Operation, components: Components, example: Example) {
  const { output, undocumented, errors = {} } = operation;
  const error = components.refer(ApiError);
  const documented = Object.entries(errors).map(([status, { body, when }]) => [
    status,
    { description: `${when.join(". ")}.`, content: json(body === "list" ? { type: "array", items: error } : error) },
  ]);
  return {
    200: {
      description: undocumented ? "Undocumented: the service's response is passed through" : operation.summary,
      content: json(components.refer(output), example?.output),
    },
    ...Object.fromEntries(documented),
    default: { description: "Undocumented: the interface does not describe other responses" },
  };
}

function pathItem(operation: Operation, components: Components, sample: Example) {
  const { name, summary, source, method, path, servers, auth, undocumented } = operation;
  // An example would suggest a shape that is not documented.
  const example = undocumented ? undefined : sample;
  // Put the last server first: it is always configured, and tools that read the document treat the first one as the default.
  const variables = [...servers].reverse().map((server) => SERVERS[server]);
  return {
    servers: variables.map(({ variable, description }) => ({
      url: `{${variable}}`,
      description,
      variables: { [variable]: { default: "https://fleet.example.com", description } },
    })),
    [method.toLowerCase()]: {
      operationId: name,
      tags: [path.split("/").includes("customer") ? "customer" : "service"],
      summary,
      description: `See ${source}.${undocumented ? " Only the path is documented: parameters and response are passed through." : ""}`,
      security: auth.map((scheme) => ({ [SECURITY[scheme].name]: [] })),
      parameters: parameters(operation),
      ...requestBody(operation, components, example),
      responses: responses(operation, components, example),
    },
  };
}

/** Options for {@link openApiDocument}. */
export interface OpenApiOptions {
  /** The operations to describe, such as custom ones. Default: those of the interface. */
  operations?: Readonly<Record<string, Operation>>;
  /** Example calls by operation name: those of `@fleetwire/core/samples`, or your own. */
  samples?: Readonly<Record<string, { input: unknown; output: unknown }>>;
}

/** Generates an OpenAPI 3.1 document. Paths are relative to each operation's own server. */
export function openApiDocument({ operations = interfaceOperations, samples = {} }: OpenApiOptions = {}): JsonSchema {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const operation of Object.values(operations))
    paths[operation.path] = { ...paths[operation.path], ...pathItem(operation, components, samples[operation.name]) };
  const schemes = Object.fromEntries(Object.values(SECURITY).map(({ name, scheme }) => [name, scheme]));
  return {
    openapi: "3.1.0",
    info: {
      title: "Fleet operations interface",
      version: "v1",
      summary: "Groups, vehicle faults, live positions, jobs and tachograph activity",
      description:
        "Generated from the operations of @fleetwire/core. What the interface does not specify is marked as undocumented, never guessed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "https://fleet.example.com", description: "Placeholder; each operation has its own server" }],
    tags: [
      { name: "customer", description: "Scoped to a customer by the path" },
      { name: "service", description: "Scoped only by the credentials" },
    ],
    paths,
    components: {
      securitySchemes: schemes,
      schemas: Object.fromEntries(
        Object.keys(components.schemas)
          .sort()
          .map((name) => [name, components.schemas[name]]),
      ),
    },
  };
}
