const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
/** Digits in groups of three: 100,000 and 100 000, with a point for decimals, or 1.000.000, with a comma. A single point is always a decimal one. */
const GROUPED = /^-?\d{1,3}(?:([ ,'’\u00a0\u202f])\d{3})(?:\1\d{3})*(?:\.\d+)?$/;
const GROUPED_BY_POINTS = /^-?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/;

/** Units in one way of writing: km/h and kmh are the same. */
const plainUnit = (unit: string) => (/^percent$/i.test(unit) ? "%" : unit.toLowerCase().replace(/[^\p{L}%]/gu, ""));

/** Reads a number as people write it, alone or with the unit of its field; undefined for anything else, such as a number in another unit. */
export function readNumber(text: string, unit: string | undefined): number | undefined {
  const [, digits = "", written = ""] = /^(.*?\d)\s*([^\d\s]*)$/.exec(text.trim()) ?? [];
  if (written !== "" && plainUnit(written) !== plainUnit(unit ?? "")) return undefined;
  if (GROUPED.test(digits)) return Number(digits.replace(/[^\d.-]/g, ""));
  if (GROUPED_BY_POINTS.test(digits)) return Number(digits.replaceAll(".", "").replace(",", "."));
  return PLAIN.test(digits) ? Number(digits.replace(",", ".")) : undefined;
}

/** Reads a duration as lists show it, in minutes: `1:45`, or the lower end of `1:45–2:30`. */
export function durationIn(value: unknown): number | undefined {
  const [, hours, minutes] = (typeof value === "string" && /^(\d{1,6}):([0-5]\d)(?!\d|:)/.exec(value)) || [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
