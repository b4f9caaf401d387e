import { isRecord, parseDateTime } from "@fleetwire/core/internal";
import { fold, latinLetters, rawWords } from "../text/spelling.ts";
import type { Row } from "./list-result.ts";

/** A value in a record: in one of its fields, or in a nested record such as `vehicle.id`. Lists are skipped, since they may hold former assignments. */
function* leavesOf(record: Row): Generator<[path: string, value: unknown]> {
  for (const [field, value] of Object.entries(record)) {
    if (!isRecord(value)) yield [field, value];
    else for (const [inner, leaf] of Object.entries(value)) yield [`${field}.${inner}`, leaf];
  }
}

const normalized = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? latinLetters(rawWords(fold(String(value))).join("")) : undefined;

export interface MatchedRecords {
  records: Row[];
  /** The fields in which one of the texts was found. */
  fields: readonly string[];
}

/** Names of fields. */
export interface FieldNames {
  /** Fields that hold something else. */
  other: RegExp;
  /** The only fields in which a number counts: a vehicle may be called 200, which is also a common radius. */
  numbered: RegExp;
}

/** Returns the records in which a field equals one of the texts, ignoring case and punctuation. The names of fields decide which may. */
export function recordsCalled(records: readonly Row[], texts: readonly string[], names: FieldNames | undefined): MatchedRecords {
  const wanted = new Set(texts.map(normalized));
  const fields = new Set<string>();
  const matching = records.filter((record) => {
    let isMatch = false;
    for (const [path, value] of leavesOf(record)) {
      const text = normalized(value);
      if (!text || !wanted.has(text) || names?.other.test(path)) continue;
      if (names && /^\d+$/.test(text) && !names.numbered.test(path)) continue;
      fields.add(path);
      isMatch = true;
    }
    return isMatch;
  });
  return { records: matching, fields: [...fields] };
}

/** The fields most likely to say when something happens, most likely first. */
const TIMES = [/sched|planned/i, /start|due/i, /^(date|time|timestamp|at|when)$/i, /date|time|occur|(?<=[a-z])At$/, /creat/i];
/** Times at which a record was changed or computed, rather than when it happens. */
const OF_RECORD = /update|modif|chang|server|calc|last/i;

/** Returns the fields that hold a date or time in some record, those most likely to say when it happens first. */
export function timeFields(records: readonly Row[]): string[] {
  const held = new Set(records.flatMap((record) => Object.keys(record).filter((field) => parseDateTime(record[field]) !== undefined)));
  const rankOf = (field: string) => {
    const rank = TIMES.findIndex((pattern) => pattern.test(field));
    return OF_RECORD.test(field) || rank === -1 ? TIMES.length : rank;
  };
  return [...held].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the records whose time in this field is within a period. */
export const recordsWithin = (records: readonly Row[], field: string, { start, end }: { start: number; end: number }): Row[] =>
  records.filter((record) => {
    const instant = parseDateTime(record[field]);
    return instant !== undefined && instant >= start && instant < end;
  });
