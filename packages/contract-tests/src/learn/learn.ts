import { metadataOf, type Operation, type OperationName, operations, type Sensitivity } from "@fleetwire/core";
import {
  type DeploymentProfile,
  definitionOf,
  type FactOf,
  isRecord,
  nestedSchemas,
  type ObservedField,
  type ProfileFact,
  unwrapSchema,
} from "@fleetwire/core/internal";
import type * as z from "zod";
import { isFieldName } from "../fixtures/fixture.ts";
import { PeopleNames, ValueCounts } from "./shown-values.ts";
import { Period, Units } from "./units.ts";

type Schema = z.core.$ZodType;

/** The entry of a map, which is added if it is missing. */
function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const entry = map.get(key) ?? create();
  map.set(key, entry);
  return entry;
}

/** Whether the interface names no values of a field, although it has a few. */
function isOpen(schema: Schema): boolean {
  const { element, entries } = definitionOf(unwrapSchema(schema));
  return element ? isOpen(element) : !entries && metadataOf(schema)?.holds === "label";
}

interface OpenField {
  operation: OperationName;
  path: string;
  records: number;
  of: number;
  counts: ValueCounts;
  period: Period;
}

/** Learns the values of documented fields whose values the interface leaves open, such as `status`. */
class OpenValues {
  readonly #fields = new Map<string, OpenField>();
  readonly #people: PeopleNames;

  constructor(people: PeopleNames) {
    this.#people = people;
  }

  add(operation: OperationName, body: unknown, at: number): void {
    const count = (path: string, value: unknown): void => {
      const create = () => ({ operation, path, records: 0, of: 0, counts: new ValueCounts(), period: new Period() });
      const field = entryOf(this.#fields, `${operation} ${path}`, create);
      field.of++;
      field.period.add(at);
      if (value === undefined) return;
      field.records++;
      for (const one of [value].flat()) field.counts.add(one, body);
    };
    const visit = (whole: Schema, value: unknown, path: string): void => {
      const { shape, element } = definitionOf(unwrapSchema(whole));
      if (element && Array.isArray(value)) for (const item of value) visit(element, item, `${path}[*]`);
      if (!shape || !isRecord(value)) return;
      for (const [name, field] of Object.entries(shape)) {
        const held = value[name] ?? undefined;
        const holds = metadataOf(field)?.holds;
        if (holds === "person" || holds === "contact") this.#people.add(held);
        else if (isOpen(field)) count(`${path}.${name}`, held);
        else visit(field, held, `${path}.${name}`);
      }
    };
    visit(operations[operation].output, body, "$");
  }

  facts(): FactOf<"values">[] {
    return [...this.#fields.values()]
      .filter(({ records }) => records > 0)
      .map(({ operation, path, records, of, counts, period }) => {
        return { fact: "values", operation, path, ...counts.shown(this.#people), ...period.evidence(records, of) };
      });
  }
}

const MAX_FIELDS = 400;
const MAX_DEPTH = 8;
const MAX_LISTED = 20;

/** Last words of names of fields that have few values, besides the names of such fields in the contract. */
const FEW_VALUES = /(?:^|_|[a-z])(?:status|type|kind|category|state|severity|level|priority|source|activity)$/i;

/** What the contract's fields of a name hold. A name may be personal in one place only. */
const kindsByName = new Map<string, Set<Sensitivity>>();
function collect(schema: Schema): void {
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    const holds = metadataOf(field)?.holds;
    if (holds) entryOf(kindsByName, name, () => new Set<Sensitivity>()).add(holds);
    collect(field);
  }
  for (const nested of nestedSchemas(schema)) collect(nested);
}
for (const { output } of Object.values<Operation>(operations)) collect(output);

function hasFewValues(name: string): boolean {
  const kinds = kindsByName.get(name);
  return kinds ? [...kinds].every((kind) => kind === "label") : FEW_VALUES.test(name);
}

const isPerson = (name: string) => /name$/i.test(name) || (["person", "contact"] as const).some((kind) => kindsByName.get(name)?.has(kind));

type TypeName = ObservedField["types"][number];

function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as TypeName;
}

interface Shape {
  responses: number;
  /** The number of objects, or lists, at each path. */
  holders: Map<string, number>;
  fields: Map<string, { types: Set<TypeName>; records: number; holder: string; counts: ValueCounts | undefined }>;
  period: Period;
}

const newShape = (): Shape => ({ responses: 0, holders: new Map(), fields: new Map(), period: new Period() });

/** Learns the fields of lists of which the interface documents only the path. */
class ListShapes {
  readonly #shapes = new Map<OperationName, Shape>();
  readonly #people: PeopleNames;

  constructor(people: PeopleNames) {
    this.#people = people;
  }

  /** Remembers the people in the body of a failure, whose fields the interface does not describe. */
  addFailure(body: unknown): void {
    this.#see(newShape(), body);
  }

  add(operation: OperationName, body: unknown, at: number): void {
    const shape = entryOf(this.#shapes, operation, newShape);
    shape.responses++;
    shape.period.add(at);
    this.#see(shape, body);
    shape.holders.set("", shape.responses);
  }

  #see({ fields, holders }: Shape, body: unknown): void {
    const visit = (name: string, path: string, holder: string, value: unknown, depth: number): void => {
      if (depth > MAX_DEPTH || (fields.size >= MAX_FIELDS && !fields.has(path))) return;
      const create = () => ({ types: new Set<TypeName>(), records: 0, holder, counts: hasFewValues(name) ? new ValueCounts() : undefined });
      const field = entryOf(fields, path, create);
      field.records++;
      field.types.add(typeOf(value));
      if (typeof value === "string") field.counts?.add(value, body);
      if (isPerson(name)) this.#people.add(value);
      else if (!field.counts) this.#people.addPossible(value);
      if (!Array.isArray(value) && !isRecord(value)) return;
      holders.set(path, (holders.get(path) ?? 0) + (Array.isArray(value) ? value.length : 1));
      if (Array.isArray(value)) for (const item of value) visit(name, `${path}[*]`, path, item, depth + 1);
      else
        for (const [key, held] of Object.entries(value)) visit(key, `${path}.${isFieldName(key) ? key : "<name>"}`, path, held, depth + 1);
    };
    visit("", "$", "", body, 0);
  }

  #observed({ fields, holders }: Shape): ObservedField[] {
    const observed = [...fields].map(([path, { types, records, holder, counts }]) => {
      const { values = [], withheld = 0 } = counts?.shown(this.#people) ?? {};
      const few = values.length > 0 && values.length <= MAX_LISTED && withheld === 0;
      return { path, types: [...types].sort(), records, of: Math.max(records, holders.get(holder) ?? 0), ...(few && { values }) };
    });
    return observed.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  facts(): FactOf<"shape">[] {
    return [...this.#shapes].map(([operation, shape]) => {
      const evidence = shape.period.evidence(shape.responses, shape.responses);
      return { fact: "shape", operation, fields: this.#observed(shape), ...evidence };
    });
  }
}

/** A call of an operation by any client, and when it was sent, in milliseconds since 1970. */
export interface SeenCall {
  operation: OperationName;
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
  at: number;
}

/** How a deployment resolves what the interface leaves open, as calls show it. Nothing is learned from tokens, and of failures only which names are people's. */
export function profileOf(calls: readonly SeenCall[]): DeploymentProfile {
  const people = new PeopleNames();
  const [values, shapes, units] = [new OpenValues(people), new ListShapes(people), new Units()];
  for (const { operation, status, body, at } of calls) {
    const { undocumented, secretOutput }: Operation = operations[operation];
    if (secretOutput || body === undefined) continue;
    if (status !== 200) shapes.addFailure(body);
    else if (undocumented) shapes.add(operation, body, at);
    else values.add(operation, body, at);
    if (status === 200 && operation === "queryTachoActivity") units.add(body, at);
  }
  const keyOf = (fact: ProfileFact) => [fact.operation, fact.fact, "path" in fact ? fact.path : ""].join(" ");
  const facts = [...values.facts(), ...shapes.facts(), ...units.facts()];
  return { version: 1, facts: facts.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) } satisfies DeploymentProfile;
}
