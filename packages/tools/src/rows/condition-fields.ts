import { labelsMeaning } from "../aggregate/vehicle-kind.ts";
import { fold, rawWords } from "../names/spelling.ts";
import type { Row } from "../results/list-result.ts";
import type { WrittenCondition } from "./read-conditions.ts";
import { fieldsMeant, type KnownFields, noSuchField, requireField } from "./row-fields.ts";

const normalized = (value: unknown) => (typeof value === "string" ? rawWords(fold(value)).join(" ") : undefined);

const valuesOf = (rows: readonly Row[], field: string) => rows.flatMap(({ [field]: value }) => value ?? []);

/** Returns the fields in which some row has this value, or one that means the same. */
function fieldsWith(text: string, rows: readonly Row[], fields: readonly string[]): string[] {
  const wanted = normalized(text);
  return fields.filter((field) => {
    const values = [...new Set(valuesOf(rows, field).filter((value) => typeof value === "string"))];
    return values.some((value) => normalized(value) === wanted) || labelsMeaning(text, values).length > 0;
  });
}

/**
 * Finds the field of a condition. If several fields have the name, or none, the values decide: `leased` is a tag, since only `tags` has
 * this value. Throws if the field is not certain.
 */
export function withField(condition: WrittenCondition, rows: readonly Row[], known: KnownFields): WrittenCondition {
  const { field: given, operator, wanted } = condition;
  const possible = fieldsMeant(given, known);
  const [field] = possible.length === 1 ? possible : [];
  const isFlag = operator === "=" && wanted.length === 1 && /^(?:true|yes)$/i.test(wanted[0] ?? "");
  const isBoolean = field !== undefined && (field === given || valuesOf(rows, field).some((value) => typeof value === "boolean"));
  const values = isFlag && !isBoolean ? [given] : field === undefined ? wanted : [];
  const among = possible.length > 0 && !(isFlag && field !== undefined) ? possible : known.fields;
  const holding = [...new Set(values.flatMap((value) => fieldsWith(value, rows, among)))];
  const [only] = holding;
  if (only !== undefined && holding.length === 1) return { field: only, operator, wanted: values };
  if (only !== undefined) throw noSuchField("where", [given], holding);
  return { ...condition, field: field ?? requireField("where", given, known) };
}
