import { FleetError, type NamedEntity, type Operation, requestFields, unwrapSchema } from "@fleetwire/core";
import * as z from "zod";
import { PERIOD, readPeriod } from "../aggregate/period.ts";
import { readFleet } from "../fleet/fleet-view.ts";
import { singleLine } from "../results/clip-values.ts";
import { fingerprint } from "../results/fingerprint.ts";
import { quotation } from "../results/quotation.ts";
import { utc } from "../results/time.ts";
import type { ToolContext } from "../tool.ts";
import { type EntityResolver, entities } from "./named-entities.ts";

interface NamedInput {
  /** The argument for the name. */
  word: string;
  /** The input field for the id. */
  field: string;
  /** Whether that field takes a list of ids. */
  isList: boolean;
  entity: EntityResolver;
  required: boolean;
}

/** The inputs of an operation that a model gives by name or in words. */
export interface NamedInputs {
  names: readonly NamedInput[];
  period: { from: string; until: string } | undefined;
  /** The arguments for the words, by the input field that each replaces. */
  arguments: Readonly<Record<string, { word: string; schema: z.ZodType; required: boolean }>>;
}

const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;

const isList = (schema: z.ZodType) => unwrapSchema(schema)._zod.def.type === "array";

const Word = z.string().min(1);

/**
 * The inputs that a model gives in words. If an operation takes two of a kind, such as two vehicles, the arguments are named after the
 * fields.
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

/** Words resolved to input fields, with notes on how they were read. */
export interface ResolvedInputs {
  input: Readonly<Record<string, unknown>>;
  notes: string[];
  /** What a cursor keeps so that the next page answers the same question; empty without words. */
  carried: readonly (string | number)[];
}

const FINGERPRINT_LENGTH = 6;

/** Milliseconds since 1970 that form a valid date. */
const Instant = z.int().min(0).max(8_640_000_000_000_000);

/**
 * The schemas of what a cursor keeps: a fingerprint of the words, the period's two instants or 0, and an id or an empty string for each name.
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
  /** What the cursor kept; undefined on the first page, and without words. */
  before: readonly (string | number)[] | undefined;
  /** What the rows are called. */
  rows: string;
  /** Follows the period in the note. */
  periodNote: string | undefined;
}

/** Resolves each name, or reuses the id from the first page. Includes sold vehicles: they have a past too. */
async function readNames({ inputs: { names }, words, rows }: Reading, before: readonly (string | number)[], context: ToolContext) {
  const ids = before.slice(before.length - names.length).map(String);
  const isGiven = names.map(({ word }, at) => words[word] !== undefined || Boolean(ids[at]));
  if (!isGiven.includes(true)) return names.map(() => undefined);
  const fleet = await readFleet(context, { withSold: true });
  return names.map(({ word, entity, required }, at) => {
    if (!isGiven[at]) return undefined;
    const { [at]: known } = ids;
    if (known) return { id: known, label: entity.labelOfId(known, fleet) ?? `id ${quotation(known, 40)}` };
    const { id, label } = entity.resolve(words[word] ?? "", word, fleet);
    if (id !== undefined) return { id, label };
    // Without a filter, the service would return the rows of all.
    const instead = required ? "" : `, or leave ${word} out and look for ${entity.possessive} ${rows} among all`;
    throw new FleetError(
      "input",
      `${word}: the live positions have no id for ${quotation(label)}, so ${entity.possessive} ${rows} cannot be requested`,
      { advice: `Tell the user${instead}` },
    );
  });
}

/** The instants of a period. Later pages reuse those of the first one, since "last 24 hours" moves on. */
function readSpan({ words: { period } }: Reading, [, start, end]: readonly (string | number)[], { now, settings }: ToolContext) {
  const read = period === undefined ? undefined : readPeriod(period, now(), settings.timeZone);
  const span = typeof start === "number" && typeof end === "number" && end > 0 ? { start, end } : read;
  if (!span) return undefined;
  const instants = `${utc(span.start)} to ${utc(span.end)}`;
  return { ...span, text: `${read?.words ?? "as before"}: ${instants}` };
}

/** Resolves the words of a call to input fields or, on later pages, restores them from the cursor. */
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
