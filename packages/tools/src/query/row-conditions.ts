import { FleetError, metadataOf } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type * as z from "zod";
import { TimeSlices } from "../runtime/time-slices.ts";
import { singleLine } from "../text/clip-values.ts";
import { durationIn, readNumber } from "../text/read-number.ts";
import { assumedIn, type Clock, type Span, spanOf } from "../text/read-period.ts";
import { meansNothing } from "../text/spelling.ts";
import { zonedTimes } from "../text/time.ts";
import type { Row } from "./list-result.ts";
import { FLAGS, instead, quotedValues, someOf, textsIn, textsMeant, valuesOf } from "./meant-texts.ts";
import { inBrackets, isAbsent } from "./row-columns.ts";

/** A condition as written. The field's name has not been looked up yet. */
export interface WrittenCondition {
  field: string;
  operator: "=" | "!=" | ">" | ">=" | "<" | "<=";
  /** The values, one of which is enough. */
  wanted: readonly string[];
}

/** A condition on a field that the rows have. */
export interface Condition extends WrittenCondition {
  /** The schema of the field; undefined if it is undocumented. */
  schema: z.ZodType | undefined;
  /** Whether a text is the whole name of a vehicle, driver or group, and so of no other. */
  isName?: (text: string) => Promise<boolean>;
  /** Says why rows may lack the field. */
  reasonsAbsent?: (rows: readonly Row[]) => string;
}

type Matches = (value: unknown) => boolean;

interface Compiled {
  condition: Condition;
  matches: (row: Row) => boolean;
  /** What a row that does not match lacks, and might match with: the field, or a readable value in it. */
  lacks: (row: Row) => string | undefined;
  notes: readonly string[];
}

/** How many values without an equal among the existing ones are explained. */
const MAX_EXPLAINED = 8;

const neverLacks = () => undefined;

const IS_FLAG = /^(?:true|false|yes|no)$/i;

const TIME = "a date, a date-time, or a time such as 2 hours ago";

/** The error for values with which a field cannot be compared. */
function incomparable({ field, operator, wanted }: Condition, problem: string, comparable: string): FleetError {
  return new FleetError("input", `where: ${field}${operator}${singleLine(wanted.join("|"), 40)}: ${problem}`, {
    advice: `Compare with ${comparable}`,
  });
}

/** In some countries, the mark before three digits is a decimal mark; in others, it groups digits. */
const AMBIGUOUS_NUMBER = /^\s*-?\d{1,3}[.,]\d{3}(?![\d.,])/;

const readAs = (text: string, number: number | undefined) =>
  number !== undefined && AMBIGUOUS_NUMBER.test(text) ? [`${singleLine(text, 40)} is read as ${number}.`] : [];

/** Reads a duration as people write it, in minutes: `2:00`, `2 h` and `2` are hours, `90 min` minutes. */
function minutesIn(text: string): number | undefined {
  const [, number, unit = "h"] = /^(\d{1,5}(?:\.\d+)?) ?(h|hours?|m|min|minutes?)?$/i.exec(text.trim()) ?? [];
  return number === undefined ? durationIn(text) : Number(number) * (/^h/i.test(unit) ? 60 : 1);
}

const aNumber = (unit: string | undefined) => (unit === undefined ? "a number" : `a number in ${unit}`);

async function equality(condition: Condition, rows: readonly Row[], clock: Clock, slices: TimeSlices): Promise<Compiled> {
  const { field, operator, schema, wanted } = condition;
  const { holds, unit, knownBy } = (schema && metadataOf(schema)) ?? {};
  const isInstant = holds === "instant";
  const holdsInstants = isInstant || rows.some((row) => valuesOf(row[field]).some((value) => parseDateTime(value) !== undefined));
  const kind = typeof holds === "string" ? holds : /name$/i.test(field) ? "name" : undefined;
  const [existing = new Map()] = await textsIn(rows, [field], slices);
  const texts = new Set<string>();
  const spans: Span[] = [];
  const understood: { text: string; meant: readonly string[] }[] = [];
  for (const text of new Set(wanted)) {
    const { meant: alike, isEqual } = await textsMeant(text, existing, kind, slices);
    const isOther = !isEqual && alike.length > 0 && (kind === "name" || kind === "person") && (await condition.isName?.(text));
    const meant = isOther ? [] : alike;
    for (const one of meant) texts.add(one);
    // A text that looks like a time is one, unless a field that holds no times has just this text.
    const span = holdsInstants && !(isEqual && !isInstant) ? spanOf(text, clock) : undefined;
    if (span) spans.push(span);
    else if (!isEqual) understood.push({ text, meant });
  }
  const wantsNone = wanted.some((text) => text === "" || meansNothing(text));
  const numbers = wanted.map((text) => readNumber(text, unit));
  const isBoolean = rows.some((row) => valuesOf(row[field]).some((value) => typeof value === "boolean"));
  const holdsFlags = isBoolean || Object.keys(FLAGS).some((word) => existing.has(word));
  if (existing.size > 0 && texts.size === 0 && !holdsFlags && wanted.every((text) => IS_FLAG.test(text)))
    throw incomparable(condition, "is neither true nor false", `one of its values: ${someOf(existing)}, or none`);
  const isNumeric = existing.size === 0 && rows.some((row) => valuesOf(row[field]).some((value) => typeof value === "number"));
  if (isNumeric && !wantsNone && numbers.includes(undefined)) throw incomparable(condition, "is not a number", aNumber(unit));
  const equal = new Set<unknown>([...numbers, ...wanted.map((text) => FLAGS[text.toLowerCase()])]);
  const isWanted: Matches = (value) => {
    if (typeof value === "number" || typeof value === "boolean") return equal.has(value);
    if (typeof value !== "string") return false;
    const instant = spans.length > 0 ? parseDateTime(value) : undefined;
    return instant === undefined ? !isInstant && texts.has(value) : spans.some(({ start, end }) => instant >= start && instant < end);
  };
  const holdsWanted = (value: unknown) => (isAbsent(value) ? wantsNone : valuesOf(value).some(isWanted));
  const notes = isNumeric
    ? wanted.flatMap((text, at) => readAs(text, numbers[at]))
    : spans.length > 0
      ? wanted.flatMap((text) => assumedIn(text, clock))
      : [];
  const explained = existing.size === 0 || isInstant || wantsNone ? [] : understood;
  for (const { text, meant } of explained.slice(0, MAX_EXPLAINED)) {
    const written = singleLine(text, 40);
    if (meant.length > 0) notes.push(`${field}=${written} matched: ${quotedValues(meant)}`);
    else notes.push(`No ${field} matches “${written}”. ${await instead(text, existing, slices)}`);
  }
  const others = explained.slice(MAX_EXPLAINED).filter(({ meant }) => meant.length === 0);
  if (others.length > 0) notes.push(`${others.length} more of these values match no ${field}.`);
  const lacksValue = (row: Row) => (isAbsent(row[field]) ? field : undefined);
  // A row that lacks a text, such as a tag, does not match. One that lacks a number might.
  if (operator === "=")
    return { condition, matches: (row) => holdsWanted(row[field]), lacks: isNumeric || isBoolean ? lacksValue : neverLacks, notes };
  // A value that is withheld or unknown may be the unwanted one.
  return {
    condition,
    matches: (row) => !holdsWanted(row[field]) && !isAbsent(row[isAbsent(row[field]) && knownBy !== undefined ? knownBy : field]),
    lacks: wantsNone ? neverLacks : lacksValue,
    notes,
  };
}

function comparison(condition: Condition, rows: readonly Row[], clock: Clock): Compiled {
  const { field, operator, wanted, schema } = condition;
  const { holds, unit } = (schema && metadataOf(schema)) ?? {};
  const isInstant = holds === "instant";
  const [text = ""] = wanted;
  const holdsDurations = rows.some((row) => valuesOf(row[field]).some((value) => durationIn(value) !== undefined));
  const number = isInstant ? undefined : holdsDurations ? minutesIn(text) : readNumber(text, unit);
  const span = holdsDurations ? undefined : spanOf(text, clock);
  if (wanted.length > 1 || (number === undefined && span === undefined)) {
    throw isInstant
      ? incomparable(condition, "is not a time", TIME)
      : holdsDurations
        ? incomparable(condition, "is not a duration", "hours and minutes such as 2:00, or 90 min")
        : incomparable(condition, "is neither a number nor a time", unit === undefined ? `a number, ${TIME}` : aNumber(unit));
  }
  const isOnSide = (value: number, from: number, isPast: boolean) =>
    operator === ">" ? isPast : operator === "<=" ? !isPast : operator === ">=" ? value >= from : value < from;
  const numberIn = (value: unknown) =>
    holdsDurations ? durationIn(value) : typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isComparable = (value: unknown) =>
    (span !== undefined && parseDateTime(value) !== undefined) || (number !== undefined && Number.isFinite(numberIn(value)));
  const holdsComparable = (row: Row) => valuesOf(row[field]).some(isComparable);
  if (unit === undefined && !isInstant && rows.some((row) => !isAbsent(row[field])) && !rows.some(holdsComparable))
    throw incomparable(condition, "is neither a number nor a time", `= or !=, such as ${field}!=none`);
  const matches: Matches = (value) => {
    const instant = span && parseDateTime(value);
    if (span && instant !== undefined) return isOnSide(instant, span.start, instant >= span.end);
    const stored = numberIn(value);
    if (typeof stored !== "number" || Number.isNaN(stored) || number === undefined) return false;
    return isOnSide(stored, number, stored > number);
  };
  const notes = span ? assumedIn(text, clock) : readAs(text, number);
  const lacks = (row: Row) => (isAbsent(row[field]) ? field : holdsComparable(row) ? undefined : `a readable ${field}`);
  return { condition, matches: (row) => valuesOf(row[field]).some(matches), lacks, notes };
}

const textOf = (conditions: readonly Condition[]) =>
  singleLine(conditions.map(({ field, operator, wanted }) => `${field}${operator}${wanted.join("|")}`).join(" and "), 200);

const rangeOf = (numbers: readonly number[]): number[] =>
  numbers.length === 0 ? [] : [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];

async function rowsMeeting(compiled: readonly Compiled[], rows: readonly Row[], slices: TimeSlices): Promise<Row[]> {
  const meeting: Row[] = [];
  await slices.each(rows, (row) => {
    if (compiled.every(({ matches }) => matches(row))) meeting.push(row);
  });
  return meeting;
}

/** For a condition that no row meets in combination with the others, says what values the rows that meet the others have. */
async function whyNone(
  { condition }: Compiled,
  rows: readonly Row[],
  compiled: readonly Compiled[],
  { now, timeZone }: Clock,
  slices: TimeSlices,
): Promise<string> {
  if (/^!?=$/.test(condition.operator)) return "";
  const others = compiled.filter((other) => other.condition !== condition);
  const meeting = await rowsMeeting(others, rows, slices);
  const values = meeting.flatMap(({ [condition.field]: value }) => (isAbsent(value) ? [] : [value]));
  const rest = textOf(others.map((other) => other.condition));
  const numbers = values.filter((value) => typeof value === "number");
  const instants = values.flatMap((value) => parseDateTime(value) ?? []);
  const { text } = zonedTimes(timeZone, now);
  const [lowest, highest] = numbers.length > 0 ? rangeOf(numbers) : rangeOf(instants).map(text);
  const range = numbers.length + instants.length > 0 ? `, from ${lowest} to ${highest}` : "";
  return `Of ${meeting.length}${rest && ` with ${rest}`}, ${values.length} have ${condition.field}${range}.`;
}

/** Returns the rows that meet all conditions, with notes on how these were understood. Works in slices, because there may be many rows. */
export async function filterRows(
  rows: readonly Row[],
  conditions: readonly Condition[],
  clock: Clock,
): Promise<{ rows: Row[]; notes: string[] }> {
  if (conditions.length === 0) return { rows: [...rows], notes: [] };
  const slices = new TimeSlices();
  const compiled: Compiled[] = [];
  for (const condition of conditions) {
    const isEquality = condition.operator === "=" || condition.operator === "!=";
    compiled.push(isEquality ? await equality(condition, rows, clock, slices) : comparison(condition, rows, clock));
  }
  const unknown = new Map<string, { lacking: Row[]; failed: readonly Compiled[] }>();
  const matching: Row[] = [];
  await slices.each(rows, (row) => {
    const failed = compiled.filter(({ matches }) => !matches(row));
    if (failed.length === 0) matching.push(row);
    const lacking = failed.map(({ lacks }) => lacks(row));
    if (lacking.length === 0 || lacking.includes(undefined)) return;
    const what = [...new Set(lacking)].join(" and ");
    const existing = unknown.get(what);
    if (existing) existing.lacking.push(row);
    else unknown.set(what, { lacking: [row], failed });
  });
  const reasons: string[] = [];
  for (const one of matching.length === 0 && rows.length > 0 ? compiled : []) {
    const reason = await whyNone(one, rows, compiled, clock, slices);
    if (reason !== "") reasons.push(reason);
  }
  return {
    rows: matching,
    notes: [
      ...reasons,
      `Where ${textOf(compiled.map(({ condition }) => condition))}.`,
      ...[...unknown].map(([what, { lacking, failed }]) => {
        const reasons = new Set(failed.flatMap(({ condition }) => condition.reasonsAbsent?.(lacking) || []));
        return `Left out without ${what}: ${lacking.length}${inBrackets([...reasons].join("; "))}.`;
      }),
      ...compiled.flatMap(({ notes }) => notes),
    ],
  };
}
