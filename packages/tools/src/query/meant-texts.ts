import { labelsMeaning } from "../lookup/vehicle-kind.ts";
import { countryCodeOf, countryNameOf } from "../places/countries.ts";
import { townsCalled, townWords } from "../places/towns.ts";
import type { TimeSlices } from "../runtime/time-slices.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { fold, isTypo, latinLetters, rawWords, runTogether } from "../text/spelling.ts";
import type { Row } from "./list-result.ts";

/**
 * Other names under which the values of a field are known, by what the field holds, such as exonyms of a town. A condition on such a field also accepts
 * these.
 */
const otherNames: Readonly<Record<string, (wanted: string) => readonly string[]>> = {
  place: (wanted) => townsCalled(townWords(wanted)).flatMap(({ name, names }) => [name, ...names]),
  country: (wanted) => {
    const code = countryCodeOf(wanted);
    return code === undefined ? [] : [code, countryNameOf(code)];
  },
};

/** Words for yes and no. */
export const FLAGS: Readonly<Record<string, boolean>> = {
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

const CODES: ReadonlySet<string> = new Set(["vin", "registration", "serial", "id", "faultCode"]);
const NAMES: ReadonlySet<string> = new Set(["name", "person", "contact", "place"]);

/** Matches texts that contain a part and, if its numbers are whole ones, do not go on with a digit: Truck 3 is not in Truck 300. */
const patternOf = (part: string, isWhole: boolean) => {
  const literal = part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(isWhole ? `(?<!\\d(?=\\d))${literal}(?!(?<=\\d)\\d)` : literal, "u");
};

const MAX_VALUES_NAMED = 8;
const MAX_VALUES_SORTED = 1000;

/** Returns the texts whose normalized form fits. */
async function textsFitting(existing: FieldTexts, fits: (form: string) => boolean, slices: TimeSlices): Promise<string[]> {
  const fitting: string[] = [];
  await slices.each(existing, ([form, texts]) => {
    if (fits(form)) for (const text of texts) fitting.push(text);
  });
  return fitting;
}

/**
 * Finds the existing values that are meant: those equal to the wanted text or, if there are none, those that contain it or its words, or
 * that mean the same, such as EV for electric and ON for true.
 */
export async function textsMeant(
  wanted: string,
  existing: FieldTexts,
  holds: string | undefined,
  slices: TimeSlices,
): Promise<{ meant: string[]; isEqual: boolean }> {
  const accepted = [wanted, ...(otherNames[holds ?? ""]?.(wanted) ?? [])]
    .map(normalized)
    .flatMap((form) => [...new Set([form, runTogether(form.split(" "))])])
    .filter((form) => form !== "");
  const equal = accepted.flatMap((form) => existing.get(form) ?? []);
  if (equal.length > 0) return { meant: equal, isEqual: true };
  const containing = await textsFitting(existing, (form) => accepted.some((part) => ` ${form} `.includes(` ${part} `)), slices);
  if (containing.length > 0) return { meant: containing, isEqual: false };
  const synonyms = new Set([...sameFlag(wanted.toLowerCase()), ...labelsIn(existing, wanted)].map(normalized));
  const synonymous = [...synonyms].flatMap((form) => existing.get(form) ?? []);
  if (synonymous.length > 0) return { meant: synonymous, isEqual: false };
  // Three letters inside of a word are chance: "rot" is not "protect".
  const parts = accepted.map((part) => (part.length > 3 || /\d/.test(part) ? part : ` ${part}`));
  const isCode = CODES.has(holds ?? "");
  const patterns = parts.map((part) => patternOf(part, NAMES.has(holds ?? "") || (!isCode && /\p{L}/u.test(part))));
  const fits = (form: string) => patterns.some((pattern) => pattern.test(` ${form}`));
  return { meant: await textsFitting(existing, fits, slices), isEqual: false };
}

/** Lists values in quotation marks, the first few if there are many. */
export const quotedValues = (values: readonly string[]): string =>
  quotation(
    values
      .slice(0, MAX_VALUES_NAMED)
      .map((value) => singleLine(value, 40))
      .join(", "),
    200,
  );

/** Lists the first of the existing values. */
export const someOf = (existing: FieldTexts): string => quotedValues([...existing.values()].slice(0, MAX_VALUES_SORTED).flat().sort());

/** Says which values are spelt similarly or, if none is, which values exist. */
export async function instead(wanted: string, existing: FieldTexts, slices: TimeSlices): Promise<string> {
  const form = normalized(wanted);
  const alike = await textsFitting(existing, (other) => isTypo(form, other), slices);
  if (alike.length > 0) return `Similar: ${quotedValues(alike)}`;
  return `Values: ${someOf(existing)}`;
}

/** Returns a value, or the members of a list, without those that are absent. */
export const valuesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Compares texts without case, accents and punctuation, and in letters that look alike: RED_STOP is "red stop". */
export const normalized = (text: string): string => latinLetters(rawWords(fold(text)).join(" "));

/** The different texts in a field, by their normalized form. */
export type FieldTexts = ReadonlyMap<string, readonly string[]>;

class TextCollector {
  readonly texts = new Map<string, string[]>();
  readonly #seen = new Set<string>();

  add(value: unknown): void {
    if (typeof value === "string") this.#addText(value);
    else for (const one of valuesOf(value)) if (typeof one === "string") this.#addText(one);
  }

  #addText(text: string): void {
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    const form = normalized(text);
    const same = this.texts.get(form);
    if (same) same.push(text);
    else this.texts.set(form, [text]);
  }
}

/** Returns the texts in fields of rows. Visits each row once, because there may be many. */
export async function textsIn(rows: readonly Row[], fields: readonly string[], slices: TimeSlices): Promise<FieldTexts[]> {
  const collectors = fields.map((field) => ({ field, collector: new TextCollector() }));
  await slices.each(rows, (row) => {
    for (const { field, collector } of collectors) collector.add(row[field]);
  });
  return collectors.map(({ collector }) => collector.texts);
}

/** A field with more texts has names or codes, not labels. */
const MAX_LABELS = 200;

/** Returns the labels that mean the same as a word, such as EV for electric. */
export const labelsIn = (texts: FieldTexts, word: string): string[] =>
  texts.size > MAX_LABELS ? [] : labelsMeaning(word, [...texts.values()].flat());
