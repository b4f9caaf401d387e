import type { InterfaceDocument, NamedFixture } from "@fleetwire/contract-tests";
import { formatValue } from "@fleetwire/contract-tests/replay";
import { metadataOf, type Operation, operations } from "@fleetwire/core";
import { inOneLine, isRecord, rowFields } from "@fleetwire/core/internal";
import { privacyOf } from "./tool-call.ts";

type Json = Record<string, unknown>;

/** The list of records in a body: the body itself, the list named by `paging` or by the path, or the only list. */
function listIn({ path, paging }: Operation, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  const lists = Object.entries(value).filter(([, inner]) => Array.isArray(inner));
  const named = lists.find(([name]) => name === paging?.items || path.endsWith(`/${name}`)) ?? (lists.length === 1 ? lists[0] : undefined);
  return named ? (named[1] as unknown[]) : paging ? [] : [value];
}

/** Replaces fields that hold a record with the fields of that record. */
function spread(row: Json, names: readonly string[]): Json {
  const inner = names.map((name) => row[name]).filter(isRecord);
  return { ...Object.assign({}, ...inner), ...Object.fromEntries(Object.entries(row).filter(([field]) => !names.includes(field))) };
}

function recordsIn(operation: Operation, value: unknown): Json[] {
  const { tool } = operation;
  const records = listIn(operation, value).map((record) => (isRecord(record) ? record : { value: record }));
  const list = tool?.rows?.path.split(".")[1];
  if (list === undefined) return records;
  return records.flatMap(({ [list]: inner = [], ...outer }) => {
    return (inner as Json[]).map((row) => spread({ ...outer, ...row }, tool?.rows?.spread ?? []));
  });
}

/** The columns that are in the response and in the interface. The tool must return all of them, whatever its schema says. */
export function columnsOf(fixture: NamedFixture, document: InterfaceDocument): string[] {
  if (!("value" in fixture.expect)) return [];
  const filled = new Set(recordsIn(operations[fixture.operation], fixture.expect.value).flatMap((row) => Object.keys(row)));
  if (document.statuses(fixture.operation).length === 0) return [...filled];
  const known = new Set((document.responseFields(fixture.operation, 200) ?? []).map(({ path }) => path.split(".").at(-1)));
  return [...filled].filter((field) => known.has(field));
}

/** Tools put text from a record on one line, since hosts show it unchanged. */
const withoutLines = (text: string) => text.replace(/\r\n|[\t\n\r]/g, " ");

const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;

/** The instant that a string names, to the second, in UTC unless it states an offset; undefined for other strings. */
function instantOf(text: string): number | undefined {
  const [, date, time, zone = "Z"] = INSTANT.exec(text) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** Tools show instants in the user's time zone, with its offset. */
const isSameInstant = (found: string, recorded: string) =>
  /(?:Z|[+-]\d{2}:\d{2})$/.test(found) && instantOf(found) !== undefined && instantOf(found) === instantOf(recorded);

/** Whether a tool shows a value, in full or as the beginning of a long string. */
function matches(found: unknown, recorded: unknown): boolean {
  if (typeof found === "string" && typeof recorded === "string") {
    const wanted = withoutLines(recorded);
    return (
      found === wanted ||
      isSameInstant(found, recorded) ||
      (found.endsWith("…") && found.length > 30 && wanted.startsWith(found.slice(0, -1)))
    );
  }
  if (Array.isArray(found) && Array.isArray(recorded))
    return found.length === recorded.length && found.every((item, at) => matches(item, recorded[at]));
  if (isRecord(found) && isRecord(recorded)) {
    const names = new Set([...Object.keys(found), ...Object.keys(recorded)].filter((name) => recorded[name] !== undefined));
    return Object.keys(found).every((name) => name in recorded) && [...names].every((name) => matches(found[name], recorded[name]));
  }
  return Object.is(found, recorded);
}

const MAX_CELL_LENGTH = 60;

/** How the text shows an instant of the record. */
const inMinutes = (value: string) => (instantOf(value) === undefined ? value : value.slice(0, 16).replace("T", " "));

/** Short values of a row that are missing from the result's text. */
function missingFromText(row: Json, text: string): string[] {
  const flat = Object.entries(row).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value) && value !== "");
  return flat
    .map(([field, value]) => [field, inOneLine(String(value)).replaceAll("|", "¦")] as const)
    .filter(([, value]) => value.length <= MAX_CELL_LENGTH && !text.includes(value) && !text.includes(inMinutes(value)))
    .map(([field]) => `the text does not show ${field}`);
}

function rowProblems(rows: readonly Json[], found: readonly Json[], columns: readonly string[], text: string): string[] {
  const left = found.map((row) => row);
  const problems = rows.flatMap((row, at) => {
    const wanted = Object.fromEntries(
      columns.flatMap((field) => (row[field] === undefined || row[field] === null ? [] : [[field, row[field]]])),
    );
    const same = left.findIndex((candidate) => matches(candidate, wanted));
    if (same >= 0) return missingFromText(left.splice(same, 1)[0] as Json, text);
    // Compare with the remaining row that has the most values in common.
    const shared = (candidate: Json) =>
      columns.filter((field) => wanted[field] !== undefined && matches(candidate[field], wanted[field])).length;
    const [nearest] = left.toSorted((a, b) => shared(b) - shared(a));
    if (!nearest) return [`row ${at} (${formatValue(wanted)}) is missing`];
    left.splice(left.indexOf(nearest), 1);
    return columns
      .filter((field) => !matches(nearest[field], wanted[field]))
      .map((field) => `${field} of row ${at} is ${formatValue(nearest[field])}, expected ${formatValue(wanted[field])}`);
  });
  return [...problems, ...left.map((row) => `the tool shows a row that was not recorded: ${formatValue(row)}`)];
}

function recordProblems(value: unknown, structured: Json, text: string): string[] {
  const [[name, found] = ["", {}]] = Object.entries(structured).filter(([member]) => member !== "note");
  // The record is the body itself, or the body's property with the same name.
  const record = isRecord(value) && isRecord(value[name]) ? value[name] : value;
  if (!isRecord(record) || !isRecord(found)) return [`the result shows ${formatValue(found)}, expected ${formatValue(record)}`];
  const isEmpty = (inner: unknown) => inner === undefined || inner === null || (Array.isArray(inner) && inner.length === 0);
  const filled = Object.fromEntries(Object.entries(record).filter(([, inner]) => !isEmpty(inner)));
  const fields = [...new Set([...Object.keys(filled), ...Object.keys(found)])];
  return [
    ...fields
      .filter((field) => !matches(found[field], filled[field]))
      .map((field) => `${name}.${field} is ${formatValue(found[field])}, expected ${formatValue(filled[field])}`),
    ...missingFromText(found, text),
  ];
}

/** Columns that a tool computes and adds. */
const COMPUTED = new Set(["age", "startAge", "endAge", "direction"]);

/** A row without computed columns, except those that the service has as fields. */
const asRecorded = (row: Json, columns: readonly string[]): Json =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !COMPUTED.has(field) || columns.includes(field)));

/** A row by column, without the columns that have no value. */
const withColumns = (row: readonly unknown[], columns: readonly string[]): Json =>
  Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]])));

/** A row as a tool shows it while privacy is respected: without whereabouts on a private journey. */
function withoutWhereabouts(row: Json, operation: Operation): Json {
  const fields = Object.entries(rowFields(operation) ?? {}).map(([name, schema]) => [name, metadataOf(schema)] as const);
  if (!fields.some(([name, metadata]) => metadata?.guard !== undefined && row[name] === metadata.guard)) return row;
  const withheld = new Set(fields.flatMap(([name, metadata]) => (metadata?.withheld ? [name] : [])));
  return Object.fromEntries(Object.entries(row).filter(([name]) => !withheld.has(name)));
}

/** How a tool's result differs from what was recorded. */
export function resultProblems(
  fixture: NamedFixture,
  { columns, limit }: { columns: readonly string[]; limit: number },
  structured: Json,
  text: string,
): string[] {
  if (!("value" in fixture.expect)) return [];
  const operation: Operation = operations[fixture.operation];
  if (operation.effect !== "read") return recordProblems(fixture.expect.value, structured, text);
  const recorded = recordsIn(operation, fixture.expect.value).slice(0, limit);
  const rows = privacyOf(fixture) === "respect" ? recorded.map((row) => withoutWhereabouts(row, operation)) : recorded;
  const { columns: shown = [], rows: listed = [] } = structured as { columns?: string[]; rows?: unknown[][] };
  const found = listed.map((row) => asRecorded(withColumns(row, shown), columns));
  return rowProblems(rows, found, columns, text);
}
