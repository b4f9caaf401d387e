import { type DriftReport, metadataOf } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import type { Violation } from "../checks/response-rules.ts";
import { formOf, typeOf, valuesAt } from "../json-values.ts";

type Drift = DriftReport["drift"][number];
type Schema = z.core.$ZodType;

/** The schema at a drift path, undefined for an undocumented field, and the path of the record or list around it. */
function located(output: Schema, path: string): { around: string; schema: Schema | undefined } {
  let [around, at, schema] = ["", "$", output];
  while (at !== path) {
    const { shape = {}, element } = definitionOf(unwrapSchema(schema));
    const [step = "", name = ""] = /^(?:\[\*\]|\.([^.[\]]+))/.exec(path.slice(at.length)) ?? [];
    const inner = step === "[*]" ? element : Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!inner) return { around: at, schema: undefined };
    [around, at, schema] = [at, at + step, inner];
  }
  return { around, schema };
}

/** What the contract says about the type of a value. */
function expectedType(whole: Schema): string {
  const schema = unwrapSchema(whole);
  const { type, check, element, entries } = definitionOf(schema);
  const { format } = (z.globalRegistry.get(schema) ?? {}) as { format?: string };
  if (entries) return `one of ${Object.values(entries).join(", ")}`;
  if (element) return `array of ${expectedType(element)}`;
  if (format === "int64" || check === "number_format") return "integer";
  const unit = metadataOf(whole)?.unit;
  return type === "number" && unit !== undefined ? `number in ${unit}` : type;
}

/** Whether a value differs from its schema itself, rather than in a part of it. */
function differs(whole: Schema, value: unknown): boolean {
  const schema = unwrapSchema(whole);
  const { shape, element } = definitionOf(schema);
  if (element) return !Array.isArray(value);
  return shape ? !isRecord(value) : !z.safeParse(schema, value).success;
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

const typeIn = (expected: string) => (value: unknown) =>
  expected === "integer" && typeof value === "number" ? "number that is no integer in range" : typeOf(value);

function violationOf(output: Schema, { path, kind, count }: Drift, body: unknown): Violation {
  const { around, schema } = located(output, path);
  const values = valuesAt(body, path);
  const of = Math.max(count, path.endsWith("[*]") ? values.length : valuesAt(body, around).filter(isRecord).length);
  const counts = { records: count, of };
  if (kind === "missing required")
    return { path, kind, expected: schema ? `${expectedType(schema)}, required` : "a required field", actual: ["absent"], ...counts };
  const wrong = schema ? values.filter((value) => value !== null && value !== undefined && differs(schema, value)) : values;
  // A record that is null is dropped; an optional field that is null counts as absent.
  const shown = wrong.length > 0 ? wrong : values;
  const expected = schema ? expectedType(schema) : "no such field";
  const actual = distinct(shown.map(kind === "unknown enum value" ? () => "another value" : typeIn(expected)));
  return { path, kind, expected, actual: actual.length > 0 ? actual : ["unreadable"], examples: distinct(shown.map(formOf)), ...counts };
}

/** What the client found in one response, with the contract's and the response's side of each difference. */
export const driftViolations = (output: Schema, drift: readonly Drift[], body: unknown): Violation[] =>
  drift.map((one) => violationOf(output, one, body));

/** The number of places in a body where a path's last field could be. */
export const holdersAt = (output: Schema, path: string, body: unknown): number =>
  valuesAt(body, located(output, path).around).filter((value) => value !== null && typeof value === "object").length;
