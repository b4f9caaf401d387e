import { FleetError, type LikelyRecords, type NamedEntity, type Operation, requestFields } from "@fleetwire/core";
import { definitionOf, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import { type EntityFinder, finders, labelsOf, type NamedValue } from "../lookup/find-entities.ts";
import { MAX_NAMES, resolveSeveral } from "../names/resolve-name.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import { PERIOD, readPeriod } from "../text/read-period.ts";
import { timesOf } from "../text/time.ts";
import { fingerprint } from "./row-order.ts";

interface NamedInput {
  /** The argument that holds the name. */
  word: string;
  /** The input field that takes the id. */
  field: string;
  /** Whether this field takes a list of ids. */
  isList: boolean;
  entity: EntityFinder;
  required: boolean;
}

/** The inputs of an operation that models provide as names, or as a period in words. */
interface NamedInputs {
  names: readonly NamedInput[];
  period: { from: string; until: string } | undefined;
  /** Whether a period such as Monday is first one to come. */
  isAhead: boolean;
  /** The arguments for names and the period, by the input field that each replaces. */
  arguments: Readonly<Record<string, { word: string; schema: z.ZodType; required: boolean }>>;
}

const isRequired = (schema: z.ZodType) => !schema.safeParse(undefined).success;

const isList = (schema: z.ZodType) => definitionOf(unwrapSchema(schema)).type === "array";

const Word = z.string().min(1);

/** Accepts several names as a list too. */
export const Words: z.ZodType = z.union([Word, z.array(Word).min(1).max(MAX_NAMES)]);

/**
 * Returns the inputs that models provide in words. If an operation has several inputs of the same kind, such as two vehicles, their
 * arguments are named after the fields.
 */
export function namedInputs(operation: Operation): NamedInputs {
  const { names = {}, period, hints = {}, likely } = operation.tool ?? {};
  if (likely) return recordFilters(likely);
  const fields = requestFields(operation);
  const named = Object.entries(names) as [string, NamedEntity][];
  const inputs = named.map(([field, kind]): NamedInput => {
    const schema = fields[field]?.schema ?? z.never();
    const isOnly = named.filter(([, other]) => other === kind).length === 1;
    return {
      word: isOnly ? kind : field.replace(/Ids?$/, ""),
      field,
      isList: isList(schema),
      entity: finders[kind],
      required: isRequired(schema),
    };
  });
  const [from, until] = period ?? [];
  const required = from !== undefined && isRequired(fields[from]?.schema ?? z.never());
  return {
    names: inputs,
    period: from === undefined || until === undefined ? undefined : { from, until },
    isAhead: false,
    arguments: Object.fromEntries([
      ...inputs.map(({ field, word, entity, required }) => {
        // An empty hint saves its tokens: the argument's name is clear enough.
        const { [field]: hint = entity.hint } = hints;
        return [field, { word, schema: hint === "" ? Word : Word.describe(hint), required }];
      }),
      ...(from === undefined ? [] : [[from, { word: "period", schema: Word.describe(hints[from] ?? PERIOD), required }]]),
    ]),
  };
}

/** The names and the period by which a tool itself filters records, so that none of them is an input field. */
function recordFilters({ about, holdsFuture = false }: LikelyRecords): NamedInputs {
  const names = about.map((kind): NamedInput => ({ word: kind, field: kind, isList: true, entity: finders[kind], required: false }));
  return {
    names,
    period: { from: "from", until: "until" },
    isAhead: holdsFuture,
    arguments: Object.fromEntries([
      ...names.map(({ field, word, required }) => [field, { word, schema: Word, required }]),
      ["from", { word: "period", schema: Word.describe("Such as today"), required: false }],
    ]),
  };
}

/** Separates names and periods from the arguments that are sent unchanged. Throws if an input is given in both ways. */
export function splitArguments(args: Readonly<Record<string, unknown>>, { arguments: inputs, period }: NamedInputs) {
  const words = Object.values(inputs).map(({ word }) => word);
  const pairs = [...Object.entries(inputs).map(([field, { word }]) => [word, field]), ...(period ? [["period", period.until]] : [])];
  const twice = pairs.find(([word = "", field = ""]) => word !== field && args[word] !== undefined && args[field] !== undefined);
  if (twice) throw new FleetError("input", `${twice.join(" and ")} were both given`, { advice: "Pass only one" });
  return {
    words: Object.fromEntries(words.map((word) => [word, args[word] as string | readonly string[] | undefined])),
    others: Object.fromEntries(Object.entries(args).filter(([name]) => !words.includes(name))),
  };
}

/** Input fields resolved from names and a period, with notes on how these were interpreted. */
export interface ResolvedInputs {
  input: Readonly<Record<string, unknown>>;
  /** The entity that each name refers to, by its argument. */
  named: Readonly<Record<string, readonly NamedValue[]>>;
  /** The ids for a field that takes only one, if several were named. */
  several: Readonly<Record<string, readonly string[]>>;
  span: { start: number; end: number } | undefined;
  notes: string[];
  /** What a cursor holds so that the next page belongs to the same list; empty without names and a period. */
  carried: readonly (string | number)[];
}

const FINGERPRINT_LENGTH = 6;

/** Milliseconds since 1970, within the range of valid dates. */
const Instant = z.int().min(0).max(8_640_000_000_000_000);

/**
 * Schemas for what a cursor holds: a fingerprint of the words, the start and end of the period (0 if none), and for each name an id or an
 * empty string.
 */
export const cursorMembers = ({ names, period }: NamedInputs): z.ZodType[] =>
  names.length === 0 && !period
    ? []
    : [z.string().length(FINGERPRINT_LENGTH), ...(period ? [Instant, Instant] : []), ...names.map(() => z.string())];

type GivenWords = Readonly<Record<string, string | readonly string[] | undefined>>;

const wordsFingerprint = (words: GivenWords) => fingerprint(words).slice(0, FINGERPRINT_LENGTH);

interface Reading {
  inputs: NamedInputs;
  words: GivenWords;
  /** What the cursor held; undefined on the first page, or without names and a period. */
  before: readonly (string | number)[] | undefined;
  /** The noun for the rows. */
  rows: string;
  /** A remark to add after the period in the note. */
  periodNote: string | undefined;
  /** Whether to accept several names where the operation takes one, and entities without an id. */
  isFiltering?: boolean;
}

/** Resolves each name, or reuses the ids from the first page. Sold vehicles are included, because they have past records too. */
async function readNames(
  { inputs: { names }, words, rows, isFiltering = false }: Reading,
  before: readonly (string | number)[],
  context: FleetContext,
): Promise<readonly (readonly NamedValue[] | undefined)[]> {
  const kept = before.slice(before.length - names.length).map(String);
  const isGiven = names.map(({ word }, at) => words[word] !== undefined || Boolean(kept[at]));
  if (!isGiven.includes(true)) return names.map(() => undefined);
  const fleet = await readFleet(context, { withSold: true });
  const resolveAll = async (input: NamedInput, at: number): Promise<readonly NamedValue[] | undefined> => {
    const { word, entity, required, isList } = input;
    if (!isGiven[at]) return undefined;
    const { [at]: carried } = kept;
    if (carried) {
      return Promise.all(carried.split(",").map((id) => entity.withId(id, fleet)));
    }
    const written = words[word] ?? "";
    const one = (name: string) => entity.resolve(name, word, fleet);
    const isSeveral = isFiltering || isList || typeof written !== "string";
    const found = isSeveral ? (await resolveSeveral(written, one)).flat() : await one(written);
    const unknown = found.find(({ id }) => id === undefined);
    if (!unknown || (isFiltering && !requestsById(input))) return found;
    // Without an id to filter by, the service would return the rows of all entities.
    const instead = required ? "" : `, or leave ${word} out and look for ${entity.possessive} ${rows} in the full list`;
    throw new FleetError(
      "input",
      `${word}: the live positions have no id for ${quotation(unknown.label)}, so ${entity.possessive} ${rows} cannot be requested`,
      { advice: `Tell the user${instead}` },
    );
  };
  return Promise.all(names.map(resolveAll));
}

/** Whether the service filters by the id, instead of the tool. */
const requestsById = ({ field, word }: NamedInput) => field !== word;

/** Returns the start and end of a period. Later pages reuse those of the first page, because "last 24 hours" changes with time. */
function readSpan(
  { words: { period }, inputs: { isAhead } }: Reading,
  [, start, end]: readonly (string | number)[],
  context: FleetContext,
) {
  const { now, settings } = context;
  const read = period === undefined ? undefined : readPeriod([period].flat().join("/"), now(), settings.timeZone, isAhead);
  const span = typeof start === "number" && typeof end === "number" && end > 0 ? { start, end } : read;
  if (!span) return undefined;
  const times = timesOf(context);
  return { ...span, text: `${read?.words ?? `unchanged, in ${times.zone}`}: ${times.text(span.start)} to ${times.text(span.end)}` };
}

/** Resolves names and a period to input fields or, on later pages, restores the fields from the cursor. */
export async function resolveInputs(reading: Reading, context: FleetContext): Promise<ResolvedInputs> {
  const { inputs, words, before = [], periodNote } = reading;
  const hasWords = Object.values(words).some((word) => word !== undefined);
  if (!hasWords && before.length === 0) return { input: {}, named: {}, several: {}, span: undefined, notes: [], carried: [] };
  const [fingerprintBefore = wordsFingerprint(words)] = before;
  if (hasWords && fingerprintBefore !== wordsFingerprint(words)) {
    throw new FleetError("input", "cursor: the names or the period have changed", {
      advice: "Call again with the same arguments, or without cursor to start from the beginning",
    });
  }
  const named = await readNames(reading, before, context);
  const { period } = inputs;
  const span = period && readSpan(reading, before, context);
  const remark = periodNote === undefined ? "" : `; ${periodNote}`;
  const ids = inputs.names.map((input, at) => ({ ...input, ids: [...new Set(named[at]?.flatMap(({ id }) => id ?? []))] }));
  const requested = ids.filter((input) => input.ids.length > 0 && requestsById(input));
  return {
    input: {
      ...Object.fromEntries(
        requested.flatMap(({ field, isList, ids }) => (isList || ids.length === 1 ? [[field, isList ? ids : ids[0]]] : [])),
      ),
      ...(period && span && { [period.from]: new Date(span.start).toISOString(), [period.until]: new Date(span.end).toISOString() }),
    },
    named: Object.fromEntries(inputs.names.flatMap(({ word }, at) => (named[at] ? [[word, named[at]]] : []))),
    several: Object.fromEntries(requested.flatMap(({ field, isList, ids }) => (!isList && ids.length > 1 ? [[field, ids]] : []))),
    span,
    notes: [
      ...named.flatMap((some) => (some ? [`Only ${labelsOf(some, ({ label }) => label)}.`] : [])),
      ...(span ? [`Period ${singleLine(span.text, 200)}${remark}.`] : []),
    ],
    carried: [fingerprintBefore, ...(period ? [span?.start ?? 0, span?.end ?? 0] : []), ...ids.map(({ ids }) => ids.join(","))],
  };
}
