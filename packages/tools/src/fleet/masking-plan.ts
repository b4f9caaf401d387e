import { type FieldMetadata, type Measure, metadataOf } from "@fleetwire/core";
import { definitionOf, nestedSchemas, plausibleRange } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { JourneyKey } from "./private-journeys.ts";

/** The protections in effect. */
export interface Protection {
  /** Withhold whereabouts on private journeys. */
  withholds: boolean;
  /** Replace drivers' names with pseudonyms. */
  hidesNames: boolean;
}

/** How to mask the values of a schema. `nothing` means that no protection applies, so they need not be visited. */
export type Plan =
  | { kind: "nothing" }
  /** A documented string: a person's name if `isPerson`, otherwise any text. */
  | { kind: "text"; isPerson: boolean }
  /** A value without a schema. */
  | { kind: "undocumented" }
  | { kind: "list"; item: Plan }
  | { kind: "oneOf"; options: readonly Plan[] }
  | RecordPlan;

export interface RecordPlan {
  kind: "record";
  fields: Map<string, Plan>;
  /** The plan for fields that the shape does not define. */
  others: Plan;
  /** Whether the record is a map. Any key is allowed in a map, so no field counts as undocumented. */
  isMap: boolean;
  /** Fields that mark a journey as private, each with the value that does so. */
  guards: [field: string, value: boolean][];
  /** Fields that identify the vehicle or driver, whose journey may be private. */
  journeys: [field: string, key: JourneyKey][];
  /** The fields withheld on a private journey, each set to undefined. */
  withheld: Record<string, undefined>;
  /** The fields with bounds. */
  ranges: [field: string, range: Measure][];
  /** The fields of each point: latitude and longitude. */
  points: [latitude: string, longitude: string][];
  /** The fields whose values must be visited; undefined for all. */
  inner: readonly string[] | undefined;
}

const NOTHING: Plan = { kind: "nothing" };

/**
 * Collects the metadata of a field's schema and of every schema inside it, except nested objects. Metadata of any part applies to the whole
 * field, so that none is lost in a union, map, tuple or lazy schema.
 */
function factsWithin(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): FieldMetadata[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const own = metadataOf(schema);
  return [...(own ? [own] : []), ...nestedSchemas(schema).flatMap((part) => factsWithin(part, seen))];
}

/** Types whose values cannot contain text. */
const TEXTLESS = new Set(["number", "int", "boolean", "bigint", "null", "undefined", "void", "nan", "date", "never"]);
const TEXTS = new Set(["string", "enum", "literal", "template_literal"]);

/** Whether the metadata of any part of a schema has one of these facts. */
function holdsFact(schema: z.core.$ZodType, facts: readonly (keyof FieldMetadata)[], seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const own = metadataOf(schema);
  if (facts.some((fact) => own?.[fact] !== undefined)) return true;
  const { shape = {} } = definitionOf(schema);
  return [...nestedSchemas(schema), ...Object.values(shape)].some((inner) => holdsFact(inner, facts, seen));
}

/** Whether live positions decide what is withheld from values of this schema. */
export const needsJourneys = (schema: z.core.$ZodType): boolean => holdsFact(schema, ["journeyOf"]);

const emptyRecord = (others: Plan): RecordPlan => ({
  kind: "record",
  fields: new Map(),
  others,
  isMap: false,
  guards: [],
  journeys: [],
  withheld: {},
  ranges: [],
  points: [],
  inner: undefined,
});

/** Returns the fields of a shape that have bounds, and its points: each latitude with the longitude that follows it. */
function rangesIn(shape: Readonly<Record<string, z.core.$ZodType>>): Pick<RecordPlan, "ranges" | "points"> {
  const facts = Object.entries(shape).flatMap(([field, schema]) => {
    const metadata = metadataOf(schema);
    const range = metadata && plausibleRange(metadata);
    return range ? [{ field, holds: metadata.holds, range }] : [];
  });
  const held = (kind: string) => facts.flatMap(({ field, holds }) => (holds === kind ? [field] : []));
  const longitudes = held("longitude");
  return {
    ranges: facts.map(({ field, range }) => [field, range]),
    points: held("latitude").flatMap((latitude, at) => (longitudes[at] === undefined ? [] : [[latitude, longitudes[at]]])),
  };
}

class Compiler {
  readonly #protection: Protection;
  readonly #isGuarded: boolean;
  // Plans by schema, because schemas may be recursive.
  readonly #records = new Map<z.core.$ZodType, RecordPlan>();

  constructor(protection: Protection, isGuarded: boolean) {
    this.#protection = protection;
    this.#isGuarded = protection.withholds && isGuarded;
  }

  /** Returns the plan for a schema; `facts` is the metadata of the field that the schema describes. */
  planOf(schema: z.core.$ZodType, facts: FieldMetadata | undefined): Plan {
    const definition = definitionOf(schema);
    const { type, innerType, element, valueType, shape, options, items, rest, left, right, out, getter } = definition;
    if (shape) return this.#recordOf(schema, shape);
    if (element) return this.#listOf([element], facts);
    if (items) return this.#listOf([...items, ...(rest ? [rest] : [])], facts);
    if (type === "record" && valueType) return this.#mapOf(this.planOf(valueType, metadataOf(valueType) ?? facts));
    const only = innerType ?? out ?? getter?.();
    if (only) return this.planOf(only, facts ?? metadataOf(only));
    const several = options ?? (left && right ? [left, right] : undefined);
    if (several) return this.#oneOf(several, facts);
    if (!this.#protection.hidesNames || TEXTLESS.has(type)) return NOTHING;
    return TEXTS.has(type) && facts ? { kind: "text", isPerson: facts.holds === "person" } : { kind: "undocumented" };
  }

  #oneOf(schemas: readonly z.core.$ZodType[], facts: FieldMetadata | undefined): Plan {
    const options = schemas.map((schema) => this.planOf(schema, metadataOf(schema) ?? facts)).filter(({ kind }) => kind !== "nothing");
    const [first = NOTHING] = options;
    return options.length < 2 ? first : { kind: "oneOf", options };
  }

  #listOf(schemas: readonly z.core.$ZodType[], facts: FieldMetadata | undefined): Plan {
    const item = this.#oneOf(schemas, facts);
    return item.kind === "nothing" ? NOTHING : { kind: "list", item };
  }

  #mapOf(others: Plan): Plan {
    // The keys may be names.
    if (others.kind === "nothing" && !this.#protection.hidesNames) return NOTHING;
    return { ...emptyRecord(others), isMap: true };
  }

  #recordOf(schema: z.core.$ZodType, shape: Readonly<Record<string, z.core.$ZodType>>): Plan {
    const known = this.#records.get(schema);
    if (known) return known;
    const { withholds, hidesNames } = this.#protection;
    const plan = emptyRecord(hidesNames ? { kind: "undocumented" } : NOTHING);
    Object.assign(plan, rangesIn(shape));
    this.#records.set(schema, plan);
    for (const [name, field] of Object.entries(shape)) {
      plan.fields.set(name, this.planOf(field, metadataOf(field)));
      if (!withholds) continue;
      const facts = factsWithin(field);
      if (facts.some(({ withheld }) => withheld)) plan.withheld[name] = undefined;
      const guard = facts.find(({ guard }) => guard !== undefined)?.guard;
      if (guard !== undefined) plan.guards.push([name, guard]);
      const key = facts.find(({ journeyOf }) => journeyOf !== undefined);
      if (key?.journeyOf) plan.journeys.push([name, key.holds === "registration" ? "registration" : key.journeyOf]);
    }
    if (hidesNames) return plan;
    plan.inner = [...plan.fields].flatMap(([name, { kind }]) => (kind === "nothing" ? [] : [name]));
    // In a guarded schema, every record is visited, because undocumented fields must be dropped on private journeys.
    return !this.#isGuarded && plan.inner.length === 0 && Object.keys(plan.withheld).length === 0 && plan.ranges.length === 0
      ? NOTHING
      : plan;
  }
}

/** Compiles the metadata of a schema's fields, at any depth, into a plan for masking its values. */
export function compilePlan(schema: z.core.$ZodType, protection: Protection): Plan {
  return new Compiler(protection, holdsFact(schema, ["guard", "journeyOf"])).planOf(schema, metadataOf(schema));
}

/** Whether values may contain undocumented strings, and therefore names. */
export function holdsUndocumented(plan: Plan, seen = new Set<Plan>()): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  switch (plan.kind) {
    case "undocumented":
      return true;
    case "list":
      return holdsUndocumented(plan.item, seen);
    case "oneOf":
      return plan.options.some((option) => holdsUndocumented(option, seen));
    case "record":
      return [...plan.fields.values()].some((field) => holdsUndocumented(field, seen));
    default:
      return false;
  }
}
