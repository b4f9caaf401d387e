import { metadataOf, type OperationName, operations } from "@fleetwire/core";
import { definitionOf, isRecord, type ProfileFact, unwrapSchema } from "@fleetwire/core/internal";
import type * as z from "zod";
import { entryOf, type FactLearner, Period, type SeenCall } from "./seen-call.ts";
import { type PeopleNames, ValueCounts } from "./shown-values.ts";

type Schema = z.core.$ZodType;

/** Whether the interface names no values of a field, although it has a few. */
function isOpen(schema: Schema): boolean {
  const { element, entries } = definitionOf(unwrapSchema(schema));
  return element ? isOpen(element) : !entries && metadataOf(schema)?.holds === "label";
}

interface Field {
  operation: OperationName;
  path: string;
  records: number;
  of: number;
  counts: ValueCounts;
  period: Period;
}

/** Learns the values of fields whose values the interface leaves open, such as `status`. */
export class FieldValues implements FactLearner {
  readonly #fields = new Map<string, Field>();
  readonly #people: PeopleNames;

  constructor(people: PeopleNames) {
    this.#people = people;
  }

  add({ operation, status, body, at }: SeenCall): void {
    if (status === 200) this.#visit(operations[operation].output, body, "$", { operation, at });
  }

  #visit(whole: Schema, value: unknown, path: string, call: Pick<SeenCall, "operation" | "at">): void {
    const { shape, element } = definitionOf(unwrapSchema(whole));
    if (element && Array.isArray(value)) for (const item of value) this.#visit(element, item, `${path}[*]`, call);
    if (!shape || !isRecord(value)) return;
    for (const [name, field] of Object.entries(shape)) {
      const held = value[name] ?? undefined;
      const holds = metadataOf(field)?.holds;
      if (holds === "person" || holds === "contact") this.#people.add(held);
      else if (isOpen(field)) this.#count(`${path}.${name}`, held, call);
      else this.#visit(field, held, `${path}.${name}`, call);
    }
  }

  #count(path: string, value: unknown, { operation, at }: Pick<SeenCall, "operation" | "at">): void {
    const create = () => ({ operation, path, records: 0, of: 0, counts: new ValueCounts(), period: new Period() });
    const field = entryOf(this.#fields, `${operation} ${path}`, create);
    field.of++;
    field.period.add(at);
    if (value === undefined) return;
    field.records++;
    for (const one of [value].flat()) field.counts.add(one);
  }

  facts(): ProfileFact[] {
    return [...this.#fields.values()]
      .filter(({ records }) => records > 0)
      .map(({ operation, path, records, of, counts, period }) => ({
        fact: "values" as const,
        operation,
        path,
        ...counts.shown(this.#people),
        ...period.evidence(records, of),
      }));
  }
}
