import { metadataOf, type Operation, rowFields } from "@fleetwire/core";
import { isOfType, valuesAt } from "../src/table/conformance.ts";
import type { ContractTable, TableField } from "../src/table/contract-table.ts";

type Json = Record<string, unknown>;

/** A value as it is on the wire, and as the client returns it; `ABSENT` is left out. */
export interface Drawn {
  sent: unknown;
  kept: unknown;
}

export const ABSENT = Symbol("absent");

/** What comes back as it was sent. */
export const same = (value: unknown): Drawn => ({ sent: value, kept: value });

/** Says what stands in a field; undefined: what every fixture has there. */
export type Draw = (field: TableField, depth: number, first: boolean) => Drawn | undefined;

/** Where the records of an operation's response lie: `items[]` of a page, `[]` of a list, nothing of a single record. */
function recordsAt({ paging }: Operation, root: string | undefined): string {
  if (paging) return `${paging.items}[]`;
  return root === "array" ? "[]" : "";
}

const DEFAULTS: Readonly<Record<string, unknown>> = { string: "text", number: 1.5, integer: 1, boolean: false };

/** Bodies of one status of an operation, drawn from the rows of the table, with values of the operation's sample where it has any. */
export class BodyDrawing {
  readonly #fields: readonly TableField[];
  readonly #sample: unknown;
  readonly #operation: Operation;
  readonly root: string | undefined;

  constructor(operation: Operation, table: ContractTable, sample: unknown) {
    this.#operation = operation;
    this.#fields = table.responseFields(operation.name, 200) ?? [];
    this.#sample = sample;
    this.root = table.statuses(operation.name).find(({ status }) => status === 200)?.row.type;
  }

  get records(): string {
    return recordsAt(this.#operation, this.root);
  }

  /** The fields of records, as deep as they go. */
  get recordFields(): TableField[] {
    return this.#fields.filter(({ path }) => path.startsWith(this.records === "" ? "" : `${this.records}.`));
  }

  depthOf({ path }: TableField): number {
    return path.split(".").length - (this.records === "" ? 0 : this.records.split(".").length);
  }

  usual({ path, row, values }: TableField): unknown {
    const [shown] = valuesAt(this.#sample, path).filter((value) => isOfType(value, row.type));
    if (shown !== undefined) return shown;
    if (values.length > 0) return row.type === "array" ? [values[0]] : values[0];
    if (row.format === "date-time") return "2026-11-20T06:00:00Z";
    return row.type === "array" ? [DEFAULTS[row.items ?? "string"]] : DEFAULTS[row.type ?? "string"];
  }

  #inside(path: string, depth: number, draw: Draw): Drawn {
    const inner = this.#fields.filter(
      (field) => field.path.startsWith(path === "" ? "" : `${path}.`) && !field.path.slice(path === "" ? 0 : path.length + 1).includes("."),
    );
    const sent: Json = {};
    const kept: Json = {};
    for (const [at, field] of inner.entries()) {
      const name = field.row.name ?? "";
      const drawn = draw(field, depth, at === 0) ?? this.#usualOf(field, depth, draw);
      if (drawn.sent !== ABSENT) sent[name] = drawn.sent;
      if (drawn.kept !== ABSENT) kept[name] = drawn.kept;
    }
    return { sent, kept };
  }

  #usualOf(field: TableField, depth: number, draw: Draw): Drawn {
    const { path, row } = field;
    const has = (place: string) => this.#fields.some((other) => other.path.startsWith(`${place}.`));
    if (row.type === "array" && has(`${path}[]`)) {
      const { sent, kept } = this.#inside(`${path}[]`, depth + 1, draw);
      return { sent: [sent], kept: [kept] };
    }
    return row.type !== "array" && has(path) ? this.#inside(path, depth + 1, draw) : same(this.usual(field));
  }

  record(draw: Draw = () => undefined): Drawn {
    return this.#inside(this.records, 1, draw);
  }

  /** As many records as it takes to show every value that the table lists. */
  everyValue(): Drawn[] {
    const most = Math.max(1, ...this.recordFields.map(({ values }) => values.length));
    const value = ({ row, values }: TableField, at: number) => (row.type === "array" ? [values[at]] : values[at]);
    return Array.from({ length: most }, (_, at) => this.record((field) => (field.values.length > at ? same(value(field, at)) : undefined)));
  }

  /** A record with a field that no row describes. */
  withMore({ sent, kept }: Drawn): Drawn {
    const more = { describedLater: { since: "2027" } };
    return { sent: { ...(sent as Json), ...more }, kept: { ...(kept as Json), ...more } };
  }

  /** The flags of a record that protect somebody, each with the value that it has where it cannot be read. */
  get guards(): Map<string, boolean> {
    return new Map(
      Object.entries(rowFields(this.#operation) ?? {}).flatMap(([name, schema]) => {
        const { guard } = metadataOf(schema) ?? {};
        return guard === undefined ? [] : [[name, guard] as [string, boolean]];
      }),
    );
  }

  /** The whole body around records, its counts in agreement with them, and what `around` says of the fields that stand beside them. */
  body(records: readonly Drawn[], place: { index?: number; size?: number; total?: number } = {}): Drawn {
    const list = { sent: records.map(({ sent }) => sent), kept: records.map(({ kept }) => kept) };
    if (this.records === "") return records[0] ?? same({});
    if (this.records === "[]") return { sent: list.sent, kept: list.kept.filter((kept) => kept !== ABSENT) };
    const { paging } = this.#operation;
    if (!paging) return list;
    const { index = 0, size = 50, total = records.length } = place;
    const counts = new Map<string, number>([[paging.totalItems, total]]);
    if (paging.kind === "page") {
      const beside = paging.totalPages.split(".").slice(0, -1);
      counts.set(paging.totalPages, Math.ceil(total / size));
      counts.set([...beside, paging.index].join("."), index).set([...beside, paging.size].join("."), size);
    }
    return this.#inside("", 0, ({ path }) => {
      const count = counts.get(path);
      if (count !== undefined) return same(count);
      return path === paging.items ? { sent: list.sent, kept: list.kept.filter((kept) => kept !== ABSENT) } : undefined;
    });
  }
}
