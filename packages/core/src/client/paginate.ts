import { isRecord } from "../is-record.ts";
import type { Operation, Paging } from "../operation.ts";
import { contractError } from "./check-body.ts";
import { lengthAsSent } from "./check-value.ts";
import { valueAt } from "./field-path.ts";
import type { ResultWithMetadata } from "./operation-method.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Calls the operation for one page. */
type ReadPage = (input: unknown) => Promise<ResultWithMetadata<unknown>>;

/** A page, its records, and how many were sent before unreadable ones were left out. */
interface Page {
  data: unknown;
  records: readonly unknown[];
  sent: number;
}

/** Where the reading stands. */
interface Place {
  /** The input fields that ask for the page at this place. */
  fields(): Fields;
  /** Moves behind a page; false where that was the last one. */
  pass(page: Page): boolean;
}

// A service that makes up new pages without end is left at last.
const MOST_PAGES = 100_000;

const countOr = (value: unknown, other: number) => (typeof value === "number" ? value : other);

/** Where the reading begins. What is no number goes into the first call as it is, which refuses it. */
const startAt = (given: unknown) => (given === undefined ? 0 : (given as number));

/** What an answer says of its whole. A page without a readable record does not put the end off, or a service could do so for ever. */
function statedEnd(path: string): (page: Page) => number | undefined {
  let end = Number.POSITIVE_INFINITY;
  return ({ data, records }) => {
    const stated = valueAt(path, data);
    if (typeof stated !== "number") return undefined;
    end = records.length > 0 ? stated : Math.min(end, stated);
    return end;
  };
}

function placeInPages({ index, size, totalPages }: Extract<Paging, { kind: "page" }>, input: Fields): Place {
  const endOf = statedEnd(totalPages);
  let at = startAt(input[index]);
  let full: number | undefined;
  return {
    fields: () => ({ [index]: at }),
    pass(page) {
      at += 1;
      full ??= countOr(input[size], page.sent);
      const end = endOf(page);
      return end === undefined ? page.records.length > 0 && page.sent >= full : at < end;
    },
  };
}

function placeByOffset({ skip, totalItems }: Extract<Paging, { kind: "offset" }>, input: Fields): Place {
  const endOf = statedEnd(totalItems);
  let at = startAt(input[skip]);
  return {
    fields: () => ({ [skip]: at }),
    pass(page) {
      at += page.sent;
      const end = endOf(page);
      return end === undefined ? page.records.length > 0 : page.sent > 0 && at < end;
    },
  };
}

/** What stands for a text (FNV-1a, twice, with different primes): pages are remembered by it. */
function fingerprint(text: string): string {
  let [one, other] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 16_777_619);
    other = Math.imul(other ^ text.charCodeAt(at), 1_540_483_477);
  }
  return `${one} ${other}`;
}

/** A record as text; of one that is nested too deep to be written, its plain fields. */
function textOf(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify(Object.entries(record as Fields).filter(([, value]) => typeof value !== "object"));
  }
}

async function* pagesOf(operation: Operation, paging: Paging, input: unknown = {}, read: ReadPage): AsyncGenerator<Page, void, void> {
  const given = isRecord(input) ? input : {};
  const place = paging.kind === "page" ? placeInPages(paging, given) : placeByOffset(paging, given);
  const seen = new Set<string>();
  for (let count = 1; ; count++) {
    // What is no input is refused by name, as in a single call.
    const { data, metadata } = await read(isRecord(input) ? { ...given, ...place.fields() } : input);
    const refuse = (what: string) => contractError(operation, metadata.status, what);
    const records = (valueAt(paging.items, data) ?? []) as readonly unknown[];
    if (records.length > 0) {
      const mark = fingerprint(records.map(textOf).join());
      if (seen.has(mark)) throw refuse("the service sent the same page twice, so that its pages have no end");
      seen.add(mark);
    }
    const page = { data, records, sent: lengthAsSent(records) };
    yield page;
    if (!place.pass(page)) return;
    if (count === MOST_PAGES) throw refuse(`the service has not come to an end after ${MOST_PAGES} pages`);
  }
}

/** The pages of an operation's answer, each as a single call gives it. */
export async function* readPages(
  operation: Operation,
  paging: Paging,
  input: unknown,
  read: ReadPage,
): AsyncGenerator<unknown, void, void> {
  for await (const { data } of pagesOf(operation, paging, input, read)) yield data;
}

/** Whether a record goes on with the one before it. */
function goesOn(record: Fields, before: Fields, by: readonly string[]): boolean {
  return by.every((name) => record[name] === before[name]) && by.some((name) => record[name] !== undefined);
}

/** One record made of two parts, their lists one after the other. */
function join(before: Fields, record: Fields, list: string): Fields {
  const parts = [before[list], record[list]].filter((part) => Array.isArray(part));
  return { ...before, ...record, ...(parts.length > 0 && { [list]: parts.flat() }) };
}

/** The records of all pages; one that is split between two pages is put together again, and not given where the next page fails. */
export async function* readRecords(
  operation: Operation,
  paging: Paging,
  input: unknown,
  read: ReadPage,
): AsyncGenerator<unknown, void, void> {
  const { split } = paging;
  let held: Fields | undefined;
  for await (const { records } of pagesOf(operation, paging, input, read)) {
    for (const [at, record] of (records as readonly Fields[]).entries()) {
      if (!split) {
        yield record;
      } else if (at === 0 && held && goesOn(record, held, split.by)) {
        held = join(held, record, split.list);
      } else {
        if (held) yield held;
        held = record;
      }
    }
  }
  if (held) yield held;
}
