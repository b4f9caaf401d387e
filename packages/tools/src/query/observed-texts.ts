import type { DeploymentProfile, Operation } from "@fleetwire/core";
import { type FactOf, factsOf, isRecord } from "@fleetwire/core/internal";
import { quotation, singleLine } from "../text/clip-values.ts";
import { asRecord, findRecords } from "./read-records.ts";

type Profile = DeploymentProfile | undefined;
type Shape = FactOf<"shape">["fields"];

/** A field of the rows of a list that a profile observed, and its values if they are few. */
interface ObservedRowField {
  name: string;
  values: readonly string[];
}

const NAME = /^[A-Za-z_][\w-]{0,39}$/;
const LAST_SEGMENT = /(?:\.([^.[\]]+)|\[\*\])$/;

/** Creates a body with every field of a shape, whose leaves are the paths of the fields. */
function sampleOf(fields: Shape): unknown {
  const holders = new Map<string, unknown>();
  for (const { path, types } of fields) {
    const value = types.includes("array") ? [] : types.includes("object") ? {} : path;
    holders.set(path, value);
    const [segment = "", name] = LAST_SEGMENT.exec(path) ?? [];
    const holder = segment === "" ? undefined : holders.get(path.slice(0, path.length - segment.length));
    if (Array.isArray(holder)) holder.push(value);
    else if (isRecord(holder) && name !== undefined && NAME.test(name)) holder[name] = value;
  }
  return holders.get("$");
}

/** Returns the observed fields of the records in an undocumented list, in the order in which most records have them. */
export function observedFields({ name: operation, path }: Pick<Operation, "name" | "path">, profile: Profile): ObservedRowField[] {
  const shape = factsOf(profile, "shape").find((fact) => fact.operation === operation && fact.status < 300);
  if (!shape) return [];
  const sample = sampleOf(shape.fields);
  const [record = {}] = findRecords(sample, path)?.records ?? [asRecord(sample)];
  const known = new Map(shape.fields.map((field) => [field.path, field]));
  return Object.entries(record)
    .map(([name, at]) => ({ name, field: known.get(String(at)) }))
    .sort((a, b) => (b.field?.records ?? 0) - (a.field?.records ?? 0))
    .map(({ name, field }) => ({ name, values: field?.values?.map(({ value }) => value) ?? [] }));
}

/** Returns the fields of an operation whose values are undocumented, with those that a profile observed. */
function observedValues(operation: string, profile: Profile): ObservedRowField[] {
  return factsOf(profile, "values").flatMap((fact) => {
    const name = LAST_SEGMENT.exec(fact.path)?.[1];
    if (fact.operation !== operation || name === undefined || !NAME.test(name) || fact.values.length === 0) return [];
    return [{ name, values: fact.values.map(({ value }) => value) }];
  });
}

const MAX_TEXT = 400;
const MAX_VALUES = 8;
/** A model would read a sentence as advice. */
const MAX_VALUE_WORDS = 3;

function textOf({ name, values: observed }: ObservedRowField): string {
  const values = observed.filter((value) => value.trim().split(/\s+/).length <= MAX_VALUE_WORDS);
  const shown = values.slice(0, MAX_VALUES).map((value) => singleLine(value, 40));
  return [name, shown.join(", ") + (values.length > MAX_VALUES ? ", …" : "")].filter((part) => part !== "").join(" ");
}

/** Quotes as many texts as fit. */
function quotedTexts(texts: readonly string[]): string {
  let length = 0;
  const fitting = texts.filter((text) => {
    length += text.length + 2;
    return length <= MAX_TEXT;
  });
  return quotation([...fitting, ...(fitting.length < texts.length ? ["…"] : [])].join("; "), MAX_TEXT + 8);
}

interface ListedTool {
  aliases?: readonly string[];
  operations: readonly Pick<Operation, "name" | "path">[];
}

/** Adds to the conditions of a list, as an argument, what a profile observed of its fields. Without a profile, nothing is added. */
export function withObserved(
  inputSchema: Record<string, unknown>,
  { aliases = [], operations: [operation, ...others] }: ListedTool,
  profile: Profile,
): Record<string, unknown> {
  const properties = inputSchema["properties"];
  const where = isRecord(properties) ? properties["where"] : undefined;
  // Only the tool that lists the records of the operation itself has these fields.
  if (!profile || !operation || others.length > 0 || !aliases.includes(operation.name) || !isRecord(where)) return inputSchema;
  const observed = [...observedFields(operation, profile), ...observedValues(operation.name, profile)];
  if (observed.length === 0) return inputSchema;
  const description = `${where["description"]}. Observed here: ${quotedTexts(observed.map(textOf))}`;
  return { ...inputSchema, properties: { ...(properties as object), where: { ...where, description } } };
}
