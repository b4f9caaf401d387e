import { ApiError, metadataOf, type Operation, requestFields, type Sensitivity } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { isFieldName } from "../fixtures/fixture.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { isOfKind, isSensitive } from "./value-kinds.ts";

type Json = Record<string, unknown>;

/** The schema of a response body. */
export function schemaOf({ name, output }: Operation, status: number, body: unknown): z.core.$ZodType {
  if ((status >= 200 && status < 300) || name === "requestAccessToken") return output;
  return Array.isArray(body) ? z.array(ApiError) : ApiError;
}

/** Replaces personal data about people, vehicles and places with pseudonyms, according to each field's metadata. */
export class Scrubber {
  readonly #pseudonyms: Pseudonyms;
  /** Paths of fields that contain pseudonyms. */
  readonly scrubbed = new Set<string>();
  /** Values of a kind other than the one documented for their field. */
  readonly unexpected: { path: string; value: unknown }[] = [];

  constructor(pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms;
  }

  #value(value: unknown, kind: Sensitivity, path: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, kind, `${path}[]`));
    if (!isSensitive(kind)) {
      if (isOfKind(value, kind)) return this.#pseudonyms.shown(value, kind);
      this.unexpected.push({ path, value });
      return this.#unknown(value, path);
    }
    if (isRecord(value)) return this.#unknown(value, path);
    const changed =
      typeof value === "string"
        ? this.#pseudonyms.text(value, kind)
        : typeof value === "number"
          ? this.#pseudonyms.number(value, kind)
          : value;
    if (changed !== value) this.scrubbed.add(path);
    return changed;
  }

  /** Scrubs a value without a schema: anything that could be personal is treated as personal. */
  #unknown(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#unknown(item, `${path}[]`));
    if (isRecord(value)) {
      const entries = Object.entries(value).map(([name, inner]) => {
        const shown = isFieldName(name) ? name : this.#pseudonyms.text(name, "text");
        return [shown, this.#unknown(inner, path === "" ? shown : `${path}.${shown}`)];
      });
      return Object.fromEntries(entries);
    }
    if (typeof value !== "number") return this.#value(value, "text", path);
    // A single digit is harmless; a fraction could be a coordinate.
    if (Number.isInteger(value)) return Math.abs(value) >= 10 ? this.#value(value, "serial", path) : value;
    return this.#value(value, Math.abs(value) <= 180 ? "latitude" : "serial", path);
  }

  /** Scrubs a response that is not JSON. */
  text(value: string, path: string): string {
    return String(this.#value(value, "text", path));
  }

  /** Scrubs a response body, using its operation's schema. */
  response(value: unknown, schema: z.core.$ZodType, path = ""): unknown {
    const metadata = metadataOf(schema);
    if (metadata) return this.#value(value, metadata.holds, path);
    const { shape, element } = definitionOf(unwrapSchema(schema));
    if (Array.isArray(value) && element) return value.map((item) => this.response(item, element, `${path}[]`));
    return isRecord(value) && shape ? this.#fields(value, (name) => shape[name], path) : this.#unknown(value, path);
  }

  #fields(record: Json, schemaOfField: (name: string) => z.core.$ZodType | undefined, path: string): Json {
    const entries = Object.entries(record).flatMap(([name, held]) => {
      const schema = schemaOfField(name);
      if (!schema) return Object.entries(this.#unknown({ [name]: held }, path) as Json);
      return [[name, this.response(held, schema, path === "" ? name : `${path}.${name}`)]];
    });
    return Object.fromEntries(entries);
  }

  /** Scrubs the fields of a request, using its operation's fields. */
  request(fields: Json, operation: Operation, path: string): Json {
    const described = requestFields(operation);
    return this.#fields(fields, (name) => described[name]?.schema, path);
  }
}
