import { ApiError, isRecord, metadataOf, type Operation, requestFields, type Sensitivity, unwrapSchema } from "@fleetwire/core";
import * as z from "zod";
import { isFieldName } from "../fixtures/fixture.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { isOfKind, isTelling } from "./value-kinds.ts";

type Json = Record<string, unknown>;

interface Inside {
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
}

const insideOf = (schema: z.core.$ZodType | undefined): Inside => (schema?._zod.def ?? {}) as Inside;

/** What the body of an answer is read by. */
export function schemaOf({ name, output }: Operation, status: number, body: unknown): z.core.$ZodType {
  if ((status >= 200 && status < 300) || name === "requestAccessToken") return output;
  return Array.isArray(body) ? z.array(ApiError) : ApiError;
}

/** Puts pseudonyms in the place of what tells of people, vehicles and places, as the facts of each field say. */
export class Scrubber {
  readonly #pseudonyms: Pseudonyms;
  /** Fields that show pseudonyms, by their places. */
  readonly scrubbed = new Set<string>();
  /** What was not of the kind that its field is said to hold, by its place. */
  readonly odd: { place: string; value: unknown }[] = [];

  constructor(pseudonyms: Pseudonyms) {
    this.#pseudonyms = pseudonyms;
  }

  #value(value: unknown, kind: Sensitivity, place: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, kind, `${place}[]`));
    if (!isTelling(kind)) {
      if (isOfKind(value, kind)) return this.#pseudonyms.shown(value, kind);
      this.odd.push({ place, value });
      return this.#unknown(value, place);
    }
    if (isRecord(value)) return this.#unknown(value, place);
    const changed =
      typeof value === "string"
        ? this.#pseudonyms.text(value, kind)
        : typeof value === "number"
          ? this.#pseudonyms.number(value, kind)
          : value;
    if (changed !== value) this.scrubbed.add(place);
    return changed;
  }

  /** A value that no schema describes: whatever could be somebody's is taken for it. */
  #unknown(value: unknown, place: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#unknown(item, `${place}[]`));
    if (isRecord(value)) {
      const entries = Object.entries(value).map(([name, inner]) => {
        const shown = isFieldName(name) ? name : this.#pseudonyms.text(name, "text");
        return [shown, this.#unknown(inner, place === "" ? shown : `${place}.${shown}`)];
      });
      return Object.fromEntries(entries);
    }
    if (typeof value !== "number") return this.#value(value, "text", place);
    // A digit is nobody's; what has a fraction could be half of a point on the map.
    if (Number.isInteger(value)) return Math.abs(value) >= 10 ? this.#value(value, "serial", place) : value;
    return this.#value(value, Math.abs(value) <= 180 ? "latitude" : "serial", place);
  }

  /** An answer that is no JSON. */
  text(value: string, place: string): string {
    return String(this.#value(value, "text", place));
  }

  /** A response, by the schema of its operation. */
  answer(value: unknown, schema: z.core.$ZodType, place = ""): unknown {
    const facts = metadataOf(schema);
    if (facts) return this.#value(value, facts.holds, place);
    const { shape, element } = insideOf(unwrapSchema(schema));
    if (Array.isArray(value) && element) return value.map((item) => this.answer(item, element, `${place}[]`));
    return isRecord(value) && shape ? this.#fields(value, (name) => shape[name], place) : this.#unknown(value, place);
  }

  #fields(record: Json, schemaOfField: (name: string) => z.core.$ZodType | undefined, place: string): Json {
    const entries = Object.entries(record).flatMap(([name, held]) => {
      const schema = schemaOfField(name);
      if (!schema) return Object.entries(this.#unknown({ [name]: held }, place) as Json);
      return [[name, this.answer(held, schema, place === "" ? name : `${place}.${name}`)]];
    });
    return Object.fromEntries(entries);
  }

  /** The fields of a request, by those of its operation. */
  request(fields: Json, operation: Operation, place: string): Json {
    const described = requestFields(operation);
    return this.#fields(fields, (name) => described[name]?.schema, place);
  }
}
