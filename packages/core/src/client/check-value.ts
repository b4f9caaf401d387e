import type * as z from "zod";

/** What differed from the contract in an answer. */
export type DriftKind = "unknown field" | "unknown enum value" | "wrong type" | "missing required" | "dropped record";

/** One way in which answers differ from the contract; a path such as `$[*].eventType` stands for all records. */
export interface Drift {
  path: string;
  kind: DriftKind;
  count: number;
}

// A hostile answer could otherwise name a new field in every record.
const MAX_DRIFT = 1_000;

export class DriftCollector {
  private readonly found = new Map<string, Drift>();

  add(path: string, kind: DriftKind): void {
    const key = `${kind} ${path}`;
    const known = this.found.get(key);
    if (known) known.count++;
    else if (this.found.size < MAX_DRIFT) this.found.set(key, { path, kind, count: 1 });
  }

  list(): Drift[] {
    return [...this.found.values()];
  }
}

interface FieldCheck {
  name: string;
  path: string;
  required: boolean;
  check: Check;
}

interface ObjectCheck {
  kind: "object";
  path: string;
  fields: FieldCheck[];
  index: Map<string, number>;
  required: number;
}

type Check =
  | { kind: "string" | "number" | "integer" | "int64" | "boolean" | "anything" }
  | { kind: "enum"; values: ReadonlySet<unknown> }
  | { kind: "array"; path: string; item: Check }
  | ObjectCheck;

// biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of some forty shapes, of which the cases below read what is theirs
const definitionOf = (schema: z.core.$ZodType): any => schema._zod.def;

/** Turns a response schema into tables once, so that records are checked in one walk each instead of field by field. */
function compile(schema: z.core.$ZodType, path: string): Check {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "optional":
      return compile(definition.innerType, path);
    case "string":
      return { kind: "string" };
    case "number":
      return { kind: definition.check === "number_format" ? "integer" : "number" };
    case "boolean":
      return { kind: "boolean" };
    case "enum":
      return { kind: "enum", values: new Set(Object.values(definition.entries)) };
    case "union":
      return { kind: "int64" };
    case "unknown":
      return { kind: "anything" };
    case "array":
      return { kind: "array", path: `${path}[*]`, item: compile(definition.element, `${path}[*]`) };
    case "object": {
      const fields = Object.entries(definition.shape as Record<string, z.core.$ZodType>).map(([name, inner]): FieldCheck => {
        const fieldPath = `${path}.${name}`;
        return { name, path: fieldPath, required: definitionOf(inner).type !== "optional", check: compile(inner, fieldPath) };
      });
      return {
        kind: "object",
        path,
        fields,
        index: new Map(fields.map(({ name }, at) => [name, at])),
        required: fields.filter(({ required }) => required).length,
      };
    }
    default:
      throw new TypeError(`A response schema at ${path} is of type ${definition.type}, which responses do not use`);
  }
}

const compiled = new WeakMap<z.core.$ZodType, Check>();

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** State of one walk: what was found, and whether an integer came that a number cannot hold. */
export class Walk {
  readonly drift = new DriftCollector();
  /** Names of 64-bit fields in which JSON.parse lost digits. */
  readonly inexact = new Set<string>();
  /** Whether an integer that lost digits is of the wrong type: nothing more can be done for it. */
  readonly exact: boolean;

  constructor({ exact = false } = {}) {
    this.exact = exact;
  }
}

/** Whether a value may stay where it is. Objects and arrays are mended in place. */
function keep(check: Check, value: unknown, path: string, name: string, walk: Walk): boolean {
  switch (check.kind) {
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "int64":
      if (Number.isSafeInteger(value)) return true;
      if (typeof value === "string") return /^-?\d+$/.test(value);
      if (walk.exact || !Number.isInteger(value)) return false;
      walk.inexact.add(name);
      return true;
    case "boolean":
      return typeof value === "boolean";
    case "enum":
      if (typeof value !== "string") return false;
      if (!check.values.has(value)) walk.drift.add(path, "unknown enum value");
      return true;
    case "anything":
      return true;
    case "array":
      if (!Array.isArray(value)) return false;
      mendArray(check, value, walk);
      return true;
    case "object":
      if (!isRecord(value)) return false;
      mendObject(check, value, walk);
      return true;
  }
}

function mendArray({ item, path }: Extract<Check, { kind: "array" }>, values: unknown[], walk: Walk): void {
  let kept = 0;
  for (const value of values) {
    if (keep(item, value, path, "", walk)) values[kept++] = value;
    else walk.drift.add(path, item.kind === "object" ? "dropped record" : "wrong type");
  }
  values.length = kept;
}

function mendObject(check: ObjectCheck, record: Record<string, unknown>, walk: Walk): void {
  const { fields, index } = check;
  let cursor = 0;
  let required = check.required;
  for (const key in record) {
    // Records mostly come in the order of the schema: look at the next field before asking the map.
    let field = fields[cursor];
    if (field?.name !== key) {
      const at = index.get(key);
      if (at === undefined) {
        walk.drift.add(`${check.path}.${key}`, "unknown field");
        continue;
      }
      cursor = at;
      field = fields[at] as FieldCheck;
    }
    cursor++;
    const value = record[key];
    if (value === null) {
      record[key] = undefined;
    } else if (!keep(field.check, value, field.path, key, walk)) {
      record[key] = undefined;
      walk.drift.add(field.path, "wrong type");
      if (field.required) required--;
    } else if (field.required) {
      required--;
    }
  }
  if (required > 0) {
    for (const field of fields) if (field.required && record[field.name] === undefined) walk.drift.add(field.path, "missing required");
  }
}

/**
 * Checks an answer against its schema and mends it in place: null becomes absent, a field of the wrong type is removed, a record that is no object
 * is left out; unknown fields and values stay. False where the whole has another shape.
 */
export function checkValue(schema: z.core.$ZodType, body: unknown, walk: Walk): boolean {
  let check = compiled.get(schema);
  if (!check) {
    check = compile(schema, "$");
    compiled.set(schema, check);
  }
  if (!keep(check, body, "$", "", walk)) return false;
  if (check.kind !== "object") return true;
  const record = body as Record<string, unknown>;
  return check.fields.every(({ name, required, check: { kind } }) => !required || kind !== "array" || record[name] !== undefined);
}
