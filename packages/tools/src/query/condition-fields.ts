import { TimeSlices } from "../runtime/time-slices.ts";
import { type FieldTexts, labelsIn, normalized, textsIn, valuesOf } from "./field-texts.ts";
import type { Row } from "./list-result.ts";
import { misread, type WrittenCondition } from "./read-conditions.ts";
import { fieldsMeant, type KnownFields, noSuchField, requireField } from "./row-fields.ts";

/** Returns the fields in which some row has one of these values, or one that means the same. */
async function fieldsWith(values: readonly string[], rows: readonly Row[], fields: readonly string[]): Promise<string[]> {
  if (values.length === 0) return [];
  const texts = await textsIn(rows, fields, new TimeSlices());
  return fields.filter((_, at) => {
    const among = texts[at] as FieldTexts;
    return values.some((value) => among.has(normalized(value)) || labelsIn(among, value).length > 0);
  });
}

/**
 * Finds the field of a condition. If several fields have the name, the values decide, as they do for a flag: `leased` is a tag, since only
 * `tags` has this value. Throws if the field is not certain.
 */
export async function withField(condition: WrittenCondition, rows: readonly Row[], known: KnownFields): Promise<WrittenCondition> {
  const { field: given, operator, wanted } = condition;
  const possible = fieldsMeant(given, known);
  const [field] = possible.length === 1 ? possible : [];
  const isFlag = operator === "=" && wanted.length === 1 && /^(?:true|yes|false)$/i.test(wanted[0] ?? "");
  const isBoolean =
    field !== undefined && (field === given || rows.some((row) => valuesOf(row[field]).some((value) => typeof value === "boolean")));
  const values = isFlag && !isBoolean ? [given] : field === undefined ? wanted : [];
  const among = possible.length > 0 && !(isFlag && field !== undefined) ? possible : known.fields;
  const holding = await fieldsWith(values, rows, among);
  const [only] = holding;
  // The values alone do not decide: "except=Lyon" means the opposite of "city=Lyon".
  if (only !== undefined && holding.length === 1 && (isFlag || possible.length > 0))
    return { field: only, operator: isFlag && wanted[0] === "false" ? "!=" : operator, wanted: values };
  if (only !== undefined) throw noSuchField("where", [given], holding);
  if (field === undefined && isFlag && given.includes(" ")) throw misread(given);
  return { ...condition, field: field ?? requireField("where", given, known) };
}
