import { type FieldMetadata, metadataOf } from "@fleetwire/core";
import type * as z from "zod";

/** Which protections a user asked for. */
export interface Protection {
  /** Whereabouts on private journeys are withheld. */
  withholds: boolean;
  /** Drivers' names are replaced by pseudonyms. */
  hidesNames: boolean;
}

/** What is done to the values of a schema. Where nothing protects them that is `nothing`, so that what need not be looked at is not looked at. */
export type Plan =
  | { kind: "nothing" }
  /** The name of a person, or a text that may happen to be one. */
  | { kind: "text"; isPerson: boolean }
  /** What no schema describes. */
  | { kind: "undocumented" }
  | { kind: "list"; item: Plan }
  | { kind: "oneOf"; options: readonly Plan[] }
  | RecordPlan;

export interface RecordPlan {
  kind: "record";
  fields: Map<string, Plan>;
  /** Of fields that the shape does not name. */
  others: Plan;
  /** Whether any name of a field is as good as another, so that none is undocumented. */
  isMap: boolean;
  /** Fields that say that the journey is private, with the value that says so. */
  guards: [field: string, value: boolean][];
  /** The fields that are withheld then, each without a value. */
  withheld: Record<string, undefined>;
  /** The other fields that have to be looked at; undefined where each has. */
  inner: readonly string[] | undefined;
}

const NOTHING: Plan = { kind: "nothing" };

interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
  options?: readonly z.core.$ZodType[];
  items?: readonly z.core.$ZodType[];
  rest?: z.core.$ZodType | null;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  out?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
}

/** The schemas that a schema is made of, but for the fields of its own record. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { innerType, element, valueType, options = [], items = [], rest, left, right, out, getter } = schema._zod.def as Definition;
  const parts = [innerType, element, valueType, ...options, ...items, rest, left, right, out, getter?.()];
  return parts.flatMap((part) => part ?? []);
}

/**
 * What a field's schema and every schema that it is made of say, down to its own records. Facts of a part hold for the whole field here, so that none is lost
 * in a union, a map, a tuple or a lazy schema.
 */
function factsWithin(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): FieldMetadata[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const own = metadataOf(schema);
  return [...(own ? [own] : []), ...partsOf(schema).flatMap((part) => factsWithin(part, seen))];
}

/** Types whose values hold no text. */
const TEXTLESS = new Set(["number", "int", "boolean", "bigint", "null", "undefined", "void", "nan", "date", "never"]);
const TEXTS = new Set(["string", "enum", "literal", "template_literal"]);

/** Whether a schema has a guard anywhere. */
function holdsGuard(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (metadataOf(schema)?.guard !== undefined) return true;
  const { shape = {} } = schema._zod.def as Definition;
  return [...partsOf(schema), ...Object.values(shape)].some((inner) => holdsGuard(inner, seen));
}

class Compiler {
  readonly #protection: Protection;
  readonly #isGuarded: boolean;
  // A shape may hold itself.
  readonly #records = new Map<z.core.$ZodType, RecordPlan>();

  constructor(protection: Protection, isGuarded: boolean) {
    this.#protection = protection;
    this.#isGuarded = protection.withholds && isGuarded;
  }

  /** The plan of a schema; `facts` are those of the field that it describes. */
  planOf(schema: z.core.$ZodType, facts: FieldMetadata | undefined): Plan {
    const definition = schema._zod.def as Definition;
    const { type, innerType, element, valueType, shape, options, items, rest, left, right, out, getter } = definition;
    if (shape) return this.#recordOf(schema, shape);
    if (element) return this.#listOf([element], facts);
    if (items) return this.#listOf([...items, ...(rest ? [rest] : [])], facts);
    if (type === "record" && valueType) return this.#mapOf(this.planOf(valueType, metadataOf(valueType) ?? facts));
    const only = innerType ?? out ?? getter?.();
    if (only) return this.planOf(only, facts);
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
    // What it is a list by may be names.
    if (others.kind === "nothing" && !this.#protection.hidesNames) return NOTHING;
    return { kind: "record", fields: new Map(), others, isMap: true, guards: [], withheld: {}, inner: undefined };
  }

  #recordOf(schema: z.core.$ZodType, shape: Readonly<Record<string, z.core.$ZodType>>): Plan {
    const known = this.#records.get(schema);
    if (known) return known;
    const { withholds, hidesNames } = this.#protection;
    const others: Plan = hidesNames ? { kind: "undocumented" } : NOTHING;
    const plan: RecordPlan = { kind: "record", fields: new Map(), others, isMap: false, guards: [], withheld: {}, inner: undefined };
    this.#records.set(schema, plan);
    for (const [name, field] of Object.entries(shape)) {
      plan.fields.set(name, this.planOf(field, metadataOf(field)));
      if (!withholds) continue;
      const facts = factsWithin(field);
      if (facts.some(({ withheld }) => withheld)) plan.withheld[name] = undefined;
      const guard = facts.find(({ guard }) => guard !== undefined)?.guard;
      if (guard !== undefined) plan.guards.push([name, guard]);
    }
    if (hidesNames) return plan;
    plan.inner = [...plan.fields].flatMap(([name, { kind }]) => (kind === "nothing" ? [] : [name]));
    // Below a guard each record is looked at, for fields that its shape does not name.
    return !this.#isGuarded && plan.inner.length === 0 && Object.keys(plan.withheld).length === 0 ? NOTHING : plan;
  }
}

/** Compiles the facts of a schema's fields, all the way down, into what has to be done to its values. */
export function compilePlan(schema: z.core.$ZodType, protection: Protection): Plan {
  return new Compiler(protection, holdsGuard(schema)).planOf(schema, metadataOf(schema));
}

/** Whether values may hold texts that no schema describes, so that any name may stand in them. */
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
