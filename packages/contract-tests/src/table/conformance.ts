import { isRecord } from "@fleetwire/core/internal";
import { formatValue } from "../replay/json-differences.ts";
import type { ContractTable, TableField } from "./contract-table.ts";

/** Whether a JSON value has a type from the table; a shape's name stands for an object. */
export function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "array":
      return Array.isArray(value);
    default:
      return isRecord(value);
  }
}

/** The objects that may have a field, and its name in them: for `[].faults[].code`, every fault and `code`. */
function holdersOf(body: unknown, path: string): { holders: unknown[]; name: string } {
  // A name may contain dots (a sort key such as activities.type), so try it as a name before splitting it as a path.
  if (isRecord(body) && Object.hasOwn(body, path)) return { holders: [body], name: path };
  const end = path.indexOf(".");
  const first = end < 0 ? path : path.slice(0, end);
  if (end < 0) return { holders: [body], name: first };
  const list = first.endsWith("[]");
  const inner = first === "[]" ? body : isRecord(body) ? body[list ? first.slice(0, -2) : first] : undefined;
  const next = list ? (Array.isArray(inner) ? inner : []) : inner === undefined ? [] : [inner];
  const found = next.map((item) => holdersOf(item, path.slice(end + 1)));
  return { holders: found.flatMap(({ holders }) => holders), name: found[0]?.name ?? path };
}

/** Every value at a path such as `[].faults[].code`. */
export function valuesAt(body: unknown, path: string): unknown[] {
  const { holders, name } = holdersOf(body, path);
  return holders.flatMap((holder) => (isRecord(holder) && holder[name] !== undefined ? [holder[name]] : []));
}

function valueProblems({ path, row, values }: TableField, value: unknown): string[] {
  if (!isOfType(value, row.type)) return [`${path} is ${formatValue(value)}, but the table says ${row.type}`];
  return (Array.isArray(value) ? value : [value]).flatMap((item) => {
    if (Array.isArray(value) && !isOfType(item, row.items)) return [`${path}[] is ${formatValue(item)}, but the table says ${row.items}`];
    if (values.length > 0 && !values.includes(String(item)))
      return [`${path} is ${formatValue(item)}, but the table says ${values.join(", ")}`];
    return [];
  });
}

/** Where a body differs from the table: wrong types, unknown enum values, fields without a row, missing required fields. */
export function tableProblems(table: ContractTable, operation: string, status: number, body: unknown): string[] {
  const stated = table.statuses(operation).find((entry) => entry.status === status);
  const fields = table.responseFields(operation, status);
  if (!stated || !fields) return [];
  if (!isOfType(body, stated.row.type)) return [`the body is ${formatValue(body)}, but the table says ${stated.row.type}`];
  const ofWrongType = (Array.isArray(body) ? body : []).filter((item) => !isOfType(item, stated.row.items));
  const problems = fields.flatMap((field) => {
    const { holders, name } = holdersOf(body, field.path);
    const lacking = field.row.required && holders.some((holder) => isRecord(holder) && holder[name] === undefined);
    return [
      ...(lacking ? [`${field.path} is missing, but the table says that it is required`] : []),
      ...valuesAt(body, field.path).flatMap((value) => valueProblems(field, value)),
    ];
  });
  const wrongItems = ofWrongType.map((item) => `[] is ${formatValue(item)}, but the table says ${stated.row.items}`);
  return [...new Set([...wrongItems, ...problems, ...surplus(body, "", new Set(fields.map(({ path }) => path)))])];
}

function surplus(value: unknown, path: string, known: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => surplus(item, `${path}[]`, known));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const fieldPath = path === "" ? name : `${path}.${name}`;
    return known.has(fieldPath) ? surplus(inner, fieldPath, known) : [`${fieldPath} has no row in the table`];
  });
}
