import type { Operation, Paging } from "../operation.ts";
import { contractError } from "./check-body.ts";
import { originalLength } from "./check-value.ts";
import { valueAt } from "./field-path.ts";
import type { ResultWithMetadata } from "./operation-method.ts";
import { isInput } from "./parse-input.ts";
import { textHash } from "./text-hash.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Requests one page. */
type ReadPage = (input: unknown) => Promise<ResultWithMetadata<unknown>>;

interface Page {
  data: unknown;
  records: readonly unknown[];
  /** Number of records before invalid ones were dropped. */
  sent: number;
}

/** The position in a paged list. */
interface Cursor {
  /** The input fields that request the page at this position. */
  fields(): Fields;
  /** Moves past a page. Returns false if it was the last one. */
  advance(page: Page): boolean;
}

// Stops reading from a service that keeps sending new pages.
const MAX_PAGES = 100_000;

const countOr = (value: unknown, other: number) => (typeof value === "number" ? value : other);

/** The position to start at. The first call rejects a value that is not a number. */
const startAt = (given: unknown) => (given === undefined ? 0 : (given as number));

/** Reads the total that the service states. A page without valid records cannot raise it, because the service could otherwise do so forever. */
function statedTotal(path: string): (page: Page) => number | undefined {
  let end = Number.POSITIVE_INFINITY;
  return ({ data, records }) => {
    const stated = valueAt(path, data);
    if (typeof stated !== "number") return undefined;
    end = records.length > 0 ? stated : Math.min(end, stated);
    return end;
  };
}

function pageCursor({ index, size, totalPages, totalItems }: Extract<Paging, { kind: "page" }>, input: Fields): Cursor {
  const [endOf, itemsOf] = [statedTotal(totalPages), statedTotal(totalItems)];
  let at = startAt(input[index]);
  // Without the size of the pages before it, only a list read from its first page can be counted.
  let read = at === 0 ? 0 : undefined;
  let full: number | undefined;
  return {
    fields: () => ({ [index]: at }),
    advance(page) {
      at += 1;
      full ??= countOr(input[size], page.sent);
      const [end, items] = [endOf(page), itemsOf(page)];
      if (read !== undefined) read += page.sent;
      if (end !== undefined) return at < end;
      // The service may send smaller pages than requested.
      if (items !== undefined && read !== undefined) return page.sent > 0 && read < items;
      return page.records.length > 0 && page.sent >= full;
    },
  };
}

function offsetCursor({ skip, totalItems }: Extract<Paging, { kind: "offset" }>, input: Fields): Cursor {
  const endOf = statedTotal(totalItems);
  let at = startAt(input[skip]);
  return {
    fields: () => ({ [skip]: at }),
    advance(page) {
      at += page.sent;
      const end = endOf(page);
      return end === undefined ? page.records.length > 0 : page.sent > 0 && at < end;
    },
  };
}

/** Serializes a record, or only its primitive fields if it is nested too deeply. */
function textOf(record: unknown): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify(Object.entries(record as Fields).filter(([, value]) => typeof value !== "object"));
  }
}

async function* pagesOf(operation: Operation, paging: Paging, input: unknown = {}, read: ReadPage): AsyncGenerator<Page, void, void> {
  const given = isInput(input) ? input : {};
  const cursor = paging.kind === "page" ? pageCursor(paging, given) : offsetCursor(paging, given);
  const seen = new Set<string>();
  for (let count = 1; ; count++) {
    // An input that is not an object is passed on unchanged, and the call rejects it.
    const { data, metadata } = await read(isInput(input) ? { ...given, ...cursor.fields() } : input);
    const pagingError = (what: string) => contractError(operation, metadata.status, what);
    const records = (valueAt(paging.items, data) ?? []) as readonly unknown[];
    if (records.length > 0) {
      const hash = textHash(records.map(textOf).join()).join(" ");
      if (seen.has(hash)) throw pagingError("the service sent the same page twice, so pagination would never end");
      seen.add(hash);
    }
    const page = { data, records, sent: originalLength(records) };
    yield page;
    if (!cursor.advance(page)) return;
    if (count === MAX_PAGES) throw pagingError(`the service was still sending data after ${MAX_PAGES} pages`);
  }
}

/** Yields the pages, each as a single call would return it. */
export async function* readPages(
  operation: Operation,
  paging: Paging,
  input: unknown,
  read: ReadPage,
): AsyncGenerator<unknown, void, void> {
  for await (const { data } of pagesOf(operation, paging, input, read)) yield data;
}

/** Whether a record continues the previous one. */
function continues(record: Fields, before: Fields, by: readonly string[]): boolean {
  return by.every((name) => record[name] === before[name]) && by.some((name) => record[name] !== undefined);
}

/** Merges two parts of a record by concatenating their lists. */
function merge(before: Fields, record: Fields, list: string): Fields {
  const parts = [before[list], record[list]].filter((part) => Array.isArray(part));
  return { ...before, ...record, ...(parts.length > 0 && { [list]: parts.flat() }) };
}

/** Yields the records of all pages. A record split between two pages is merged; if requesting the second page fails, it is not yielded at all. */
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
      } else if (at === 0 && held && continues(record, held, split.by)) {
        held = merge(held, record, split.list);
      } else {
        if (held) yield held;
        held = record;
      }
    }
  }
  if (held) yield held;
}
