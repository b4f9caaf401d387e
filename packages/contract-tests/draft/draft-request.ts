import type { Operation } from "@fleetwire/core";
import type { Fixture, Given } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, PLACEHOLDERS } from "../src/fixtures/placeholders.ts";
import type { ContractTable, TableRow } from "../src/table/contract-table.ts";

type Json = Record<string, unknown>;

const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  basic: { authorization: `Basic ${PLACEHOLDERS.credentials}` },
  bearer: { authorization: `Bearer ${PLACEHOLDERS.token}` },
  "connect-token": { "x-connect-token": `TOKEN ${PLACEHOLDERS.token}` },
};

const DEFAULTS: Readonly<Record<string, unknown>> = { string: "a1", number: 1, integer: 1, boolean: true, array: ["a1"] };

const DAY = 86_400_000;

const isTime = (row: TableRow | undefined) => row?.format === "date-time";

const isoOf = (text: string) => new Date(/[Zz]|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text}Z`).toISOString();

/** A time in the format that the table states. */
function writtenTime(text: string, row: TableRow): string {
  const iso = isoOf(text);
  const written = (row["written"] ?? []) as string[];
  if (written[0] === "YYYY-MM-DDThh:mm:ss") return iso.slice(0, 19);
  return written[0] === "YYYY-MM-DDTHH:mmZ" ? `${iso.slice(0, 16)}Z` : `${iso.slice(0, 19)}Z`;
}

/** The same instant with the offset +01:00. */
export function withOffset(text: string): string {
  return `${new Date(Date.parse(isoOf(text)) + 3_600_000).toISOString().slice(0, 19)}+01:00`;
}

/** Drafts an operation's requests from the rows of the table, with values from the operation's sample where available. */
export class RequestDraft {
  readonly schemes: readonly string[];
  readonly #operation: Operation;
  readonly #table: ContractTable;
  readonly #sample: Json;
  readonly #rows: ReadonlyMap<string, TableRow>;
  readonly #values: ReadonlyMap<string, string[]>;

  constructor(operation: Operation, table: ContractTable, sample: Json) {
    this.#operation = operation;
    this.#table = table;
    this.#sample = sample;
    const path = table.ofKind("pathParameter", operation.name).filter(({ name }) => name !== "customerId");
    const fields = [...table.queryFields(operation.name), ...table.bodyFields(operation.name)].filter(
      ({ path: place }) => !/[.[]/.test(place),
    );
    this.#rows = new Map([...path, ...fields.map(({ row }) => row)].map((row) => [row.name ?? "", row]));
    this.#values = new Map(fields.map(({ path: name, values }) => [name, values]));
    this.schemes = table.ofKind("auth", operation.name).map((row) => String(row["scheme"]));
  }

  get names(): string[] {
    return [...this.#rows.keys()];
  }

  get required(): string[] {
    return this.names.filter((name) => this.#rows.get(name)?.required);
  }

  get optional(): string[] {
    return this.names.filter((name) => !this.#rows.get(name)?.required);
  }

  get times(): string[] {
    return this.names.filter((name) => isTime(this.#rows.get(name)));
  }

  /** The values that the table lists for a parameter. */
  valuesOf(name: string): string[] {
    return this.#values.get(name) ?? [];
  }

  #valueOf(name: string): unknown {
    const row = this.#rows.get(name);
    const [from = "", until] = this.#operation.tool?.period ?? [];
    const known = this.#sample[name] ?? this.valuesOf(name)[0];
    if (known !== undefined) return known;
    if (!row || !isTime(row)) return DEFAULTS[row?.type ?? "string"];
    // One day, so that the period excludes some records.
    const start = Date.parse(isoOf(String(this.#sample[from] ?? "2026-11-19T00:00:00Z")));
    return writtenTime(new Date(name === until ? start + DAY : start).toISOString(), row);
  }

  /** A call with these parameters and all required ones. */
  callOf(names: readonly string[], more: Json = {}): Json {
    const included = this.names.filter((name) => names.includes(name) || this.required.includes(name));
    const call = { ...Object.fromEntries(included.map((name) => [name, this.#valueOf(name)])), ...more };
    for (const { path } of this.#operation.input.safeParse(call).error?.issues ?? [])
      throw new Error(
        `cannot draft a valid ${String(path[0])} for ${this.#operation.name}: add one to its sample (packages/core/src/samples/)`,
      );
    return call;
  }

  /** The request that a call sends. */
  requestOf(call: Json, scheme = this.schemes[0] ?? "basic"): Fixture["request"] {
    const { name: operation, method, path, params = {}, query } = this.#operation;
    const wire = (name: string) => {
      const row = this.#rows.get(name);
      return row && isTime(row) ? writtenTime(String(call[name]), row) : call[name];
    };
    const names = Object.keys(call);
    const body = names.filter((name) => !Object.hasOwn(params, name) && !Object.hasOwn(query, name));
    const [type] = this.#table.ofKind("requestBody", operation).map(({ contentType }) => contentType);
    const texts = names.filter((name) => Object.hasOwn(query, name)).map((name) => [name, [wire(name)].flat().map(String).join(",")]);
    return {
      method,
      path: path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === "customerId" ? FIXTURE_CUSTOMER : encodeURIComponent(String(call[name])),
      ),
      query: Object.fromEntries(texts),
      headers: { ...CREDENTIALS[scheme], ...(type !== undefined && { "content-type": type }) },
      ...(method !== "GET" && { body: Object.fromEntries(body.map((name) => [name, wire(name)])) as Fixture["request"]["body"] }),
    };
  }
}

/** A provider state with the vehicles that a call names. */
export function stateFor(call: Json): Given {
  const numbers = Object.values(call)
    .flat()
    .flatMap((value) => /^[vpg](1\d{3})$/.exec(String(value))?.[1] ?? []);
  const vehicles = [...new Set(numbers)].sort().map((number) => `v${number}`);
  return vehicles.length === 0 ? "a fleet" : { state: "a fleet of vehicles", params: { vehicles } };
}
