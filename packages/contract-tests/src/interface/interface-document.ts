import { readFileSync } from "node:fs";
import type { AuthScheme, ServerName } from "@fleetwire/core";
import * as z from "zod";
import { bodySchema, fieldsNamedBy, type Json, operationsOf, resolved } from "./facts.ts";

/** A field of a request or response, such as `$[*].faults[*].code`. */
export interface InterfaceField {
  path: string;
  type: string;
  /** Enum values of the field or its items. */
  values: string[];
}

/** Rules over several fields of a body. */
interface Rules {
  anyOf?: { required: string[] }[];
  dependentRequired?: Record<string, string[]>;
  not?: { required?: string[] };
}

const values = ({ enum: listed, const: only }: Json): string[] => [listed ?? only ?? []].flat().map(String);

/** `base` for `{base_url}`, `apiHost` for `{api_host}`. */
const serverName = (url: string) =>
  url
    .slice(1, -1)
    .replace(/_url$/, "")
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as ServerName;

/** The OpenAPI document that is written by hand from the interface description, with the queries that the checks need. */
export class InterfaceDocument {
  readonly document: Json;
  readonly #operations: ReadonlyMap<string, ReturnType<typeof operationsOf>[number]>;
  readonly #checks = new Map<string, z.ZodType>();

  constructor(document: Json) {
    this.document = document;
    this.#operations = new Map(operationsOf(document).map((one) => [String(one.operation["operationId"]), one]));
  }

  get operations(): string[] {
    return [...this.#operations.keys()];
  }

  #operation(name: string): Json {
    return this.#operations.get(name)?.operation ?? {};
  }

  /** The usual server first, then its alternatives. */
  serversOf(operation: string): ServerName[] {
    return (this.#operations.get(operation)?.servers ?? []).map(serverName);
  }

  schemesOf(operation: string): AuthScheme[] {
    return ((this.#operation(operation)["security"] ?? []) as Json[]).flatMap(Object.keys) as AuthScheme[];
  }

  #responses(operation: string): [number, Json][] {
    const responses = Object.entries((this.#operation(operation)["responses"] ?? {}) as Record<string, Json>);
    return responses.filter(([status]) => status !== "default").map(([status, response]) => [Number(status), response]);
  }

  /** The statuses that the description states: none if it gives only the path. */
  statuses(operation: string): number[] {
    return this.#responses(operation).map(([status]) => status);
  }

  /** The request fields that a failure is about, by status. */
  conditions(operation: string): { status: number; field: string }[] {
    return this.#responses(operation)
      .filter(([status]) => status >= 400)
      .flatMap(([status, response]) =>
        fieldsNamedBy(this.document, this.#operation(operation), response).map((field) => ({ status, field })),
      );
  }

  queryParameters(operation: string): InterfaceField[] {
    return ((this.#operation(operation)["parameters"] ?? []) as Json[])
      .map((parameter) => resolved(this.document, parameter))
      .filter((parameter) => parameter["in"] === "query")
      .flatMap(({ name, schema }) => this.#fields({ properties: { [String(name)]: schema } }));
  }

  bodyFields(operation: string): InterfaceField[] {
    // The service alone writes what is read-only.
    return this.#fields(bodySchema(this.document, this.#operation(operation)), "$", ({ readOnly }) => readOnly !== true);
  }

  /** Fields of the body for a status, including nested ones; undefined if the status is not described. */
  responseFields(operation: string, status: number): InterfaceField[] | undefined {
    const schema = this.#responseSchema(operation, status);
    return schema && this.#fields(schema);
  }

  /** Fields that a rule over several of them links to one of these. */
  linkedFields(operation: string, fields: readonly string[]): string[] {
    const schema = bodySchema(this.document, this.#operation(operation)) as Rules;
    const rules = [
      ...(schema.anyOf ?? []).map(({ required }) => required),
      ...Object.entries(schema.dependentRequired ?? {}).map((rule) => rule.flat()),
      schema.not?.required ?? [],
    ];
    return rules.filter((rule) => rule.some((field) => fields.includes(field))).flat();
  }

  /** Where a body differs from the document: wrong types, unknown values or fields, missing required fields. */
  problems(operation: string, status: number, body: unknown): string[] {
    const key = `${operation} ${status}`;
    const schema = this.#responseSchema(operation, status);
    if (!schema) return [];
    const check = this.#checks.get(key) ?? z.fromJSONSchema(this.#closed(schema) as never);
    this.#checks.set(key, check);
    const issues = check.safeParse(body).error?.issues ?? [];
    return [...new Set(issues.map(({ path, message }) => `${pathText(path)}: ${message}`))];
  }

  #responseSchema(operation: string, status: number): Json | undefined {
    const [, { content } = {}] = this.#responses(operation).find(([one]) => one === status) ?? [];
    return Object.values((content ?? {}) as Record<string, { schema: Json }>)[0]?.schema;
  }

  #fields(schema: Json, place = "$", wanted: (field: Json) => boolean = () => true): InterfaceField[] {
    const { properties = {}, items } = resolved(this.document, schema) as { properties?: Record<string, Json>; items?: Json };
    const own = Object.entries(properties)
      .map(([name, field]) => [`${place}.${name}`, resolved(this.document, field)] as const)
      .filter(([, field]) => wanted(field));
    return [
      ...own.flatMap(([path, field]) => {
        const type = [field["type"]].flat()[0] as string;
        const item = resolved(this.document, (field["items"] ?? {}) as Json);
        return [{ path, type, values: [...values(field), ...values(item)] }, ...this.#fields(field, path)];
      }),
      ...(items ? this.#fields(items, `${place}[*]`) : []),
    ];
  }

  /** The schema without references, in which an object has no other fields. */
  #closed(schema: Json): Json {
    const { properties, items, description: _, ...rest } = resolved(this.document, schema);
    const inner = Object.entries((properties ?? {}) as Record<string, Json>).map(([name, field]) => [name, this.#closed(field)]);
    return {
      ...rest,
      ...(properties !== undefined && { properties: Object.fromEntries(inner), additionalProperties: false }),
      ...(items !== undefined && { items: this.#closed(items as Json) }),
    };
  }
}

const pathText = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[*]` : `${text}.${String(key)}`), "$");

/** Reads this package's document, or another one. */
export function loadInterface(file: URL = new URL("../../interface/fleet.openapi.json", import.meta.url)): InterfaceDocument {
  return new InterfaceDocument(JSON.parse(readFileSync(file, "utf8")));
}
