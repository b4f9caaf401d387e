import { FORM_TEXT, type InstantForm, readForm } from "./date-times.ts";
import { type Reason, Refusal, refuse } from "./refusal.ts";

/** Parses query parameters. The error for an invalid value names its parameter. */
export interface QueryParameters {
  /** A comma-separated list; repeated parameters are joined. */
  readonly list: (name: string) => ReadonlySet<string> | undefined;
  readonly text: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
  /** A whole number, at least `min`; values above `max` are reduced to `max`. */
  readonly integer: (name: string, fallback: number, min: number, max: number) => number;
  readonly instant: (name: string, form: InstantForm) => number | undefined;
}

const invalid = (name: string, rule: string) => refuse(400, "invalid", `${name} must be ${rule}`, name);

export function queryParameters(url: URL): QueryParameters {
  const text = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  return {
    text,
    list: (name) => {
      const entries = url.searchParams.getAll(name).flatMap((value) => value.split(","));
      const filled = entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
      return filled.length > 0 ? new Set(filled) : undefined;
    },
    flag: (name) => {
      const value = text(name);
      if (value !== undefined && value !== "true" && value !== "false") throw invalid(name, "true or false");
      return value === "true";
    },
    integer: (name, fallback, min, max) => {
      const value = text(name);
      if (value === undefined) return fallback;
      if (!/^-?\d{1,15}$/.test(value) || Number(value) < min) throw invalid(name, `a whole number, at least ${min}`);
      return Math.min(Number(value), max);
    },
    instant: (name, form) => {
      const value = text(name);
      if (value === undefined) return undefined;
      const at = readForm(value, form);
      if (at === undefined) throw invalid(name, FORM_TEXT[form]);
      return at;
    },
  };
}

/** Rejects a period that ends before it starts. */
export function checkOrder(start: number | undefined, end: number | undefined, startName: string, endName: string): void {
  if (start === undefined || end === undefined || start <= end) return;
  const reason: Reason = { name: "invalid", message: `${endName} must not be before ${startName}`, fields: [startName, endName] };
  throw new Refusal(400, [reason]);
}
