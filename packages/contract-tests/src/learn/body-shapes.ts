import { metadataOf, type Operation, type OperationName, operations, type Sensitivity } from "@fleetwire/core";
import { definitionOf, isRecord, nestedSchemas, type ObservedField, type ProfileFact } from "@fleetwire/core/internal";
import type * as z from "zod";
import { isFieldName } from "../fixtures/fixture.ts";
import { entryOf, type FactLearner, Period, type SeenCall } from "./seen-call.ts";
import { type PeopleNames, ValueCounts } from "./shown-values.ts";

const MAX_FIELDS = 400;
const MAX_DEPTH = 8;
const MAX_LISTED = 20;

/** Last words of names of fields that have few values, besides the names of such fields in the contract. */
const FEW_VALUES = /(?:^|_|[a-z])(?:status|type|kind|category|state|severity|level|priority|source|activity)$/i;

/** What the contract's fields of this name hold. A name may be personal in one place only. */
const kindsByName = new Map<string, Set<Sensitivity>>();
function collect(schema: z.core.$ZodType): void {
  for (const [name, field] of Object.entries(definitionOf(schema).shape ?? {})) {
    const holds = metadataOf(field)?.holds;
    if (holds) entryOf(kindsByName, name, () => new Set<Sensitivity>()).add(holds);
    collect(field);
  }
  for (const nested of nestedSchemas(schema)) collect(nested);
}
for (const { output } of Object.values<Operation>(operations)) collect(output);

const hasFewValues = (name: string) => {
  const kinds = kindsByName.get(name);
  return kinds ? [...kinds].every((kind) => kind === "label") : FEW_VALUES.test(name);
};

const isPerson = (name: string) =>
  ["person", "contact"].some((kind) => kindsByName.get(name)?.has(kind as Sensitivity)) || /name$/i.test(name);

type TypeName = ObservedField["types"][number];

function typeOf(value: unknown): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as TypeName;
}

interface Field {
  types: Set<TypeName>;
  records: number;
  holder: string;
  counts: ValueCounts | undefined;
}

interface Shape {
  operation: OperationName;
  status: number;
  kind: SeenCall["kind"];
  responses: number;
  /** The number of objects, or lists, at each path. */
  holders: Map<string, number>;
  fields: Map<string, Field>;
  period: Period;
}

/** Learns the fields of bodies that the interface does not describe: of errors, and of lists of which it documents only the path. */
export class BodyShapes implements FactLearner {
  readonly #shapes = new Map<string, Shape>();
  readonly #responses = new Map<OperationName, number>();
  readonly #people: PeopleNames;

  constructor(people: PeopleNames) {
    this.#people = people;
  }

  add({ operation, status, kind, body, at }: SeenCall): void {
    this.#responses.set(operation, (this.#responses.get(operation) ?? 0) + 1);
    const { undocumented }: Operation = operations[operation];
    if (status < 400 && !(undocumented && status >= 200 && status < 300)) return;
    const create = (): Shape => ({
      ...{ operation, status, kind, responses: 0, holders: new Map(), fields: new Map() },
      period: new Period(),
    });
    const shape = entryOf(this.#shapes, `${operation} ${status} ${kind}`, create);
    shape.responses++;
    shape.period.add(at);
    if (kind === "json") this.#see(shape, { name: "", path: "$", holder: "" }, body, 0);
    shape.holders.set("", shape.responses);
  }

  #see(shape: Shape, place: { name: string; path: string; holder: string }, value: unknown, depth: number): void {
    const { name, path, holder } = place;
    if (depth > MAX_DEPTH || (shape.fields.size >= MAX_FIELDS && !shape.fields.has(path))) return;
    const create = (): Field => ({ types: new Set(), records: 0, holder, counts: hasFewValues(name) ? new ValueCounts() : undefined });
    const field = entryOf(shape.fields, path, create);
    field.records++;
    field.types.add(typeOf(value));
    if (typeof value === "string") field.counts?.add(value);
    if (isPerson(name)) this.#people.add(value);
    else if (!field.counts) this.#people.addPossible(value);
    if (!Array.isArray(value) && !isRecord(value)) return;
    const inner: [string, unknown][] = Array.isArray(value) ? value.map((item) => ["[*]", item]) : Object.entries(value);
    shape.holders.set(path, (shape.holders.get(path) ?? 0) + (Array.isArray(value) ? value.length : 1));
    for (const [key, held] of inner) {
      const shown = Array.isArray(value) || isFieldName(key) ? key : "<name>";
      const next = Array.isArray(value) ? { name, path: `${path}[*]` } : { name: key, path: `${path}.${shown}` };
      this.#see(shape, { ...next, holder: path }, held, depth + 1);
    }
  }

  #observed({ fields, holders }: Shape): ObservedField[] {
    return [...fields]
      .map(([path, { types, records, holder, counts }]) => {
        const { values = [], withheld = 0 } = counts?.shown(this.#people) ?? {};
        const few = values.length > 0 && values.length <= MAX_LISTED && withheld === 0;
        const of = Math.max(records, holders.get(holder) ?? 0);
        return { path, types: [...types].sort(), records, of, ...(few && { values }) };
      })
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  facts(): ProfileFact[] {
    return [...this.#shapes.values()].map((shape) => ({
      fact: "shape" as const,
      operation: shape.operation,
      status: shape.status,
      body: shape.kind,
      fields: this.#observed(shape),
      ...shape.period.evidence(shape.responses, this.#responses.get(shape.operation) ?? 0),
    }));
  }
}
