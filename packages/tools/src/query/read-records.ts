import { FleetError, jsonSchemaOf, type Operation, operations, requestFields } from "@fleetwire/core";
import { isRecord, readPages } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Row } from "./list-result.ts";
import { nameWords } from "./row-fields.ts";

type Method = ((input: unknown, options: unknown) => Promise<unknown>) & {
  pages?: (input: unknown, options: unknown) => AsyncIterable<unknown>;
};

/** The client's method of an operation in the contract; undefined for a custom operation. */
function methodOf(operation: Operation, { fleet }: FleetContext): Method | undefined {
  const existing: Readonly<Record<string, Operation>> = operations;
  return existing[operation.name] === operation ? (fleet[operation.name as keyof FleetContext["fleet"]] as unknown as Method) : undefined;
}

/** Calls an operation. Operations in the contract are called by client method, so that reads are cached; custom ones with `request`. */
export function callRead(operation: Operation, input: Readonly<Record<string, unknown>>, context: FleetContext): Promise<unknown> {
  const { fleet, callOptions } = context;
  return methodOf(operation, context)?.(input, callOptions) ?? fleet.request(operation, input, callOptions);
}

/** A page size that any service should accept: its maximum is undocumented. */
const PAGE_SIZE = 200;

/** Returns the page size to request, which is at most the operation's maximum. */
function pageSizeOf(operation: Operation, field: string): number {
  const { schema } = requestFields(operation)[field] ?? {};
  const { maximum } = schema ? jsonSchemaOf(schema, { side: "input" }) : {};
  return typeof maximum === "number" ? Math.min(PAGE_SIZE, maximum) : PAGE_SIZE;
}

/** Reads the pages of a list, or its only response. */
export async function* pagesOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  context: FleetContext,
): AsyncGenerator<unknown, void, void> {
  const { paging } = operation;
  if (!paging) {
    yield await callRead(operation, input, context);
    return;
  }
  const { fleet, callOptions } = context;
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const sized = { ...input, [size]: pageSizeOf(operation, size) };
  const pages = methodOf(operation, context)?.pages?.(sized, callOptions);
  yield* pages ?? readPages(operation, paging, sized, (page) => fleet.request.withMetadata(operation, page, callOptions));
}

interface Records {
  records: Row[];
  /** The values alongside the list. */
  rest: Row;
}

/** Names of lists that hold the records, whatever these are, and of objects that hold only the list, and values about it. */
const GENERAL = /^(?:items|data|results?|records|rows|entries|elements|content|values?|_?embedded|response|payload|body|hits|page|d)$/i;

/** Names of lists that accompany the records. */
const BESIDE = /^(?:_?links?|errors|warnings|messages)$/i;

const MAX_WRAPPERS = 3;

/**
 * The records of a map by id, with its keys where they lack them; undefined if the members do not look like records of one kind. A single member may be
 * anything, unless the map `isNamed` like the records.
 */
function recordsById(value: unknown, isNamed = false): Row[] | undefined {
  if (!isRecord(value)) return undefined;
  const members = Object.entries(value);
  if (members.length < 2 && !isNamed) return undefined;
  const [first, ...others] = members.map(([, member]) => member);
  const isShared = (field: string) => others.every((other) => isRecord(other) && Object.hasOwn(other, field));
  if (first !== undefined && !(isRecord(first) && Object.keys(first).some(isShared))) return undefined;
  return members.map(([key, record]) => (Object.values(record as Row).includes(key) ? (record as Row) : { key, ...(record as Row) }));
}

/** Finds the list in an object: the one named like the last segment of the path, the only one, a map by id, or one in a wrapper. */
function listIn(response: Row, path: string, depth = MAX_WRAPPERS): { list: unknown[]; rest: Row } | undefined {
  const isNamed = (name: string) => path.endsWith(`/${name}`);
  const lists = Object.keys(response).filter((name) => Array.isArray(response[name]) && (isNamed(name) || !BESIDE.test(name)));
  const mapIn = (name: string) => (isNamed(name) || GENERAL.test(name) ? recordsById(response[name], isNamed(name)) : undefined);
  const named =
    lists.find(isNamed) ?? (lists.length === 1 ? lists[0] : lists.find((name) => GENERAL.test(name))) ?? Object.keys(response).find(mapIn);
  if (named !== undefined) {
    const { [named]: list, ...rest } = response;
    return { list: Array.isArray(list) ? list : (mapIn(named) ?? []), rest };
  }
  if (depth === 0) return undefined;
  for (const [name, value] of Object.entries(response)) {
    const inner = isRecord(value) && (isNamed(name) || GENERAL.test(name)) ? listIn(value, path, depth - 1) : undefined;
    if (!inner) continue;
    const { [name]: _, ...others } = response;
    return { list: inner.list, rest: { ...others, ...(Object.keys(inner.rest).length > 0 && { [name]: inner.rest }) } };
  }
  return undefined;
}

/** Leaves out what stands for a number that JSON cannot express, such as NaN. */
const withoutInfinite = (record: Row): Row =>
  Object.values(record).includes(Number.POSITIVE_INFINITY)
    ? Object.fromEntries(Object.entries(record).filter(([, value]) => value !== Number.POSITIVE_INFINITY))
    : record;

/** The fields of a record; a value that is none becomes one. */
export const asRecord = (value: unknown): Row => withoutInfinite(isRecord(value) ? value : { value });

/** Finds the records in a response of unknown shape: the response itself if it is a list, or the list in it; undefined if there is none. */
export function findRecords(response: unknown, path: string): Records | undefined {
  if (Array.isArray(response)) return { records: response.map(asRecord), rest: {} };
  if (!isRecord(response)) return undefined;
  const byId = recordsById(response);
  const found = listIn(response, path) ?? (byId && { list: byId, rest: {} });
  return found && { records: found.list.map(asRecord), rest: withoutInfinite(found.rest) };
}

/** What the values alongside a list say about records that it lacks. */
export interface Announced {
  /** The number of all records, if it is stated and larger than the list. */
  total: number | undefined;
}

const COUNTING = /^(?:totals?|counts?|found|hits|num|nb)$/;
/** The other words in names of totals, besides those for the records. */
const BESIDE_TOTAL =
  /^(?:grand|overall|full|all|of|number|size|available|match(?:ing|ed|es)|filtered|in|data|list|items?|elements?|records?|results?|rows?|entry|entries|objects?|documents?|docs?)$/;
const PAGES = /^(?:(?:total|num|nb|number of|all) pages|pages(?: (?:total|count))?|(?:total )?page count|last page)$/;
const MORE =
  /^(?:(?:has|have|is|are) )?(?:there )?(?:more|next|truncated|incomplete|partial)(?: (?:pages?|items|records|results|rows|data|available|exists?))?$/;
const LAST = /^(?:is )?(?:last|final|complete|end|done|finished|exhausted)(?: page)?$/;
const NEXT =
  /^next(?: (?:page|records?|results?|items?|links?|url|uri|href|cursor|token|offset|skip|start|index|marker|key|id|batch|number))*$|^(?:page )?(?:end )?cursor$|^(?:continuation|scroll|resume)(?: (?:token|key|id))?$/;

/** How deep in the values alongside the list totals and links are looked for. */
const MAX_DEPTH = 4;

const integerIn = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
};

const isNextLink = (value: unknown): boolean =>
  isRecord(value) ? Object.values(value).some((one) => typeof one === "string" && one !== "") : Boolean(value) && value !== true;

/** The words of a name such as `x-total-count` or `@odata.nextLink`. */
const wordsOf = (name: string) => nameWords(name).filter((word, at) => at > 0 || !/^(?:x|odata)$/.test(word));

/** Every value alongside a list, with the words of its name. `total: {value: 9}` is a total too. */
function* namedValues(rest: unknown, depth = MAX_DEPTH, parent = ""): Generator<[words: string[], value: unknown]> {
  if (depth === 0 || !isRecord(rest)) return;
  for (const [name, value] of Object.entries(rest)) {
    yield [wordsOf(/^value$/i.test(name) ? parent : name), value];
    if (Array.isArray(value)) {
      for (const link of value) if (isRecord(link) && link["rel"] === "next") yield [["next"], link];
    } else yield* namedValues(value, depth - 1, name);
  }
}

/**
 * Finds out whether a service has more records than the `listed` ones, from the values alongside them: totals, numbers of pages, flags, links and cursors under
 * any of their usual names. Returns undefined if nothing says so. `nouns` are what the records may be called.
 */
export function announcedIn(rest: unknown, listed: number, nouns: readonly string[]): Announced | undefined {
  const called = new Set(nouns.flatMap(wordsOf));
  const totals: number[] = [];
  const flags = new Set<boolean>();
  let [hasPages, hasLink] = [false, false];
  for (const [words, value] of namedValues(rest)) {
    const name = words.join(" ");
    const number = integerIn(value) ?? 0;
    const isTotal = words.some((word) => COUNTING.test(word)) || name.startsWith("number of ");
    if (number > listed && isTotal && words.every((word) => COUNTING.test(word) || BESIDE_TOTAL.test(word) || called.has(word)))
      totals.push(number);
    if (number > 1 && PAGES.test(name)) hasPages = true;
    if (typeof value === "boolean") {
      if (MORE.test(name)) flags.add(value);
      if (LAST.test(name)) flags.add(!value);
    } else if (NEXT.test(name) ? isNextLink(value) : typeof value === "string" && /rel="?next/.test(value)) hasLink = true;
  }
  const hasMore = totals.length > 0 || hasPages || flags.has(true) || (hasLink && !flags.has(false));
  return hasMore ? { total: totals[0] } : undefined;
}

/** Returns the query of a link to the next records, if a service states one: `/jobs?$skip=3`. */
function nextQueryIn(rest: unknown): Record<string, string> | undefined {
  for (const [words, value] of namedValues(rest)) {
    if (!NEXT.test(words.join(" "))) continue;
    const link = [value, ...(isRecord(value) ? Object.values(value) : [])].find((one) => typeof one === "string" && /\?[^=]+=/.test(one));
    if (typeof link === "string") return Object.fromEntries(new URLSearchParams(link.slice(link.indexOf("?") + 1).replace(/#.*/, "")));
  }
  return undefined;
}

/** Of an undocumented list, at most so many more pages are read. */
const MAX_MORE_PAGES = 20;

interface ReadRecords extends Records {
  /** A response without a list is shown, but is no record. */
  isList: boolean;
  /** What the service has besides these. */
  more: Announced | undefined;
}

/**
 * Reads a list of which only the path is documented. If the service says that it has more, they are requested as its link says or, since the interface names no
 * parameters, with those of its other lists; what a service does not understand changes nothing, because only new records count.
 */
export async function readRecords(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  nouns: readonly string[],
  context: FleetContext,
): Promise<ReadRecords> {
  const response = await callRead(operation, input, context);
  const first = findRecords(response, operation.path);
  if (!first) return { isList: false, records: [asRecord(response)], rest: {}, more: undefined };
  const { records, rest } = first;
  let more = announcedIn(rest, records.length, nouns);
  if (!more || operation.query["query"] === undefined || input["query"] !== undefined) return { isList: true, records, rest, more };
  const seen = new Set(records.map(identityOf));
  let next = nextQueryIn(rest);
  for (let page = 0; more && page < MAX_MORE_PAGES; page++) {
    const query = next ?? (more.total === undefined ? undefined : { skip: String(records.length), limit: String(more.total) });
    if (query === undefined) break;
    const found = await furtherRecords(operation, { ...input, query }, context);
    const fresh = found?.records.filter((record) => !seen.has(identityOf(record))) ?? [];
    if (!found || fresh.length === 0) break;
    for (const record of fresh) seen.add(identityOf(record));
    records.push(...fresh);
    next = nextQueryIn(found.rest);
    const isLast: boolean = next === undefined && (more.total === undefined || records.length >= more.total);
    more = isLast ? announcedIn(found.rest, records.length, nouns) : { total: more.total };
  }
  return { isList: true, records, rest, more };
}

/** Returns what a further request reads; undefined if the service refuses it. */
async function furtherRecords(operation: Operation, input: Readonly<Record<string, unknown>>, context: FleetContext) {
  try {
    return findRecords(await callRead(operation, input, context), operation.path);
  } catch (error) {
    if (error instanceof FleetError && context.callOptions.signal?.aborted !== true) return undefined;
    throw error;
  }
}

/** Returns what equal records have in common; a record that is nested too deeply to be written is like no other. */
function identityOf(record: Row): unknown {
  try {
    return JSON.stringify(record);
  } catch {
    return record;
  }
}
