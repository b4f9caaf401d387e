import { labelsMeaning } from "../lookup/vehicle-kind.ts";
import type { TimeSlices } from "../runtime/time-slices.ts";
import { fold, latinLetters, rawWords } from "../text/spelling.ts";
import type { Row } from "./list-result.ts";

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
