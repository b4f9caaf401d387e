import type { DeploymentProfile, LikelyRecords, Operation } from "@fleetwire/core";
import { type FactOf, factsOf, isRecord, parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import { cell, quotation, singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";
import type { Row } from "./list-result.ts";
import { namedInputs, type ResolvedInputs } from "./named-inputs.ts";
import type { OperationRows } from "./operation-list.ts";
import { asRecord, findRecords, readRecords } from "./read-records.ts";
import { rowColumns } from "./row-columns.ts";

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
function observedFields({ name: operation, path }: Pick<Operation, "name" | "path">, profile: Profile): ObservedRowField[] {
  const shape = factsOf(profile, "shape").find((fact) => fact.operation === operation);
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

const MAX_DEPTH = 4;

/** Every value in a record, with the path of its field; the members of a list have that of the list. */
function* valuesIn(value: unknown, path = "", depth = MAX_DEPTH): Generator<[path: string, value: unknown]> {
  if (Array.isArray(value)) for (const member of value) yield* valuesIn(member, path, depth);
  else if (!isRecord(value)) yield [path, value];
  else if (depth > 0)
    for (const [field, inner] of Object.entries(value)) yield* valuesIn(inner, path === "" ? field : `${path}.${field}`, depth - 1);
}

/** Returns the fields of a record that fit. */
type Fitting = (record: Row) => readonly string[];

/** Any value may be the one that fits. */
const anyValue =
  (fits: (value: unknown) => boolean): Fitting =>
  (record) =>
    [...valuesIn(record)].flatMap(([path, value]) => (fits(value) ? [path] : []));

const instantOf = (value: unknown) => (typeof value === "string" ? parseDateTime(value) : undefined);

/** Returns how a period selects records, and the number of those without the times that it goes by. */
function fitsPeriod(
  records: readonly Row[],
  { start, end }: Span,
  takesPlace: LikelyRecords["takesPlace"] = [],
): { fits: Fitting; without: number } {
  const spanOf = (record: Row, [from, to]: readonly [string, string]) => {
    const [first = instantOf(record[to]), last = first] = [instantOf(record[from]), instantOf(record[to])];
    return first === undefined || last === undefined ? undefined : { first, last };
  };
  const timed = records.filter((record) => takesPlace.some((fields) => spanOf(record, fields)));
  const isWithin = (value: unknown) => {
    const instant = instantOf(value);
    return instant !== undefined && instant >= start && instant < end;
  };
  if (timed.length === 0) return { fits: anyValue(isWithin), without: 0 };
  const fits: Fitting = (record) =>
    takesPlace.flatMap((fields) => {
      const span = spanOf(record, fields);
      const overlaps = span && span.first < end && (span.last > start || span.first >= start);
      return overlaps ? fields.filter((field) => record[field] !== undefined) : [];
    });
  return { fits, without: records.length - timed.length };
}

/** Keeps the records of the entities and the period that a model named, any of whose values may be the one, and says by which fields they matched. */
function filtered(
  records: readonly Row[],
  { named, span }: ResolvedInputs,
  { noun, takesPlace }: Pick<LikelyRecords, "noun" | "takesPlace">,
) {
  let kept = records;
  const notes: string[] = [];
  const keep = (what: string, fits: Fitting) => {
    if (kept.length === 0) return;
    const fields = new Set<string>();
    kept = kept.filter((record) => {
      const matched = fits(record);
      for (const path of matched) fields.add(path);
      return matched.length > 0;
    });
    const names = [...fields].map((field) => singleLine(field, 64)).join(", ");
    notes.push(names === "" ? `${what}: no value of the ${noun[1]} matches.` : `${what} matched on ${names}.`);
  };
  for (const [kind, values] of Object.entries(named)) {
    // A name without letters and digits would equal every empty value.
    const codes = new Set(values.flatMap(({ called }) => called.flatMap((text) => plateOf(text) || [])));
    const isCode = (value: unknown) => (typeof value === "string" || typeof value === "number") && codes.has(plateOf(String(value)));
    keep(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, anyValue(isCode));
  }
  if (!span) return { records: kept, notes };
  const period = fitsPeriod(kept, span, takesPlace);
  keep("Period", period.fits);
  return {
    records: kept,
    notes: [...notes, ...(period.without > 0 ? [`Left out without these times: ${pluralize(period.without, noun)}.`] : [])],
  };
}

const MAX_REMARKS = 4;

/** Returns notes on the values alongside the list. The values are quoted, because they come from the service. */
function remarksOn(rest: Row): string[] {
  const remarks = Object.entries(rest).map(
    ([name, value]) => `${singleLine(name, 64)}: ${Array.isArray(value) ? `a list of ${value.length}` : cell(value)}`,
  );
  const more = remarks.length - MAX_REMARKS;
  return [
    ...(more > 0 ? [`Values alongside the list that are not shown: ${more}.`] : []),
    ...(remarks.length > 0 ? [`Alongside the list: ${quotation(remarks.slice(0, MAX_REMARKS).join("; "), 600)}`] : []),
  ];
}

const MAX_FIELDS_NAMED = 15;

/** Names the fields that rows have but that are not shown. */
function otherFields(rows: readonly Row[], fields: readonly string[], shown: readonly string[]): string[] {
  const others = fields.filter(
    (field) => !shown.includes(field) && rows.some(({ [field]: value }) => value !== undefined && value !== null),
  );
  if (others.length === 0) return [];
  const some = others.length > MAX_FIELDS_NAMED ? ` (${MAX_FIELDS_NAMED} of ${others.length})` : "";
  return [`Other fields${some}: ${quotation(others.slice(0, MAX_FIELDS_NAMED).join(", "), 400)}`];
}

/** Schema for the query parameters of an operation. Errors show models the expected format. */
function queryRecord({ query: { query } }: Operation): z.ZodType {
  const { valueType } = (query as z.ZodOptional<z.ZodRecord>).unwrap();
  return z.record(z.string().min(1), valueType as z.ZodType, "must look like status=NEW&limit=5").optional();
}

const isShowable = (value: unknown) => value !== undefined && typeof value !== "object";

/** Returns the rows of an endpoint of which only the path is documented. They are passed through, within the limits of every list. */
export function undocumentedRows(operation: Operation): OperationRows {
  const likely: LikelyRecords = operation.tool?.likely ?? { noun: ["record", "records"], example: "field=value", about: [] };
  const { noun: listed } = likely;
  const words = operation.tool?.likely ? Object.values(namedInputs(operation).arguments) : [];
  const nouns = [...(operation.tool?.likely?.noun ?? []), operation.path.slice(operation.path.lastIndexOf("/") + 1)];
  return {
    arguments: Object.fromEntries(words.map(({ word, schema }) => [word, schema.optional()])),
    // OpenAI's strict mode and Gemini do not support maps; arguments/checked-arguments.ts parses the query string.
    accepts: operation.query["query"] ? { query: queryRecord(operation) } : {},
    noun: listed,
    example: likely.example,
    order: undefined,
    read: async ({ asked, resolved, others }, context) => {
      const { records, rest, more, isList } = await readRecords(operation, others, nouns, context);
      const noun: Noun = isList ? listed : [`response without a list of ${listed[1]}`, `responses without a list of ${listed[1]}`];
      const present = [...new Set(records.flatMap((record) => Object.keys(record)))];
      // An observed field can be asked for even if none of these records has it.
      const observed = observedFields(operation, context.settings.profile).map(({ name }) => name);
      const planned = (likely.takesPlace ?? []).flat().filter((field) => present.includes(field));
      const fields = present.length === 0 ? present : [...new Set([...planned, ...present, ...observed])];
      const { records: rows, notes } = filtered(records, resolved, { ...likely, noun });
      const instants = fields.filter((field) =>
        records.some(({ [field]: value }) => typeof value === "string" && value.includes("T") && parseDateTime(value) !== undefined),
      );
      const showable = fields.filter((field) => records.some((record) => isShowable(record[field])));
      const isPlain = asked.fingerprint === "" && !asked.fields && resolved.carried.length === 0;
      return {
        noun,
        rows,
        fields,
        shape: {},
        columns: { ...rowColumns({}), shown: () => Object.fromEntries(instants.map((field) => [field, { isInstant: true }])) },
        defaultFields: showable.length > 0 ? showable : present,
        moreFields: showable,
        part: more && { of: noun, read: records.length, ...more, isFirst: others["query"] === undefined },
        notes,
        notesOn: (page, shown) => [
          ...(asked.fields || page.length === 0 ? [] : otherFields(page, fields, shown)),
          // They are the same in each response, and most useful if there is little else.
          ...(isPlain || more !== undefined || page.length === 0 ? remarksOn(rest) : []),
        ],
      };
    },
  };
}
