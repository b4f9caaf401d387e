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

/** A time as the table says that it is sent. */
function writtenTime(text: string, row: TableRow): string {
  const iso = isoOf(text);
  const written = (row["written"] ?? []) as string[];
  if (written[0] === "YYYY-MM-DDThh:mm:ss") return iso.slice(0, 19);
  return written[0] === "YYYY-MM-DDTHH:mmZ" ? `${iso.slice(0, 16)}Z` : `${iso.slice(0, 19)}Z`;
}

/** The same instant an hour east of Greenwich. */
export function withOffset(text: string): string {
  return `${new Date(Date.parse(isoOf(text)) + 3_600_000).toISOString().slice(0, 19)}+01:00`;
}

/** Requests of an operation, drawn from the rows of the table, with values of the operation's sample where it has any. */
export class RequestDrawing {
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

  /** The values that the table lists of a parameter. */
  valuesOf(name: string): string[] {
    return this.#values.get(name) ?? [];
  }

  #valueOf(name: string): unknown {
    const row = this.#rows.get(name);
    const [from = "", until] = this.#operation.tool?.period ?? [];
    const known = this.#sample[name] ?? this.valuesOf(name)[0];
    if (known !== undefined) return known;
    if (!row || !isTime(row)) return DEFAULTS[row?.type ?? "string"];
    // A period of a day, so that it leaves something out.
    const start = Date.parse(isoOf(String(this.#sample[from] ?? "2026-11-19T00:00:00Z")));
    return writtenTime(new Date(name === until ? start + DAY : start).toISOString(), row);
  }

  /** A call with these parameters, and with those that are required. */
  callOf(names: readonly string[], more: Json = {}): Json {
    const asked = this.names.filter((name) => names.includes(name) || this.required.includes(name));
    const call = { ...Object.fromEntries(asked.map((name) => [name, this.#valueOf(name)])), ...more };
    for (const { path } of this.#operation.input.safeParse(call).error?.issues ?? [])
      throw new Error(
        `no ${String(path[0])} can be drafted that ${this.#operation.name} takes: give its sample one (packages/core/src/samples/)`,
      );
    return call;
  }

  /** The request that a call leads to. */
  requestOf(call: Json, scheme = this.schemes[0] ?? "basic"): Fixture["request"] {
    const { name: operation, method, path, params = {}, query } = this.#operation;
    const wire = (name: string) => {
      const row = this.#rows.get(name);
      return row && isTime(row) ? writtenTime(String(call[name]), row) : call[name];
    };
    const asked = Object.keys(call);
    const body = asked.filter((name) => !Object.hasOwn(params, name) && !Object.hasOwn(query, name));
    const [type] = this.#table.ofKind("requestBody", operation).map(({ contentType }) => contentType);
    const texts = asked.filter((name) => Object.hasOwn(query, name)).map((name) => [name, [wire(name)].flat().map(String).join(",")]);
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

/** The state in which the sandbox has whom a call names. */
export function stateFor(call: Json): Given {
  const numbers = Object.values(call)
    .flat()
    .flatMap((value) => /^[vpg](1\d{3})$/.exec(String(value))?.[1] ?? []);
  const vehicles = [...new Set(numbers)].sort().map((number) => `v${number}`);
  return vehicles.length === 0 ? "a fleet" : { state: "a fleet of vehicles", params: { vehicles } };
}
