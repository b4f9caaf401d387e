import { metadataOf, type Operation } from "@fleetwire/core";
import { rowFields } from "@fleetwire/core/internal";
import { isOfType, valuesAt } from "../src/table/conformance.ts";
import type { ContractTable, TableField } from "../src/table/contract-table.ts";

type Json = Record<string, unknown>;

/** A value as sent, and the value that the client returns for it; `ABSENT` omits it. */
export interface DraftValue {
  sent: unknown;
  returned: unknown;
}

export const ABSENT = Symbol("absent");

/** A value that the client returns unchanged. */
export const same = (value: unknown): DraftValue => ({ sent: value, returned: value });

/** Drafts a field, or returns undefined for the default. */
export type DraftField = (field: TableField, depth: number, first: boolean) => DraftValue | undefined;

/** The path to the records of a response: `items[]` for a page, `[]` for a list, "" for a single record. */
function recordsAt({ paging }: Operation, root: string | undefined): string {
  if (paging) return `${paging.items}[]`;
  return root === "array" ? "[]" : "";
}

const DEFAULTS: Readonly<Record<string, unknown>> = { string: "text", number: 1.5, integer: 1, boolean: false };

/** Drafts an operation's response bodies from the rows of the table, with values from the operation's sample where available. */
export class BodyDraft {
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

  /** The fields of records, including nested ones. */
  get recordFields(): TableField[] {
    return this.#fields.filter(({ path }) => path.startsWith(this.records === "" ? "" : `${this.records}.`));
  }

  depthOf({ path }: TableField): number {
    return path.split(".").length - (this.records === "" ? 0 : this.records.split(".").length);
  }

  usual({ path, row, values }: TableField): unknown {
    const [sampleValue] = valuesAt(this.#sample, path).filter((value) => isOfType(value, row.type));
    if (sampleValue !== undefined) return sampleValue;
    if (values.length > 0) return row.type === "array" ? [values[0]] : values[0];
    if (row.format === "date-time") return "2026-11-20T06:00:00Z";
    return row.type === "array" ? [DEFAULTS[row.items ?? "string"]] : DEFAULTS[row.type ?? "string"];
  }

  #inside(path: string, depth: number, draft: DraftField): DraftValue {
    const inner = this.#fields.filter(
      (field) => field.path.startsWith(path === "" ? "" : `${path}.`) && !field.path.slice(path === "" ? 0 : path.length + 1).includes("."),
    );
    const sent: Json = {};
    const returned: Json = {};
    for (const [at, field] of inner.entries()) {
      const name = field.row.name ?? "";
      const value = draft(field, depth, at === 0) ?? this.#usualOf(field, depth, draft);
      if (value.sent !== ABSENT) sent[name] = value.sent;
      if (value.returned !== ABSENT) returned[name] = value.returned;
    }
    return { sent, returned };
  }

  #usualOf(field: TableField, depth: number, draft: DraftField): DraftValue {
    const { path, row } = field;
    const has = (place: string) => this.#fields.some((other) => other.path.startsWith(`${place}.`));
    if (row.type === "array" && has(`${path}[]`)) {
      const { sent, returned } = this.#inside(`${path}[]`, depth + 1, draft);
      return { sent: [sent], returned: [returned] };
    }
    return row.type !== "array" && has(path) ? this.#inside(path, depth + 1, draft) : same(this.usual(field));
  }

  record(draft: DraftField = () => undefined): DraftValue {
    return this.#inside(this.records, 1, draft);
  }

  /** Enough records to show every value that the table lists. */
  everyValue(): DraftValue[] {
    const most = Math.max(1, ...this.recordFields.map(({ values }) => values.length));
    const value = ({ row, values }: TableField, at: number) => (row.type === "array" ? [values[at]] : values[at]);
    return Array.from({ length: most }, (_, at) => this.record((field) => (field.values.length > at ? same(value(field, at)) : undefined)));
  }

  /** A record with an undocumented field. */
  withMore({ sent, returned }: DraftValue): DraftValue {
    const more = { describedLater: { since: "2027" } };
    return { sent: { ...(sent as Json), ...more }, returned: { ...(returned as Json), ...more } };
  }

  /** The privacy flags of a record, each with the value to assume if it cannot be read. */
  get guards(): Map<string, boolean> {
    return new Map(
      Object.entries(rowFields(this.#operation) ?? {}).flatMap(([name, schema]) => {
        const { guard } = metadataOf(schema) ?? {};
        return guard === undefined ? [] : [[name, guard] as [string, boolean]];
      }),
    );
  }

  /** Wraps records in a complete body with matching counts. */
  body(records: readonly DraftValue[], place: { index?: number; size?: number; total?: number } = {}): DraftValue {
    const list = { sent: records.map(({ sent }) => sent), returned: records.map(({ returned }) => returned) };
    if (this.records === "") return records[0] ?? same({});
    if (this.records === "[]") return { sent: list.sent, returned: list.returned.filter((returned) => returned !== ABSENT) };
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
      return path === paging.items ? { sent: list.sent, returned: list.returned.filter((returned) => returned !== ABSENT) } : undefined;
    });
  }
}
