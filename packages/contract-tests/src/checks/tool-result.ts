import { isRecord, type Operation, operations } from "@fleetwire/core";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { shown } from "../replay/json-differences.ts";
import type { ContractTable } from "../table/contract-table.ts";

type Json = Record<string, unknown>;

/** Operations whose tool shows a record without inner rows as a row of its own. */
const BARE_RECORDS: ReadonlySet<string> = new Set(["listVehicleFaults"]);

/** The list of records in an answer: the answer itself, the list that paging or the path names, or the only list in it. */
function listIn({ path, paging }: Operation, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  const lists = Object.entries(value).filter(([, inner]) => Array.isArray(inner));
  const named = lists.find(([name]) => name === paging?.items || path.endsWith(`/${name}`)) ?? (lists.length === 1 ? lists[0] : undefined);
  return named ? (named[1] as unknown[]) : paging ? [] : [value];
}

function recordsIn(operation: Operation, value: unknown): Json[] {
  const { name, tool } = operation;
  const records = listIn(operation, value).map((record) => (isRecord(record) ? record : { value: record }));
  const list = tool?.rows?.path.split(".")[1];
  if (list === undefined) return records;
  return records.flatMap(({ [list]: inner = [], ...outer }) => {
    const rows = (inner as Json[]).map((row) => ({ ...outer, ...row }));
    return rows.length === 0 && BARE_RECORDS.has(name) ? [outer] : rows;
  });
}

/** How many rows a tool makes of an answer. */
export const rowCountOf = ({ operation, expect }: NamedFixture): number =>
  "value" in expect ? recordsIn(operations[operation], expect.value).length : 0;

/** The columns that an answer fills and the table knows: a tool has to have every one of them, whatever its own schema says. */
export function columnsOf(fixture: NamedFixture, table: ContractTable): string[] {
  if (!("value" in fixture.expect)) return [];
  const filled = new Set(recordsIn(operations[fixture.operation], fixture.expect.value).flatMap((row) => Object.keys(row)));
  if (table.isPathOnly(fixture.operation)) return [...filled];
  const known = new Set((table.responseFields(fixture.operation, 200) ?? []).map(({ row }) => row.name));
  return [...filled].filter((field) => known.has(field));
}

/** A record's text holds no lines: hosts show it as it is. */
const withoutLines = (text: string) => text.replace(/\r\n|[\t\n\r]/g, " ");

/** Whether a tool shows a value: as it is, or the beginning of a long text. */
function agrees(found: unknown, recorded: unknown): boolean {
  if (typeof found === "string" && typeof recorded === "string") {
    const wanted = withoutLines(recorded);
    return found === wanted || (found.endsWith("…") && found.length > 30 && wanted.startsWith(found.slice(0, -1)));
  }
  if (Array.isArray(found) && Array.isArray(recorded))
    return found.length === recorded.length && found.every((item, at) => agrees(item, recorded[at]));
  if (isRecord(found) && isRecord(recorded)) {
    const names = new Set([...Object.keys(found), ...Object.keys(recorded)].filter((name) => recorded[name] !== undefined));
    return Object.keys(found).every((name) => name in recorded) && [...names].every((name) => agrees(found[name], recorded[name]));
  }
  return Object.is(found, recorded);
}

const inOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();

const LONGEST_CELL = 60;

/** Short values of a row that its text does not show. */
function missingFromText(row: Json, text: string): string[] {
  const flat = Object.entries(row).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value) && value !== "");
  return flat
    .filter(([, value]) => String(value).length <= LONGEST_CELL && !text.includes(inOneLine(String(value)).replaceAll("|", "¦")))
    .map(([field]) => `the text does not tell ${field}`);
}

function rowProblems(rows: readonly Json[], found: readonly Json[], columns: readonly string[], text: string): string[] {
  const left = found.map((row) => row);
  const problems = rows.flatMap((row, at) => {
    const wanted = Object.fromEntries(columns.flatMap((field) => (row[field] === undefined ? [] : [[field, row[field]]])));
    const same = left.findIndex((candidate) => agrees(candidate, wanted));
    if (same >= 0) return missingFromText(left.splice(same, 1)[0] as Json, text);
    // Of those that are left, the one that shares most is meant.
    const shared = (candidate: Json) =>
      columns.filter((field) => wanted[field] !== undefined && agrees(candidate[field], wanted[field])).length;
    const [nearest] = left.toSorted((a, b) => shared(b) - shared(a));
    if (!nearest) return [`row ${at} (${shown(wanted)}) is missing`];
    left.splice(left.indexOf(nearest), 1);
    return columns
      .filter((field) => !agrees(nearest[field], wanted[field]))
      .map((field) => `${field} of row ${at} is ${shown(nearest[field])}: ${shown(wanted[field])} was expected`);
  });
  return [...problems, ...left.map((row) => `a row is shown that was not recorded: ${shown(row)}`)];
}

function recordProblems(value: unknown, structured: Json, text: string): string[] {
  const [[name, found] = ["", {}]] = Object.entries(structured).filter(([member]) => member !== "note");
  // A record may be the answer itself or stand in it under the same name.
  const record = isRecord(value) && isRecord(value[name]) ? value[name] : value;
  if (!isRecord(record) || !isRecord(found)) return [`the answer shows ${shown(found)}: ${shown(record)} was expected`];
  const isEmpty = (inner: unknown) => inner === undefined || inner === null || (Array.isArray(inner) && inner.length === 0);
  const filled = Object.fromEntries(Object.entries(record).filter(([, inner]) => !isEmpty(inner)));
  const fields = [...new Set([...Object.keys(filled), ...Object.keys(found)])];
  return [
    ...fields
      .filter((field) => !agrees(found[field], filled[field]))
      .map((field) => `${name}.${field} is ${shown(found[field])}: ${shown(filled[field])} was expected`),
    ...missingFromText(found, text),
  ];
}

/** What a tool works out of a value and puts beside it. */
const COMPUTED = new Set(["age", "startAge", "endAge", "direction"]);

/** A row without what was worked out, unless the service has a field of that name. */
const asRecorded = (row: Json, columns: readonly string[]): Json =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !COMPUTED.has(field) || columns.includes(field)));

/** How the answer of a tool disagrees with what was recorded. */
export function outputProblems(
  fixture: NamedFixture,
  { columns, limit }: { columns: readonly string[]; limit: number },
  structured: Json,
  text: string,
): string[] {
  if (!("value" in fixture.expect)) return [];
  const operation: Operation = operations[fixture.operation];
  if (operation.effect !== "read") return recordProblems(fixture.expect.value, structured, text);
  // What does not fit the limit is for a cursor to ask for.
  const rows = recordsIn(operation, fixture.expect.value).slice(0, limit);
  const found = ((structured["items"] ?? []) as Json[]).map((row) => asRecorded(row, columns));
  return rowProblems(rows, found, columns, text);
}
