import { FleetError, type LikelyRecords, type Operation } from "@fleetwire/core";
import { isRecord, parseDateTime } from "@fleetwire/core/internal";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { cell, singleLine } from "../text/clip-values.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { quotation } from "../text/quotation.ts";
import { announcedIn } from "./announced-records.ts";
import { callRead } from "./call-read.ts";
import { filteredRecords } from "./filtered-records.ts";
import type { Row } from "./list-result.ts";
import { withMonthFirst } from "./month-first-dates.ts";
import { namedInputs } from "./named-inputs.ts";
import type { QuerySource, RowsRequest } from "./queried-tool.ts";
import { withoutFlags } from "./read-conditions.ts";
import { timeFields } from "./record-matching.ts";
import { rowColumns } from "./row-columns.ts";
import { fieldMeant } from "./row-fields.ts";

interface Records {
  records: Row[];
  /** The values alongside the list. */
  rest: Row;
}

/** Names of lists that hold the records, whatever these are, and of objects that hold only the list, and values about it. */
const RECORDS = /^(?:items|data|results?|records|rows|entries|elements|content|values?)$/i;
const WRAPPER = /^(?:_?embedded|data|results?|response|payload|body|content|hits|page|d)$/i;

/** Names of lists that accompany the records. */
const BESIDE = /^(?:_?links?|errors|warnings|messages)$/i;

const MAX_WRAPPERS = 3;

/** Finds the list in an object: the one named like the last segment of the path, the only one, or one in a wrapper. */
function listIn(response: Row, path: string, depth = MAX_WRAPPERS): { list: unknown[]; rest: Row } | undefined {
  const isNamed = (name: string) => path.endsWith(`/${name}`);
  const lists = Object.keys(response).filter((name) => Array.isArray(response[name]) && (isNamed(name) || !BESIDE.test(name)));
  const named = lists.find(isNamed) ?? (lists.length === 1 ? lists[0] : lists.find((name) => RECORDS.test(name)));
  if (named !== undefined) {
    const { [named]: list, ...rest } = response;
    return { list: list as unknown[], rest };
  }
  if (depth === 0) return undefined;
  for (const [name, value] of Object.entries(response)) {
    const inner = isRecord(value) && (isNamed(name) || WRAPPER.test(name)) ? listIn(value, path, depth - 1) : undefined;
    if (!inner) continue;
    const { [name]: _, ...others } = response;
    return { list: inner.list, rest: { ...others, ...(Object.keys(inner.rest).length > 0 && { [name]: inner.rest }) } };
  }
  return undefined;
}

/** Leaves out what stands for a number that JSON cannot express, such as NaN. */
const withoutInfinite = (record: Row): Row =>
  Object.values(record).includes(Number.POSITIVE_INFINITY)
    ? Object.fromEntries(Object.entries(record).filter(([, value]) => value !== Number.POSITIVE_INFINITY))
    : record;

/**
 * Finds the records in a response of unknown shape: the response itself if it is a list, or the list in it. A response without one is a
 * single record.
 */
export function findRecords(response: unknown, path: string): Records {
  const asRows = (list: readonly unknown[]) => list.map((item) => withoutInfinite(isRecord(item) ? item : { value: item }));
  if (Array.isArray(response)) return { records: asRows(response), rest: {} };
  if (!isRecord(response)) return { records: asRows([response]), rest: {} };
  const found = listIn(response, path);
  return found ? { records: asRows(found.list), rest: withoutInfinite(found.rest) } : { records: asRows([response]), rest: {} };
}

const MAX_FIELDS_NAMED = 15;
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

function namesOf(others: readonly string[]): string {
  const some = others.length > MAX_FIELDS_NAMED ? ` (${MAX_FIELDS_NAMED} of ${others.length})` : "";
  return `Other fields${some}: ${quotation(others.slice(0, MAX_FIELDS_NAMED).join(", "), 400)}`;
}

/** Names the fields that the rows have but that are not shown, and the expected fields that no row has. */
function notesOnOthers(rows: readonly Row[], known: readonly string[], shown: readonly string[], expected: readonly string[]): string[] {
  const isHeld = (field: string) => rows.some(({ [field]: value }) => value !== undefined && value !== null);
  const others = [...new Set(known)].filter((field) => isHeld(field) && !shown.includes(field));
  const missing = expected.filter((field) => !isHeld(field));
  return [
    ...(missing.length > 0 ? [`Without ${missing.map((field) => singleLine(field, 40)).join(", ")}.`] : []),
    ...(others.length > 0 ? [namesOf(others)] : []),
  ];
}

/** Schema for the query parameters of an operation. Errors show models the expected format. */
function queryRecord({ query: { query } }: Operation): z.ZodType {
  const { valueType } = (query as z.ZodOptional<z.ZodRecord>).unwrap();
  return z.record(z.string().min(1), valueType as z.ZodType, "must look like status=NEW&limit=5").optional();
}

/** A failure caused by the request, such as a parameter that the service does not accept. */
const isRefused = (error: unknown) => error instanceof FleetError && (error.code === "rejected" || error.code === "notFound");

/**
 * Reads the records. Conditions that cannot be checked here, because no record has the field or records are missing, are also sent as query parameters.
 * Since these are undocumented, those without an effect are left for the caller to check, and to reject if no record has the field.
 */
async function readRecords(operation: Operation, { asked, given }: RowsRequest, context: FleetContext) {
  const { dayFirst = [] } = operation.tool?.likely ?? {};
  const read = async (query: Readonly<Record<string, unknown>>): Promise<Records> => {
    const all = { ...(isRecord(given["query"]) && given["query"]), ...query };
    const output = await callRead(operation, { ...given, ...(Object.keys(all).length > 0 && { query: all }) }, context);
    const { records, rest } = findRecords(output, operation.path);
    return { records: records.map((record) => withMonthFirst(record, dayFirst)), rest };
  };
  const plain = await read({});
  const known = fieldsOf(plain.records);
  const isPartial = announced(operation, plain) !== undefined;
  const conditions = withoutFlags(asked.conditions, (name) => known.includes(name));
  const sendable = conditions.filter(({ operator, wanted }) => operator === "=" && wanted.length === 1);
  const isUnknown = (field: string) => plain.records.length > 0 && fieldMeant(field, { fields: known, shape: {} }) === undefined;
  const sent = operation.query["query"] ? sendable.filter(({ field }) => isPartial || isUnknown(field)) : [];
  const unknown = sent.filter(({ field }) => isUnknown(field)).map(({ field }) => field);
  if (sent.length === 0) return { ...plain, parameters: [] };
  try {
    const narrowed = await read(
      Object.fromEntries(sent.map(({ field, wanted }) => [fieldMeant(field, { fields: known, shape: {} }) ?? field, wanted[0]])),
    );
    const hasEffect = fingerprint([narrowed.records.length, ...narrowed.records]) !== fingerprint([plain.records.length, ...plain.records]);
    // An empty list may mean that the service writes the value differently.
    if (hasEffect && (narrowed.records.length > 0 || unknown.length > 0)) return { ...narrowed, parameters: unknown };
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  return { ...plain, parameters: [] };
}

const nounsOf = ({ tool, path }: Operation): readonly string[] => [...(tool?.likely?.noun ?? []), path.slice(path.lastIndexOf("/") + 1)];

const announced = (operation: Operation, { records, rest }: Records) => announcedIn(rest, records.length, nounsOf(operation));

const fieldsOf = (records: readonly Row[]): string[] => [...new Set(records.flatMap((record) => Object.keys(record)))];

const isShowable = (value: unknown) => value !== undefined && typeof value !== "object";

/** What people ask for first: what a record is about, then when it happened. */
const NAMES = /name|registration|title/i;
const IDS = /(^|_)id$|Ids?$|number$|uuid|guid/;

/** The fields that fit in a table: names first, then times and other values that differ, and ids last. */
function rankedFields(records: readonly Row[], known: readonly string[]): { fields: string[]; others: string[] } {
  const isSame = (field: string) => records.length > 1 && new Set(records.map((record) => record[field])).size === 1;
  const [time] = timeFields(records);
  const rankOf = (field: string) => (isSame(field) ? 4 : NAMES.test(field) ? 0 : field === time ? 1 : IDS.test(field) ? 3 : 2);
  const fields = known.filter((field) => records.some((record) => isShowable(record[field]))).sort((a, b) => rankOf(a) - rankOf(b));
  return { fields, others: fields.filter((field) => rankOf(field) < 3) };
}

/** Returns the rows of an endpoint of which only the path is documented. They are passed through, within the limits of every list. */
export function undocumentedRows(operation: Operation): QuerySource {
  const likely: LikelyRecords = operation.tool?.likely ?? { noun: ["record", "records"], example: "field=value", about: [], columns: [] };
  const { noun } = likely;
  const takesQuery = operation.query["query"] !== undefined;
  const words = operation.tool?.likely ? Object.values(namedInputs(operation).arguments) : [];
  return {
    arguments: Object.fromEntries(words.map(({ word, schema }) => [word, schema.optional()])),
    // OpenAI's strict mode and Gemini do not support maps; repair-arguments.ts parses the query string.
    accepts: takesQuery ? { query: queryRecord(operation) } : {},
    noun,
    example: likely.example,
    query: undefined,
    read: async (request, context) => {
      const { asked, resolved } = request;
      const { records, rest, parameters } = await readRecords(operation, request, context);
      const more = announced(operation, { records, rest });
      const isPlain = asked.fingerprint === "" && !asked.fields && resolved.carried.length === 0;
      const known = fieldsOf(records);
      const { records: matching, notes } = filteredRecords(records, resolved, noun);
      const instants = known.filter((field) =>
        records.some(({ [field]: value }) => typeof value === "string" && value.includes("T") && parseDateTime(value) !== undefined),
      );
      const ranked = rankedFields(records, known);
      const expected = likely.columns.filter((field) => ranked.fields.includes(field));
      const columns = expected.length > 1 ? expected : ranked.fields;
      return {
        noun,
        rows: matching,
        fields: known,
        served: parameters,
        hasNoFields: records.length === 0,
        shape: {},
        columns: { ...rowColumns({}), shown: () => Object.fromEntries(instants.map((field) => [field, { isInstant: true }])) },
        defaultFields: columns.length > 0 ? columns : known,
        moreFields: ranked.others,
        query: undefined,
        part: more && { of: noun, read: records.length, ...more, isFirst: request.given["query"] === undefined },
        notes: [
          ...notes,
          ...(parameters.length > 0 ? [`Sent to the service: ${parameters.map((field) => singleLine(field, 40)).join(", ")}.`] : []),
        ],
        notesOn: (page, fields) => [
          ...(asked.fields || page.length === 0 ? [] : notesOnOthers(page, [...ranked.others, ...known], fields, expected)),
          // They are the same in each response, and most useful if there is little else.
          ...(isPlain || more !== undefined || page.length === 0 ? remarksOn(rest) : []),
        ],
      };
    },
  };
}
