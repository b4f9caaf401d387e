import type { ContractTable, TableField, TableRow } from "./contract-table.ts";

/** Facts such as `updateGroup body.name maxLength 255`, with the part of the interface description that states each. */
type Facts = Map<string, string>;

/** Row kinds that a contract cannot express: context and open questions. */
const NOT_COMPARED = new Set(["appliesTo", "errorBody", "unknown"]);

/** Row keys that restrict a value. */
const RULES = ["minLength", "maxLength", "pattern", "maxItems"] as const;

/** Rules that the service enforces but no request schema can express; the sandbox's tests cover them. */
const SERVICE_RULES = new Set([
  "unique",
  "generatedWhenAbsent",
  "generatedWhenEmpty",
  "derived",
  "mustExist",
  "defaultDriver",
  "default",
  "excludesStatus",
  "omitsField",
]);

const PRIMITIVES = new Set(["string", "number", "integer", "boolean", "array"]);

const typeOf = (type = "object") => (PRIMITIVES.has(type) ? type : "object");

function ruleFacts(row: TableRow): string[] {
  return RULES.flatMap((rule) => (row[rule] === undefined || row[rule] === 0 ? [] : [`${rule} ${row[rule]}`]));
}

function fieldFacts({ row, values }: TableField, side: "request" | "response"): string[] {
  const written = (row["written"] ?? []) as string[];
  return [
    `type ${typeOf(row.type)}`,
    ...(row.items === undefined ? [] : [`items ${typeOf(row.items)}`]),
    // In a request, time formats, if stated, replace `format`; a response may contain any string.
    ...(row.format === undefined || (side === "request" && written.length > 0) ? [] : [`format ${row.format}`]),
    ...(side === "request" ? written.map((form) => `written ${form}`) : []),
    ...(side === "request" && row["form"] !== undefined ? [`form ${row["form"]}`] : []),
    ...(row.required ? ["required"] : []),
    ...(row["nullable"] ? ["nullable"] : []),
    ...(row["deprecated"] ? ["deprecated"] : []),
    ...(row.readOnly ? ["readOnly"] : []),
    ...values.map((value) => `enum ${value}`),
    ...(side === "request" ? ruleFacts(row) : ruleFacts(row).filter((fact) => !fact.startsWith("maxItems"))),
  ];
}

/** Words that a field's description must mention because no schema can express them. */
export function mentionsOf({ row }: TableField): string[] {
  return [
    ...(row["unit"] === undefined ? [] : [String(row["unit"])]),
    ...(row["default"] === undefined ? [] : [String(row["default"])]),
    ...(row["zeroBased"] ? ["from 0"] : []),
  ];
}

/** A path parameter without its own format has that of the identifier with the same name. It is always required. */
function pathFacts(table: ContractTable, { row, ...field }: TableField): string[] {
  const identifier = table.ofKind("identifier").find(({ name }) => name === row.name);
  return fieldFacts({ ...field, row: { ...row, required: false, form: row["form"] ?? identifier?.["form"] } }, "request");
}

function operationFacts(table: ContractTable, operation: string, add: (fact: string, part: string) => void): void {
  for (const field of table.pathFields(operation))
    for (const fact of pathFacts(table, field)) add(`path.${field.path} ${fact}`, field.row.part);
  for (const { path, row, values } of table.queryFields(operation))
    for (const fact of fieldFacts({ path, row, values }, "request")) add(`query.${path} ${fact}`, row.part);
  for (const { path, row, values } of table.bodyFields(operation))
    for (const fact of fieldFacts({ path, row, values }, "request")) add(`body.${path} ${fact}`, row.part);
  for (const { status, row } of table.statuses(operation)) {
    add(`${status} type ${typeOf(row.type)}`, row.part);
    for (const field of table.responseFields(operation, status) ?? [])
      for (const fact of fieldFacts(field, "response")) add(`${status}.${field.path} ${fact}`, field.row.part);
  }
}

const inBody = (table: ContractTable, operation: string, name: string) =>
  table.ofKind("query", operation).some((row) => row.name === name) ? "query" : "body";

/** The facts of a row that is not a field, or undefined for an unknown kind. */
function rowFacts(row: TableRow, table: ContractTable): string[] | undefined {
  const { kind, name = "", operation = "" } = row;
  switch (kind) {
    case "server":
      return [`server ${name}`];
    case "identifier":
      return [`identifier ${name} ${row["form"]}`];
    case "bodyFormat":
      return [];
    case "scheme":
      return [`scheme ${name} ${row["header"]}: ${row.value}`];
    case "request":
      return [`request ${row.method} ${row.path}`, `server ${row.server}`];
    case "auth":
      return [`auth ${row["scheme"]}`];
    case "pathParameter":
      return [`path parameter ${name}`];
    case "header":
      // Schemes are compared through their own rows, media types through those of the endpoints.
      if (row["scheme"] !== undefined || name === "authorization") return [];
      return [`header ${name}: ${row.value}`];
    case "requestBody":
      return [`header content-type: ${row.contentType}`];
    case "error":
      return [`${row.status} is documented`, `${row.status} names ${row["field"]}`];
    case "limit":
      return operation === "" ? [] : ruleFacts(row).map((fact) => `${inBody(table, operation, name)}.${name} ${fact}`);
    case "version":
      return [`version ${row.value}`];
    case "deprecated":
      return [`body.${name} deprecated`];
    case "rule":
      return SERVICE_RULES.has(String(row["rule"])) ? [] : [`rule ${row["rule"]} ${((row["fields"] ?? []) as string[]).join(", ")}`];
    case "query":
    case "body":
    case "field":
    case "enum":
    case "states":
    case "status":
      return [];
    default:
      return NOT_COMPARED.has(kind) ? [] : undefined;
  }
}

/** Everything in the table that a contract can express. */
export function factsOfTable(table: ContractTable): { facts: Facts; problems: string[] } {
  const facts: Facts = new Map();
  const problems: string[] = [];
  const add = (operation: string) => (fact: string, part: string) => facts.set(operation === "" ? fact : `${operation} ${fact}`, part);
  for (const row of table.rows) {
    const found = rowFacts(row, table);
    if (!found) problems.push(`unknown kind of row: ${row.kind} (part ${row.part})`);
    for (const fact of found ?? []) add(row.operation ?? "")(fact, row.part);
  }
  for (const operation of table.operations) {
    if (table.isPathOnly(operation)) add(operation)("only the path is documented", "4.6");
    operationFacts(table, operation, add(operation));
  }
  return { facts, problems };
}
