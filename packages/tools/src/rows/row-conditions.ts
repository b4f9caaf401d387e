import { FleetError, metadataOf, parseDateTime } from "@fleetwire/core";
import type * as z from "zod";
import { readPeriod } from "../aggregate/period.ts";
import { labelsMeaning } from "../aggregate/vehicle-kind.ts";
import { countryCodeOf, countryNameOf } from "../names/countries.ts";
import { fold, isTypo, rawWords } from "../names/spelling.ts";
import { placeWords, townsCalled } from "../names/towns.ts";
import { singleLine } from "../results/clip-values.ts";
import type { Row } from "../results/list-result.ts";
import { quotation } from "../results/quotation.ts";
import type { WrittenCondition } from "./read-conditions.ts";

/** A condition on a field that the rows have. */
export interface Condition extends WrittenCondition {
  /** The schema of the field; undefined if it is undocumented. */
  schema: z.ZodType | undefined;
}

interface Clock {
  now: number;
  timeZone: string | undefined;
}

type Matches = (value: unknown) => boolean;

interface Compiled {
  condition: Condition;
  matches: (row: Row) => boolean;
  notes: readonly string[];
}

/**
 * Other names under which the values of a field are known, by what the field holds, such as exonyms of a town. A condition on such a field also accepts
 * these.
 */
const otherNames: Readonly<Record<string, (wanted: string) => readonly string[]>> = {
  place: (wanted) => townsCalled(placeWords(wanted)).flatMap(({ name, names }) => [name, ...names]),
  country: (wanted) => {
    const code = countryCodeOf(wanted);
    return code === undefined ? [] : [code, countryNameOf(code)];
  },
};

const MAX_VALUES_NAMED = 8;

const valuesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

const isAbsent = (value: unknown) => value === "" || valuesOf(value).length === 0;

/** Compares texts without case, accents and punctuation: RED_STOP is "red stop". */
const normalized = (text: string) => rawWords(fold(text)).join(" ");

const NUMBER = /^[<>=\s]*(-?\d+(?:[.,]\d+)?)(?!\d*[-:T]\d)/;

function numberIn(text: string): number | undefined {
  const [, digits] = NUMBER.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(",", "."));
}

/** Reads an instant, a day or a period such as "last week"; undefined if it is none of these. */
function spanOf(text: string, { now, timeZone }: Clock): { start: number; end: number } | undefined {
  const instant = /T/.test(text) ? parseDateTime(text) : undefined;
  if (instant !== undefined) return { start: instant, end: instant + 1 };
  try {
    return readPeriod(text, now, timeZone);
  } catch (error) {
    if (error instanceof FleetError) return undefined;
    throw error;
  }
}

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

/** Words for the same flag value. */
const sameFlag = (text: string) => Object.keys(FLAGS).filter((word) => FLAGS[word] === FLAGS[text]);

/**
 * Finds the existing values that are meant: those equal to the wanted text or, if there are none, those that contain it or its words, or
 * that mean the same, such as EV for electric and ON for true.
 */
function textsMeant(
  wanted: string,
  existing: ReadonlyMap<string, string>,
  holds: string | undefined,
): { meant: string[]; isEqual: boolean } {
  const accepted = [wanted, ...(otherNames[holds ?? ""]?.(wanted) ?? [])].map(normalized).filter((text) => text !== "");
  const among = (fits: (text: string, name: string) => boolean) =>
    [...existing].flatMap(([value, text]) => (accepted.some((name) => fits(text, name)) ? [value] : []));
  const equal = among((text, name) => text === name);
  if (equal.length > 0) return { meant: equal, isEqual: true };
  const containing = among((text, name) => ` ${text} `.includes(` ${name} `));
  if (containing.length > 0) return { meant: containing, isEqual: false };
  const synonyms = new Set([...sameFlag(wanted.toLowerCase()), ...labelsMeaning(wanted, [...existing.keys()])].map(normalized));
  const synonymous = among((text) => synonyms.has(text));
  return { meant: synonymous.length > 0 ? synonymous : among((text, name) => text.includes(name)), isEqual: false };
}

const listed = (values: readonly string[]) =>
  quotation(
    values
      .slice(0, MAX_VALUES_NAMED)
      .map((value) => singleLine(value, 40))
      .join(", "),
    200,
  );

/** Says which values are spelt similarly or, if none is, which values exist. */
function instead(wanted: string, existing: ReadonlyMap<string, string>): string {
  const alike = [...existing].flatMap(([value, text]) => (isTypo(normalized(wanted), text) ? [value] : []));
  return alike.length > 0 ? `Spelt alike: ${listed(alike)}` : `It can be: ${listed([...existing.keys()].sort())}`;
}

function equality(condition: Condition, rows: readonly Row[], clock: Clock): Compiled {
  const { field, operator, wanted, schema } = condition;
  const holds = schema && metadataOf(schema)?.holds;
  const isInstant = holds === "instant";
  const existing = new Map<string, string>();
  for (const row of rows) {
    for (const value of valuesOf(row[field])) if (typeof value === "string" && !existing.has(value)) existing.set(value, normalized(value));
  }
  const values = wanted.map((text) => {
    const { meant, isEqual } = textsMeant(text, existing, typeof holds === "string" ? holds : undefined);
    return {
      text,
      meant,
      isEqual,
      // A text that looks like a time is one, unless a field that holds no times has just this text.
      span: isEqual && !isInstant ? undefined : spanOf(text, clock),
      number: numberIn(text),
      flag: FLAGS[text.toLowerCase()],
    };
  });
  const texts = new Set(values.flatMap(({ meant }) => meant));
  const isWanted: Matches = (value) => {
    if (typeof value === "number") return values.some(({ number }) => number === value);
    if (typeof value === "boolean") return values.some(({ flag }) => flag === value);
    if (typeof value !== "string") return false;
    const instant = values.some(({ span }) => span) ? parseDateTime(value) : undefined;
    return instant === undefined
      ? !isInstant && texts.has(value)
      : values.some(({ span }) => span && instant >= span.start && instant < span.end);
  };
  const wantsNone = wanted.some((text) => text === "" || /^(none|null|-)$/i.test(text));
  const holdsWanted = (value: unknown) => (isAbsent(value) ? wantsNone : valuesOf(value).some(isWanted));
  const notes =
    existing.size === 0 || isInstant
      ? []
      : values.flatMap(({ text, meant, isEqual, span }) => {
          if (isEqual || span || wantsNone) return [];
          if (meant.length > 0) return [`${field}=${singleLine(text, 40)} matched: ${listed(meant)}`];
          return [`No ${field} matches “${singleLine(text, 40)}”. ${instead(text, existing)}`];
        });
  const isNegated = operator === "!=";
  return { condition, matches: (row) => holdsWanted(row[field]) !== isNegated, notes };
}

function comparison(condition: Condition, clock: Clock): Compiled {
  const { field, operator, wanted } = condition;
  const [text = ""] = wanted;
  const [number, span] = [numberIn(text), spanOf(text, clock)];
  if (wanted.length > 1 || (number === undefined && span === undefined)) {
    throw new FleetError("input", `where: ${field}${operator}${singleLine(wanted.join("|"), 40)}: is neither a number nor a time`, {
      advice: "Compare with one number, date or date-time",
    });
  }
  const isOnSide = (value: number, from: number, until: number) =>
    operator === ">" ? value >= until : operator === ">=" ? value >= from : operator === "<" ? value < from : value < until;
  const matches: Matches = (value) => {
    const instant = span && parseDateTime(value);
    if (span && instant !== undefined) return isOnSide(instant, span.start, span.end);
    const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof given !== "number" || number === undefined) return false;
    return operator === ">" ? given > number : operator === ">=" ? given >= number : operator === "<" ? given < number : given <= number;
  };
  return { condition, matches: (row) => valuesOf(row[field]).some(matches), notes: [] };
}

const textOf = ({ field, operator, wanted }: Condition) => `${field}${operator}${wanted.join("|")}`;

/** For a condition that no row meets in combination with the others, says how many rows meet the others and what their values are. */
function whyNone({ condition }: Compiled, rows: readonly Row[], compiled: readonly Compiled[]): string {
  if (/^!?=$/.test(condition.operator)) return "";
  const others = compiled.filter((other) => other.condition !== condition);
  const meeting = rows.filter((row) => others.every(({ matches }) => matches(row)));
  const numbers = meeting.flatMap(({ [condition.field]: value }) => (typeof value === "number" ? [value] : []));
  if (numbers.length === 0) return `${meeting.length} meet the other conditions, none with ${condition.field}.`;
  const range = `from ${Math.min(...numbers)} to ${Math.max(...numbers)}`;
  return `${meeting.length} meet the other conditions, ${numbers.length} of them with ${condition.field}, ${range}.`;
}

export interface FilteredRows {
  rows: Row[];
  notes: string[];
}

/** Returns the rows that meet all conditions, with notes on how these were understood. */
export function filterRows(rows: readonly Row[], conditions: readonly Condition[], clock: Clock): FilteredRows {
  if (conditions.length === 0) return { rows: [...rows], notes: [] };
  const compiled = conditions.map((condition) =>
    condition.operator === "=" || condition.operator === "!=" ? equality(condition, rows, clock) : comparison(condition, clock),
  );
  const unknown = new Map<string, number>();
  const matching = rows.filter((row) => {
    const failed = compiled.filter(({ matches }) => !matches(row));
    const [only] = failed;
    if (failed.length === 1 && only && !/^!?=$/.test(only.condition.operator) && isAbsent(row[only.condition.field]))
      unknown.set(only.condition.field, (unknown.get(only.condition.field) ?? 0) + 1);
    return failed.length === 0;
  });
  return {
    rows: matching,
    notes: [
      ...(matching.length === 0 && rows.length > 0 ? compiled.map((one) => whyNone(one, rows, compiled)) : []).filter(
        (note) => note !== "",
      ),
      `Where ${singleLine(conditions.map(textOf).join(" and "), 200)}.`,
      ...[...unknown].map(([field, count]) => `Left out without ${field}: ${count}.`),
      ...compiled.flatMap(({ notes }) => notes),
    ],
  };
}
