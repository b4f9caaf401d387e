import { FleetError, type NamedEntity, type Operation, requestFields, unwrapSchema } from "@fleetwire/core";
import * as z from "zod";
import { PERIOD, readPeriod } from "../aggregate/period.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { singleLine } from "../results/clip-values.ts";
import { fingerprint } from "../results/fingerprint.ts";
import { quotation } from "../results/quotation.ts";
import { timesOf } from "../results/time.ts";
import type { ToolContext } from "../tool.ts";
import { type EntityResolver, entities } from "./named-entities.ts";

interface NamedInput {
  /** The argument that holds the name. */
  word: string;
  /** The input field that takes the id. */
  field: string;
  /** Whether this field takes a list of ids. */
  isList: boolean;
  entity: EntityResolver;
  required: boolean;
}

/** The inputs of an operation that models provide as names, or as a period in words. */
export interface NamedInputs {
  names: readonly NamedInput[];
  period: { from: string; until: string } | undefined;
  /** The arguments for names and the period, by the input field that each replaces. */
  arguments: Readonly<Record<string, { word: string; schema: z.ZodType; required: boolean }>>;
}

const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;

const isList = (schema: z.ZodType) => unwrapSchema(schema)._zod.def.type === "array";

const Word = z.string().min(1);

/**
 * Returns the inputs that models provide in words. If an operation has several inputs of the same kind, such as two vehicles, their
 * arguments are named after the fields.
 */
export function namedInputs(operation: Operation): NamedInputs {
  const { names = {}, period, hints = {} } = operation.tool ?? {};
  const fields = requestFields(operation);
  const named = Object.entries(names) as [string, NamedEntity][];
  const inputs = named.map(([field, kind]): NamedInput => {
    const schema = fields[field]?.schema ?? z.never();
    const isOnly = named.filter(([, other]) => other === kind).length === 1;
    return {
      word: isOnly ? kind : field.replace(/Ids?$/, ""),
      field,
      isList: isList(schema),
      entity: entities[kind],
      required: isRequired(schema),
    };
  });
  const [from, until] = period ?? [];
  const required = from !== undefined && isRequired(fields[from]?.schema ?? z.never());
  return {
    names: inputs,
    period: from === undefined || until === undefined ? undefined : { from, until },
    arguments: Object.fromEntries([
      ...inputs.map(({ field, word, entity, required }) => [field, { word, schema: Word.describe(hints[field] ?? entity.hint), required }]),
      ...(from === undefined ? [] : [[from, { word: "period", schema: Word.describe(hints[from] ?? PERIOD), required }]]),
    ]),
  };
}

/** Input fields resolved from names and a period, with notes on how these were interpreted. */
export interface ResolvedInputs {
  input: Readonly<Record<string, unknown>>;
  notes: string[];
  /** What a cursor keeps so that the next page belongs to the same list; empty if there are no names and no period. */
  carried: readonly (string | number)[];
}

const FINGERPRINT_LENGTH = 6;

/** Milliseconds since 1970, within the range of valid dates. */
const Instant = z.int().min(0).max(8_640_000_000_000_000);

/**
 * Schemas for what a cursor keeps: a fingerprint of the words, the start and end of the period (0 if none), and for each name an id or an
 * empty string.
 */
export const cursorMembers = ({ names, period }: NamedInputs): z.ZodType[] =>
  names.length === 0 && !period
    ? []
    : [z.string().length(FINGERPRINT_LENGTH), ...(period ? [Instant, Instant] : []), ...names.map(() => z.string())];

type Words = Readonly<Record<string, string | undefined>>;

const wordsFingerprint = (words: Words) => fingerprint(words).slice(0, FINGERPRINT_LENGTH);

interface Reading {
  inputs: NamedInputs;
  words: Words;
  /** What the cursor kept; undefined on the first page, or if there are no words. */
  before: readonly (string | number)[] | undefined;
  /** The noun for the rows. */
  rows: string;
  /** A remark that follows the period in the note. */
  periodNote: string | undefined;
}

/** Resolves each name, or reuses the id from the first page. Sold vehicles are included, because they have past records too. */
async function readNames({ inputs: { names }, words, rows }: Reading, before: readonly (string | number)[], context: ToolContext) {
  const ids = before.slice(before.length - names.length).map(String);
  const isGiven = names.map(({ word }, at) => words[word] !== undefined || Boolean(ids[at]));
  if (!isGiven.includes(true)) return names.map(() => undefined);
  const fleet = await readFleet(context, { withSold: true });
  const resolveOne = async ({ word, entity, required }: NamedInput, at: number) => {
    if (!isGiven[at]) return undefined;
    const { [at]: known } = ids;
    if (known) return { id: known, label: (await entity.labelOfId(known, fleet)) ?? `id ${quotation(known, 40)}` };
    const { id, label } = await entity.resolve(words[word] ?? "", word, fleet);
    if (id !== undefined) return { id, label };
    // Without an id to filter by, the service would return the rows of all entities.
    const instead = required ? "" : `, or leave ${word} out and look for ${entity.possessive} ${rows} in the full list`;
    throw new FleetError(
      "input",
      `${word}: the live positions have no id for ${quotation(label)}, so ${entity.possessive} ${rows} cannot be requested`,
      { advice: `Tell the user${instead}` },
    );
  };
  return Promise.all(names.map(resolveOne));
}

/** Returns the start and end of a period. Later pages reuse those of the first page, because "last 24 hours" changes with time. */
function readSpan({ words: { period } }: Reading, [, start, end]: readonly (string | number)[], context: ToolContext) {
  const { now, settings } = context;
  const read = period === undefined ? undefined : readPeriod(period, now(), settings.timeZone);
  const span = typeof start === "number" && typeof end === "number" && end > 0 ? { start, end } : read;
  if (!span) return undefined;
  const times = timesOf(context);
  return { ...span, text: `${read?.words ?? `as before in ${times.zone}`}: ${times.text(span.start)} to ${times.text(span.end)}` };
}

/** Resolves names and a period to input fields or, on later pages, restores the fields from the cursor. */
export async function resolveInputs(reading: Reading, context: ToolContext): Promise<ResolvedInputs> {
  const { inputs, words, before = [], periodNote } = reading;
  const hasWords = Object.values(words).some((word) => word !== undefined);
  if (!hasWords && before.length === 0) return { input: {}, notes: [], carried: [] };
  const [fingerprintBefore = wordsFingerprint(words)] = before;
  if (hasWords && fingerprintBefore !== wordsFingerprint(words)) {
    throw new FleetError("input", "cursor: belongs to other names or another period", {
      advice: "Call again with the same arguments, or without cursor to start from the beginning",
    });
  }
  const named = await readNames(reading, before, context);
  const { period } = inputs;
  const span = period && readSpan(reading, before, context);
  const remark = periodNote === undefined ? "" : `; ${periodNote}`;
  const ids = inputs.names.flatMap(({ field, isList }, at) => {
    const id = named[at]?.id;
    return id === undefined ? [] : [[field, isList ? [id] : id] as const];
  });
  return {
    input: {
      ...Object.fromEntries(ids),
      ...(period && span && { [period.from]: new Date(span.start).toISOString(), [period.until]: new Date(span.end).toISOString() }),
    },
    notes: [
      ...named.flatMap((one) => (one ? [`Only ${one.label}.`] : [])),
      ...(span ? [`Period ${singleLine(span.text, 140)}${remark}.`] : []),
    ],
    carried: [fingerprintBefore, ...(period ? [span?.start ?? 0, span?.end ?? 0] : []), ...named.map((one) => one?.id ?? "")],
  };
}
