import { type DriftReport, metadataOf } from "@fleetwire/core";
import { definitionOf, isRecord, parseJson, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import type { Violation } from "../checks/response-rules.ts";
import { formOf, typeOf } from "../checks/value-form.ts";

type Drift = DriftReport["drift"][number];
type Schema = z.core.$ZodType;

/** A step into each item of a list. */
const ITEM = Symbol("item");

/** A drift path as steps into a body, and the schema there; undefined for an undocumented field. Its name may contain any character. */
function located(output: Schema, path: string): { steps: (string | typeof ITEM)[]; schema: Schema | undefined } {
  const steps: (string | typeof ITEM)[] = [];
  let schema = output;
  let rest = path.replace(/^\$/, "");
  while (rest !== "") {
    const { shape, element } = definitionOf(unwrapSchema(schema));
    const name = /^\.([^.[\]]+)/.exec(rest)?.[1] ?? "";
    const field = shape && Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (element && rest.startsWith("[*]")) {
      steps.push(ITEM);
      schema = element;
      rest = rest.slice(3);
    } else if (field) {
      steps.push(name);
      schema = field;
      rest = rest.slice(name.length + 1);
    } else return { steps: [...steps, rest.replace(/^\./, "")], schema: undefined };
  }
  return { steps, schema };
}

/** The values that a body has at the end of these steps. */
function valuesAt(body: unknown, [step, ...others]: readonly (string | typeof ITEM)[]): unknown[] {
  if (step === undefined) return [body];
  if (step === ITEM) return Array.isArray(body) ? body.flatMap((item) => valuesAt(item, others)) : [];
  return isRecord(body) && Object.hasOwn(body, step) ? valuesAt(body[step], others) : [];
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
  const { steps, schema } = located(output, path);
  const values = valuesAt(body, steps);
  const isItem = steps.at(-1) === ITEM;
  const of = Math.max(count, isItem ? values.length : valuesAt(body, steps.slice(0, -1)).filter(isRecord).length);
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
export function driftViolations(output: Schema, drift: readonly Drift[], text: string): Violation[] {
  if (drift.length === 0) return [];
  const body = parseJson(text);
  return drift.map((one) => violationOf(output, one, body));
}

/** The number of places in a body where a path's last field could be. */
export function holdersAt(output: Schema, path: string, text: string): number {
  const { steps } = located(output, path);
  return valuesAt(parseJson(text), steps.slice(0, -1)).filter((value) => value !== null && typeof value === "object").length;
}
