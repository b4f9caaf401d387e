import { FleetError } from "../errors.ts";
import { valueAt } from "../json-values.ts";
import type { Operation, Paging } from "../operation.ts";
import { contractError } from "./check-body.ts";
import { originalLength } from "./check-value.ts";
import type { ResultWithMetadata } from "./operation-method.ts";
import { isInput } from "./parse-input.ts";

/** Hashes a string to 64 bits: FNV-1a with two primes. */
function textHash(text: string): string {
  let [one, other] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 16_777_619);
    other = Math.imul(other ^ text.charCodeAt(at), 1_540_483_477);
  }
  return `${one} ${other}`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Requests one page. */
type ReadPage = (input: unknown) => Promise<ResultWithMetadata<unknown>>;

interface Page {
  data: unknown;
  records: readonly unknown[];
  /** Number of records before invalid ones were dropped. */
  sent: number;
}

/** Whether there is another page: totals say so, it is possible, or neither. */
type Next = "stated" | "possible" | "none";

/** The position in a paged list. */
interface Cursor {
  /** The input fields that request the page at this position. */
  fields(): Fields;
  /** Moves past a page. */
  advance(page: Page): Next;
}

// Stops reading from a service that keeps sending new pages.
const MAX_PAGES = 100_000;

/** The first call rejects a value that is not a number. */
const firstPosition = (input: unknown) => (input === undefined ? 0 : (input as number));

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

/** Without a total, only an empty page ends the list. A service that ignores the requested size may ignore the position too, and repeat the page. */
function untilEmpty({ records, sent }: Page, requested: unknown): Next {
  if (records.length === 0) return "none";
  return requested === undefined || sent === requested ? "stated" : "possible";
}

function pageCursor({ index, size, pageSize, totalPages, totalItems }: Extract<Paging, { kind: "page" }>, input: Fields): Cursor {
  const [endOf, itemsOf] = [statedTotal(totalPages), statedTotal(totalItems)];
  let at = firstPosition(input[index]);
  let read = at === 0 ? 0 : undefined;
  let largest = 0;
  return {
    fields: () => ({ [index]: at }),
    advance(page) {
      const { data, sent } = page;
      // The service may send smaller pages than requested.
      const own = pageSize === undefined ? undefined : valueAt(pageSize, data);
      if (read === undefined && typeof own === "number") read = at * own;
      at += 1;
      if (read !== undefined) read += sent;
      const [end, items] = [endOf(page), itemsOf(page)];
      const lacksPages = end === undefined ? undefined : at < end;
      const lacksItems = items === undefined || read === undefined ? undefined : read < items && (sent > 0 || lacksPages === true);
      const isShort = sent < largest;
      largest = Math.max(largest, sent);
      if (lacksPages === undefined && lacksItems === undefined) return isShort ? "none" : untilEmpty(page, input[size]);
      if (lacksItems !== false && lacksPages !== false) return "stated";
      // A total below what has arrived counts something else, and a number of pages may be rounded.
      const isDoubtful = lacksItems === true || lacksPages === true || (lacksPages === undefined && Number(read) > Number(items));
      return sent > 0 && isDoubtful ? "possible" : "none";
    },
  };
}

function offsetCursor({ skip, limit, totalItems }: Extract<Paging, { kind: "offset" }>, input: Fields): Cursor {
  const endOf = statedTotal(totalItems);
  let at = firstPosition(input[skip]);
  return {
    fields: () => ({ [skip]: at }),
    advance(page) {
      const { sent } = page;
      at += sent;
      const end = endOf(page);
      if (end === undefined) return untilEmpty(page, input[limit]);
      if (sent === 0) return "none";
      if (at < end) return "stated";
      // A total below what has arrived, or equal to one full page, may count something else.
      return end < at || (sent === end && sent === input[limit]) ? "possible" : "none";
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

/** The text by which a page that is sent again is recognized. The list that pages may split is long, so only its length and ends count. */
function textOfPage(records: readonly unknown[], split: Paging["split"]): string {
  const shortened = (record: Fields): Fields => {
    const list = split && record[split.list];
    return split && Array.isArray(list) ? { ...record, [split.list]: [list.length, list[0], list.at(-1)] } : record;
  };
  return (records as readonly Fields[]).map((record) => textOf(shortened(record))).join();
}

/** Whether the service refuses the request, as some do for a page after the last. */
const isRefused = (error: unknown) => error instanceof FleetError && (error.code === "rejected" || error.code === "notFound");

type PagedCall = [operation: Operation, paging: Paging, input: unknown, read: ReadPage];

async function* pagesOf(...[operation, paging, input = {}, read]: PagedCall): AsyncGenerator<Page, void, void> {
  const given = isInput(input) ? input : {};
  const cursor = paging.kind === "page" ? pageCursor(paging, given) : offsetCursor(paging, given);
  const seen = new Set<string>();
  let next: Next = "stated";
  for (let count = 1; ; count++) {
    let result: ResultWithMetadata<unknown>;
    try {
      // An input that is not an object is passed on unchanged, and the call rejects it.
      result = await read(isInput(input) ? { ...given, ...cursor.fields() } : input);
    } catch (error) {
      if (next === "possible" && isRefused(error)) return;
      throw error;
    }
    const { data, metadata } = result;
    const pagingError = (what: string) => contractError(operation, metadata.status, what);
    const records = (valueAt(paging.items, data) ?? []) as readonly unknown[];
    if (records.length > 0) {
      const hash = textHash(textOfPage(records, paging.split));
      if (seen.has(hash)) {
        if (next === "possible") return;
        throw pagingError("the service sent the same page twice, so pagination would never end");
      }
      seen.add(hash);
    }
    const page = { data, records, sent: originalLength(records) };
    yield page;
    next = cursor.advance(page);
    if (next === "none") return;
    if (count === MAX_PAGES) throw pagingError(`the service was still sending data after ${MAX_PAGES} pages`);
  }
}

/** Yields the pages, each as a single call would return it. */
export async function* readPages(...call: PagedCall): AsyncGenerator<unknown, void, void> {
  for await (const { data } of pagesOf(...call)) yield data;
}

/** Whether a record continues the previous one. */
const continues = (record: Fields, before: Fields, by: readonly string[]) =>
  by.every((name) => record[name] === before[name]) && by.some((name) => record[name] !== undefined);

/** Merges two parts of a record by concatenating their lists. */
function merge(before: Fields, record: Fields, list: string): Fields {
  const parts = [before[list], record[list]].filter((part) => Array.isArray(part));
  return { ...before, ...record, ...(parts.length > 0 && { [list]: parts.flat() }) };
}

/** Yields the records of all pages. A record split between two pages is merged; if requesting the second page fails, it is not yielded at all. */
export async function* readRecords(...call: PagedCall): AsyncGenerator<unknown, void, void> {
  const [, { split }] = call;
  let held: Fields | undefined;
  for await (const { records } of pagesOf(...call)) {
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
