import { isDayFirstDate, parseDateTime } from "@fleetwire/core/internal";
import type { Row } from "./list-result.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Writes a date with the month first. If it is not certain which of its numbers is the month, says so, so that it is not read as a date. */
function monthFirst(value: unknown): unknown {
  const [date, year, one, other] = (typeof value === "string" && DATE.exec(value)) || [];
  if (date === undefined || one === other || !isDayFirstDate(date)) return value;
  return parseDateTime(date) === undefined ? `${year}-${other}-${one}` : `${date} (day or month first)`;
}

/** Makes dates unambiguous in fields where the day may precede the month. */
export function withMonthFirst(record: Row, fields: readonly string[]): Row {
  const dates = fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, monthFirst(record[field])] as const);
  return { ...record, ...Object.fromEntries(dates) };
}
