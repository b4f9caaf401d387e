import { type JsonSchema, jsonSchemaOf, metadataOf, type Operation, requestFields } from "@fleetwire/core";
import { isOptional } from "@fleetwire/core/internal";
import fc from "fast-check";
import type { KnownValues } from "./known-values.ts";

type Json = Record<string, unknown>;

const HOUR = 3_600_000;
/** Times of the last days, since there are records in them. */
const PAST_HOURS = 100;

/** Words of several scripts, and what is awkward to encode. */
const WORDS = ["Depot", "Zoë", "Łódź", "北京", "🚚", "a&b=c", "50%", "O'Hara", "x+y", "<b>", '"quoted"', "tab\there"];

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));

/** The values that exist for a field that holds an id, by what it is called. */
function idsFor(name: string, known: KnownValues): string[] {
  if (/^driverKey/.test(name)) return known.driverKeys;
  if (/vehicle|asset/i.test(name)) return known.vehicles;
  if (/driver|person/i.test(name)) return known.drivers;
  return /group/i.test(name) ? known.groups.map(({ id }) => id) : [];
}

const oneOf = <Value>(values: readonly Value[]): fc.Arbitrary<Value> | undefined =>
  values.length === 0 ? undefined : fc.constantFrom(...values);

const timesBefore = (now: Date) =>
  fc.integer({ min: 1, max: PAST_HOURS }).map((hours) => new Date(now.getTime() - hours * HOUR).toISOString());

/** Valid values for a JSON Schema, whose texts are as given; undefined if none is known. */
function ofSchema(schema: JsonSchema, texts: fc.Arbitrary<string> | undefined): fc.Arbitrary<unknown> | undefined {
  const { enum: values, items = {}, properties = {}, minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as SchemaParts;
  if (values) return oneOf(values);
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) });
    case "array": {
      const item = ofSchema(items, texts);
      return item && fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
    }
    case "object": {
      // Such as a field to sort by and its order.
      const members = Object.entries(properties).flatMap(([name, one]) =>
        one["enum"] ? [ofSchema(one, texts)?.map((value) => ({ [name]: value })) ?? []] : [],
      );
      return members.length > 0 ? fc.oneof(...(members as fc.Arbitrary<Json>[])) : undefined;
    }
    default:
      return schema["type"] === "string" ? texts : undefined;
  }
}

interface SchemaParts {
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
}

/** A period begins before it ends. */
function inOrder(input: Json, [start = "", end = ""]: readonly string[] = []): Json {
  const [from, to] = [input[start], input[end]];
  return typeof from === "string" && typeof to === "string" && from > to ? { ...input, [start]: to, [end]: from } : input;
}

/** Valid inputs of an operation, or undefined if a required field has no known values. Of a write, only texts are varied, since other fields have to agree. */
export function inputsOf(operation: Operation, known: KnownValues): fc.Arbitrary<Json> | undefined {
  const textsFor = (name: string, holds: unknown) => {
    if (holds === "instant") return timesBefore(known.now);
    if (holds === "registration") return oneOf(known.registrations);
    if (holds === "id") return oneOf(idsFor(operation.tool?.names?.[name] ?? name, known));
    return holds === "text" ? words : undefined;
  };
  const fields = Object.entries(requestFields(operation));
  const required = fields.filter(([, { schema }]) => !isOptional(schema)).map(([name]) => name);
  const values = fields.flatMap(([name, { schema }]) => {
    const holds = metadataOf(schema)?.holds;
    if (operation.effect !== "read" && !required.includes(name) && holds !== "text") return [];
    const value = ofSchema(jsonSchemaOf(schema), textsFor(name, holds));
    return value ? [[name, value] as const] : [];
  });
  const record = Object.fromEntries(values);
  if (required.some((name) => !Object.hasOwn(record, name))) return undefined;
  return (fc.record(record, { requiredKeys: required }) as fc.Arbitrary<Json>).map((input) => inOrder(input, operation.tool?.period));
}
