import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";

/** A row of the hand-written table; `table/README.md` documents each kind. */
const TableRow = z.looseObject({
  part: z.string(),
  kind: z.string(),
  operation: z.string().optional(),
  shape: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  items: z.string().optional(),
  format: z.string().optional(),
  value: z.unknown().optional(),
  status: z.int().optional(),
  required: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  inDescription: z.boolean().optional(),
  contentType: z.string().optional(),
  method: z.string().optional(),
  server: z.string().optional(),
  path: z.string().optional(),
});

export type TableRow = z.infer<typeof TableRow>;

// The description states no status for the token service's response, only that it succeeds.
const UNNUMBERED_STATUS = 200;

/** A field of a request or response: its path, such as `[].faults[].code`, and the row that states it. */
export interface TableField {
  path: string;
  row: TableRow;
  /** Enum values of the field or its items. */
  values: string[];
}

/** The table, with the queries that the checks need. */
export class ContractTable {
  readonly rows: readonly TableRow[];

  constructor(rows: readonly TableRow[]) {
    this.rows = rows;
  }

  get operations(): string[] {
    return this.ofKind("request")
      .map(({ operation = "" }) => operation)
      .filter((name, at, all) => all.indexOf(name) === at);
  }

  ofKind(kind: string, operation?: string): TableRow[] {
    return this.rows.filter((row) => row.kind === kind && (operation === undefined || row.operation === operation));
  }

  /** Whether the description gives only the operation's path. */
  isPathOnly(operation: string): boolean {
    return this.ofKind("unknown", operation).some(({ name }) => name === "responses");
  }

  /** The statuses of an operation, each with the row for its body. */
  statuses(operation: string): { status: number; row: TableRow }[] {
    return this.ofKind("status", operation).map((row) => ({ status: row.status ?? UNNUMBERED_STATUS, row }));
  }

  /** All fields of the body for a status, including nested ones; undefined if the status is not described. */
  responseFields(operation: string, status: number): TableField[] | undefined {
    const found = this.statuses(operation).find((entry) => entry.status === status);
    return found && this.fieldsOf(found.row, "", "response");
  }

  /** The placeholders of an operation's path, except for the customer, which all paths share. */
  pathFields(operation: string): TableField[] {
    const rows = this.ofKind("pathParameter", operation).filter(({ name }) => name !== "customerId");
    return rows.flatMap((row) => this.named(row, row.name ?? "", { operation }, "request"));
  }

  /** The path of an operation in the description. */
  pathOf(operation: string): string | undefined {
    return this.ofKind("request", operation)[0]?.path;
  }

  queryFields(operation: string): TableField[] {
    return this.ofKind("query", operation).flatMap((row) => this.named(row, row.name ?? "", { operation }, "request"));
  }

  bodyFields(operation: string): TableField[] {
    const own = this.ofKind("body", operation);
    if (own.length > 0) return own.flatMap((row) => this.named(row, row.name ?? "", { operation }, "request"));
    return this.ofKind("requestBody", operation).flatMap((row) => this.fieldsOf(row, "", "request"));
  }

  /** No fields if the type, or that of the items, is not a shape. */
  private fieldsOf({ type, items }: TableRow, path: string, side: "request" | "response"): TableField[] {
    return type === "array" ? this.shapeFields(items, `${path}[]`, side) : this.shapeFields(type, path, side);
  }

  private shapeFields(shape: string | undefined, path: string, side: "request" | "response"): TableField[] {
    return this.rows
      .filter((row) => row.kind === "field" && row.shape === shape)
      .flatMap((row) => this.named(row, `${path}${path === "" ? "" : "."}${row.name}`, { shape }, side));
  }

  private named(
    row: TableRow,
    path: string,
    owner: { operation?: string; shape?: string | undefined },
    side: "request" | "response",
  ): TableField[] {
    const values = this.rows
      .filter(
        (other) => other.kind === "enum" && other.name === row.name && other.operation === owner.operation && other.shape === owner.shape,
      )
      // Values that the field's own description omits must not be sent.
      .filter(({ inDescription }) => side === "response" || inDescription !== false)
      .map(({ value }) => String(value));
    return [{ path, row, values }, ...this.fieldsOf(row, path, side)];
  }
}

/** Reads this package's table, or one in another folder. */
export function loadTable(folder: URL = new URL("../../table/", import.meta.url)): ContractTable {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new ContractTable(files.flatMap((name) => z.array(TableRow).parse(JSON.parse(readFileSync(new URL(name, folder), "utf8")))));
}
