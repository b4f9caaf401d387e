import {
  type FleetClient,
  type JsonSchema,
  jsonSchemaOf,
  type LivePosition,
  metadataOf,
  type Operation,
  requestFields,
  type TachoActivityPage,
} from "@fleetwire/core";
import { isOptional } from "@fleetwire/core/internal";
import fc from "fast-check";

type Json = Record<string, unknown>;

/** Values that exist in the deployment, so that calls with them are valid. */
export type KnownValues = Awaited<ReturnType<typeof readKnownValues>>;

const HOUR = 3_600_000;
/** Times of the last days, since there are records in them. */
const PAST_HOURS = 100;
const MOST = 10;

/** Reads a few ids, names and keys; what cannot be read is not varied. */
export async function readKnownValues(fleet: FleetClient, now: number, signal: AbortSignal) {
  const orNone = async <Value>(read: Promise<Value>, none: Value): Promise<Value> => {
    try {
      return await read;
    } catch {
      signal.throwIfAborted();
      return none;
    }
  };
  const positions = await orNone<readonly LivePosition[]>(fleet.listLivePositions({}, { signal }), []);
  const period = { startTime: new Date(now - 24 * HOUR), endTime: new Date(now), limit: MOST };
  const { data = [] } = await orNone<Partial<TachoActivityPage>>(fleet.queryTachoActivity(period, { signal }), {});
  const different = (values: readonly (string | undefined)[], form: RegExp) =>
    [...new Set(values)].filter((value): value is string => value !== undefined && form.test(value)).slice(0, MOST);
  const of = (name: "assetId" | "driverId" | "assetRegistration") => positions.map((position) => position[name]);
  const driverKeys = data.map(({ driverKey }) => driverKey);
  const groupNames = new Map(positions.flatMap(({ assetGroupId: id, assetGroupName: name }) => (id && name ? [[id, name] as const] : [])));
  return {
    vehicles: different(of("assetId"), /^[A-Za-z0-9]+$/),
    drivers: different(of("driverId"), /^[A-Za-z0-9]+$/),
    groups: different([...groupNames.keys()], /^[a-z0-9]{1,24}$/),
    registrations: different(of("assetRegistration"), /^[^,]+$/),
    driverKeys: different(driverKeys, /^.{15,}$/),
    /** The names of groups by their ids. */
    groupNames,
    now,
  };
}

/** Words of several scripts, and what is awkward to encode. */
const WORDS = ["Depot", "Zoë", "Łódź", "北京", "🚚", "a&b=c", "50%", "O'Hara", "x+y", "<b>", '"quoted"', "tab\there"];

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));

const oneOf = <Value>(values: readonly Value[]): fc.Arbitrary<Value> | undefined =>
  values.length === 0 ? undefined : fc.constantFrom(...values);

/** Valid texts for a field, by what it holds and is called. */
function textsFor(name: string, holds: unknown, known: KnownValues): fc.Arbitrary<string> | undefined {
  if (holds === "instant") return fc.integer({ min: 1, max: PAST_HOURS }).map((hours) => new Date(known.now - hours * HOUR).toISOString());
  if (holds === "registration") return oneOf(known.registrations);
  if (holds !== "id") return holds === "text" ? words : undefined;
  if (/^driverKey/.test(name)) return oneOf(known.driverKeys);
  if (/vehicle|asset/i.test(name)) return oneOf(known.vehicles);
  if (/driver|person/i.test(name)) return oneOf(known.drivers);
  return /group/i.test(name) ? oneOf(known.groups) : undefined;
}

interface SchemaParts {
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
}

/** Valid values for a JSON Schema, whose texts are as given; undefined if none is known. */
function ofSchema(schema: JsonSchema, texts: fc.Arbitrary<string> | undefined): fc.Arbitrary<unknown> | undefined {
  const { enum: values, items = {}, properties = {}, minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as SchemaParts;
  if (values) return oneOf(values);
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) });
    case "string":
      return texts;
    case "array": {
      const item = ofSchema(items, texts);
      return item && fc.uniqueArray(item, { minLength: 1, maxLength: 3 });
    }
    case "object": {
      // Such as a field to sort by and its order.
      const listed = Object.entries(properties).filter(([, one]) => one["enum"]);
      const members = listed.flatMap(([name, one]) => ofSchema(one, texts)?.map((value) => ({ [name]: value })) ?? []);
      return members.length > 0 ? fc.oneof(...members) : undefined;
    }
    default:
      return undefined;
  }
}

/** A period begins before it ends. */
function inOrder(input: Json, [start = "", end = ""]: readonly string[] = []): Json {
  const [from, to] = [input[start], input[end]];
  return typeof from === "string" && typeof to === "string" && from > to ? { ...input, [start]: to, [end]: from } : input;
}

/** Valid inputs of an operation, or undefined if a required field has no known values. Of a write, only texts are varied, since other fields have to agree. */
export function inputsOf(operation: Operation, known: KnownValues): fc.Arbitrary<Json> | undefined {
  const fields = Object.entries(requestFields(operation));
  const required = fields.filter(([, { schema }]) => !isOptional(schema)).map(([name]) => name);
  const values = fields.flatMap(([name, { schema }]) => {
    const holds = metadataOf(schema)?.holds;
    if (operation.effect !== "read" && !required.includes(name) && holds !== "text") return [];
    const value = ofSchema(jsonSchemaOf(schema), textsFor(operation.tool?.names?.[name] ?? name, holds, known));
    return value ? [[name, value] as const] : [];
  });
  const record = Object.fromEntries(values);
  if (required.some((name) => !Object.hasOwn(record, name))) return undefined;
  return (fc.record(record, { requiredKeys: required }) as fc.Arbitrary<Json>).map((input) => inOrder(input, operation.tool?.period));
}

/** A field of a request that is made invalid after the client has checked it. */
export interface InvalidField {
  field: string;
  in: "query" | "body";
  /** What is wrong with it, in words. */
  how: string;
  /** Undefined if the field is left out. */
  value?: unknown;
}

/** Values that break what the contract says about a field's values, each with what is wrong with it. */
function wrongValues(schema: JsonSchema, holds: unknown): [how: string, value: unknown][] {
  const { type, enum: values, minimum, maximum, minLength, maxLength, maxItems } = schema;
  if (Array.isArray(values)) return [["a word that is none of its values", "fuzzed"]];
  const wrong: [how: string, value: unknown][] = [];
  if (type === "boolean") wrong.push(["text instead of true or false", "fuzzed"]);
  if (type === "integer") wrong.push(["text instead of a number", "fuzzed"]);
  if (type === "integer" && typeof minimum === "number") wrong.push([`less than ${minimum}`, minimum - 1]);
  if (type === "integer" && typeof maximum === "number") wrong.push([`more than ${maximum}`, maximum + 1]);
  // The contract may leave open how a time is written.
  if (type === "string" && holds === "instant" && ("pattern" in schema || "format" in schema))
    wrong.push(["text instead of a time", "fuzzed"]);
  if (type === "string" && typeof maxLength === "number") wrong.push([`more than ${maxLength} characters`, "x".repeat(maxLength + 1)]);
  if (type === "string" && minLength === 1) wrong.push(["empty", ""]);
  if (type === "array" && typeof maxItems === "number") wrong.push([`more than ${maxItems} entries`, Array(maxItems + 1).fill({})]);
  return wrong;
}

/** Every way in which a request of an operation is made invalid. */
export function invalidFieldsOf(operation: Operation): InvalidField[] {
  return Object.entries(requestFields(operation)).flatMap(([field, { in: place, schema }]) => {
    if (place === "path") return [];
    const wrong = wrongValues(jsonSchemaOf(schema), metadataOf(schema)?.holds).map(([how, value]) => ({ field, in: place, how, value }));
    return isOptional(schema) ? wrong : [...wrong, { field, in: place, how: "left out" }];
  });
}

/** A request with the field made invalid. */
export function withInvalid(url: string, init: RequestInit, { in: place, field, value }: InvalidField): [url: string, init: RequestInit] {
  if (place === "query") {
    const changed = new URL(url);
    if (value === undefined) changed.searchParams.delete(field);
    else changed.searchParams.set(field, String(value));
    return [changed.href, init];
  }
  // JSON leaves out what is undefined.
  return [url, { ...init, body: JSON.stringify({ ...JSON.parse(String(init.body)), [field]: value }) }];
}
