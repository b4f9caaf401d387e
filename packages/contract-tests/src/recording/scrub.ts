import { ApiError, metadataOf, type Operation, requestFields, type Sensitivity } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { isFieldName } from "../fixtures/fixture.ts";
import { isKept, mayBeKept } from "./value-kinds.ts";

type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** What takes the place of a value; its path is for whoever only checks. */
interface Replacement {
  of<Value extends string | number>(value: Value, kind: Sensitivity, path: string): Value;
}

/** The schema of a response body. */
export function schemaOf({ name, output }: Operation, status: number, body: unknown): Schema {
  if ((status >= 200 && status < 300) || name === "requestAccessToken") return output;
  return Array.isArray(body) ? z.array(ApiError) : ApiError;
}

/** Replaces every value that is not known to identify nobody, according to each field's metadata. */
export class Scrubber {
  readonly #pseudonyms: Replacement;
  /** Paths of fields whose values were replaced. */
  readonly scrubbed = new Set<string>();
  /** Paths of fields with values of a kind other than the one documented for them. */
  readonly unexpected = new Set<string>();

  constructor(pseudonyms: Replacement) {
    this.#pseudonyms = pseudonyms;
  }

  /** Scrubs a response, using its operation's schema; a value without a schema may be anything. */
  response(value: unknown, schema: Schema | undefined, path = "$"): unknown {
    const kind = schema && metadataOf(schema)?.holds;
    if (kind !== undefined) return this.#value(value, kind, path);
    const { shape, element } = schema ? definitionOf(unwrapSchema(schema)) : {};
    if (Array.isArray(value)) return value.map((item) => this.response(item, element, `${path}[*]`));
    return isRecord(value) ? this.#fields(value, (name) => shape?.[name], path) : this.#value(value, undefined, path);
  }

  #value(value: unknown, kind: Sensitivity | undefined, path: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, kind, `${path}[*]`));
    const isExpected = kind === undefined || !mayBeKept(kind);
    if (isRecord(value)) {
      if (!isExpected) this.unexpected.add(path);
      return this.response(value, undefined, path);
    }
    // Flags and absent values identify nobody; nor does a single digit, unless it is an id or the like.
    if (typeof value !== "string" && typeof value !== "number") return value;
    if (value === "" || (kind !== undefined && isKept(value, kind))) return value;
    if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 10 && (kind === undefined || !isExpected)) return value;
    if (!isExpected) this.unexpected.add(path);
    const replaced = this.#pseudonyms.of(value, isExpected ? (kind ?? "text") : "text", path);
    if (replaced !== value) this.scrubbed.add(path);
    return replaced;
  }

  #fields(record: Json, schemaOfField: (name: string) => Schema | undefined, path: string): Json {
    const entries = Object.entries(record).map(([name, held]) => {
      const schema = schemaOfField(name);
      const shown = schema || isFieldName(name) ? name : this.#pseudonyms.of(name, "text", path);
      return [shown, this.response(held, schema, `${path}.${shown}`)];
    });
    return Object.fromEntries(entries);
  }

  /** Scrubs the fields of a request, using its operation's fields. */
  request(fields: Json, operation: Operation, path: string): Json {
    const described = requestFields(operation);
    return this.#fields(fields, (name) => described[name]?.schema, path);
  }
}
