import { type FieldMetadata, type Measure, metadataOf } from "@fleetwire/core";
import { definitionOf, nestedSchemas, plausibleRange } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { JourneyKey } from "./private-journeys.ts";
import type { SpanFields } from "./spans.ts";

type Schema = z.core.$ZodType;
type Shape = Readonly<Record<string, Schema>>;

/** The protections in effect. */
export interface Protection {
  /** Withhold whereabouts on private journeys. */
  withholds: boolean;
  /** Withhold all places of the past. */
  hidesPast: boolean;
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
  /** The fields that hold when the record began, when it ended, and whether it is in progress; undefined if it has none of these. */
  span: SpanFields | undefined;
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
 * Collects the metadata of a schema and of every schema inside it, including the fields of objects only `withFields`. Metadata of any part of a
 * field applies to the whole field, so that none is lost in a union, map, tuple or lazy schema.
 */
function factsIn(schema: Schema, withFields: boolean, seen = new Set<Schema>()): FieldMetadata[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const fields = withFields ? Object.values(definitionOf(schema).shape ?? {}) : [];
  const inner = [...nestedSchemas(schema), ...fields].flatMap((part) => factsIn(part, withFields, seen));
  const own = metadataOf(schema);
  return own ? [own, ...inner] : inner;
}

/** Types whose values cannot contain text. */
const TEXTLESS = new Set(["number", "int", "boolean", "bigint", "null", "undefined", "void", "nan", "date", "never"]);
const TEXTS = new Set(["string", "enum", "literal", "template_literal"]);

const emptyRecord = (others: Plan): RecordPlan => ({
  kind: "record",
  fields: new Map(),
  others,
  isMap: false,
  guards: [],
  journeys: [],
  span: undefined,
  withheld: {},
  ranges: [],
  points: [],
  inner: undefined,
});

/** Returns the fields of a shape that have bounds, and its points: each latitude with the longitude that follows it. */
function rangesIn(shape: Shape): Pick<RecordPlan, "ranges" | "points"> {
  const ranges: RecordPlan["ranges"] = [];
  const [latitudes, longitudes]: [string[], string[]] = [[], []];
  for (const [field, schema] of Object.entries(shape)) {
    const metadata = metadataOf(schema);
    const range = metadata && plausibleRange(metadata);
    if (!range) continue;
    ranges.push([field, range]);
    if (metadata.holds === "latitude") latitudes.push(field);
    if (metadata.holds === "longitude") longitudes.push(field);
  }
  return { ranges, points: latitudes.flatMap((latitude, at) => (longitudes[at] === undefined ? [] : [[latitude, longitudes[at]]])) };
}

/** Returns the fields of a shape that say when a record took place. */
function spanIn(shape: Shape): SpanFields | undefined {
  const fieldOf = (what: FieldMetadata["spans"]) => Object.keys(shape).find((field) => metadataOf(shape[field] as Schema)?.spans === what);
  const [start, end, open] = [fieldOf("start"), fieldOf("end"), fieldOf("open")];
  if (start === undefined || end === undefined) return undefined;
  return open === undefined ? [start, end] : [start, end, open];
}

/** How to mask the values of a schema, and what has to be read first. */
export interface CompiledPlan {
  plan: Plan;
  /** Whether values may contain undocumented strings, and therefore names, so that the drivers' names should be read. */
  needsNames: boolean;
  /** Whether live positions decide what is withheld. */
  needsJourneys: boolean;
}

/** Compiles the metadata of a schema's fields, at any depth, into a plan for masking its values. */
export function compilePlan(schema: Schema, { withholds, hidesPast, hidesNames }: Protection): CompiledPlan {
  const allFacts = withholds || hidesPast ? factsIn(schema, true) : [];
  const hasJourneys = allFacts.some(({ journeyOf }) => journeyOf !== undefined);
  const needsJourneys = withholds && hasJourneys;
  const isGuarded = hasJourneys || (withholds && allFacts.some(({ guard }) => guard !== undefined));
  // Plans by schema, because schemas may be recursive.
  const records = new Map<Schema, RecordPlan>();
  let needsNames = false;

  /** Returns the plan for a schema; `facts` is the metadata of the field that the schema describes. */
  function planOf(schema: Schema, facts: FieldMetadata | undefined): Plan {
    const { type, shape, element, items } = definitionOf(schema);
    if (shape) return recordOf(schema, shape);
    const parts = nestedSchemas(schema);
    const [only] = parts;
    if (element || items) return listOf(oneOf(parts, facts));
    if (only && type === "record") return mapOf(planOf(only, metadataOf(only) ?? facts));
    if (only) return parts.length === 1 ? planOf(only, facts ?? metadataOf(only)) : oneOf(parts, facts);
    if (!hidesNames || TEXTLESS.has(type)) return NOTHING;
    if (TEXTS.has(type) && facts) return { kind: "text", isPerson: facts.holds === "person" };
    needsNames = true;
    return { kind: "undocumented" };
  }

  function oneOf(schemas: readonly Schema[], facts: FieldMetadata | undefined): Plan {
    const options = schemas.map((schema) => planOf(schema, metadataOf(schema) ?? facts)).filter(({ kind }) => kind !== "nothing");
    const [first = NOTHING] = options;
    return options.length < 2 ? first : { kind: "oneOf", options };
  }

  const listOf = (item: Plan): Plan => (item.kind === "nothing" ? NOTHING : { kind: "list", item });

  // The keys may be names.
  const mapOf = (others: Plan): Plan => (others.kind === "nothing" && !hidesNames ? NOTHING : { ...emptyRecord(others), isMap: true });

  function recordOf(schema: Schema, shape: Shape): Plan {
    const existing = records.get(schema);
    if (existing) return existing;
    const span = withholds || hidesPast ? spanIn(shape) : undefined;
    const plan = { ...emptyRecord(hidesNames ? { kind: "undocumented" } : NOTHING), ...rangesIn(shape), span };
    records.set(schema, plan);
    for (const [name, field] of Object.entries(shape)) {
      plan.fields.set(name, planOf(field, metadataOf(field)));
      if (!withholds && !(hidesPast && span)) continue;
      const facts = factsIn(field, false);
      if (facts.some(({ withheld }) => withheld)) plan.withheld[name] = undefined;
      const guard = facts.find(({ guard }) => guard !== undefined)?.guard;
      if (withholds && guard !== undefined) plan.guards.push([name, guard]);
      const key = facts.find(({ journeyOf }) => journeyOf !== undefined);
      if (withholds && key?.journeyOf) plan.journeys.push([name, key.holds === "registration" ? "registration" : key.journeyOf]);
    }
    if (hidesNames) return plan;
    plan.inner = [...plan.fields].flatMap(([name, { kind }]) => (kind === "nothing" ? [] : [name]));
    // In a guarded schema, every record is visited, because undocumented fields must be dropped on private journeys.
    return !isGuarded && plan.inner.length === 0 && Object.keys(plan.withheld).length === 0 && plan.ranges.length === 0 ? NOTHING : plan;
  }

  return { plan: planOf(schema, metadataOf(schema)), needsNames, needsJourneys };
}
