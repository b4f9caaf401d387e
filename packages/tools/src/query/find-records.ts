import { isRecord } from "@fleetwire/core/internal";
import type { Row } from "./list-result.ts";

interface Records {
  records: Row[];
  /** The values alongside the list. */
  rest: Row;
}

/** Names of lists that hold the records, whatever these are, and of objects that hold only the list, and values about it. */
const RECORDS = /^(?:items|data|results?|records|rows|entries|elements|content|values?)$/i;
const WRAPPER = /^(?:_?embedded|data|results?|response|payload|body|content|hits|page|d)$/i;

/** Names of lists that accompany the records. */
const BESIDE = /^(?:_?links?|errors|warnings|messages)$/i;

const MAX_WRAPPERS = 3;

/** Finds the list in an object: the one named like the last segment of the path, the only one, or one in a wrapper. */
function listIn(response: Row, path: string, depth = MAX_WRAPPERS): { list: unknown[]; rest: Row } | undefined {
  const isNamed = (name: string) => path.endsWith(`/${name}`);
  const lists = Object.keys(response).filter((name) => Array.isArray(response[name]) && (isNamed(name) || !BESIDE.test(name)));
  const named = lists.find(isNamed) ?? (lists.length === 1 ? lists[0] : lists.find((name) => RECORDS.test(name)));
  if (named !== undefined) {
    const { [named]: list, ...rest } = response;
    return { list: list as unknown[], rest };
  }
  if (depth === 0) return undefined;
  for (const [name, value] of Object.entries(response)) {
    const inner = isRecord(value) && (isNamed(name) || WRAPPER.test(name)) ? listIn(value, path, depth - 1) : undefined;
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

/**
 * Finds the records in a response of unknown shape: the response itself if it is a list, or the list in it. A response without one is a
 * single record.
 */
export function findRecords(response: unknown, path: string): Records {
  const asRows = (list: readonly unknown[]) => list.map((item) => withoutInfinite(isRecord(item) ? item : { value: item }));
  if (Array.isArray(response)) return { records: asRows(response), rest: {} };
  if (!isRecord(response)) return { records: asRows([response]), rest: {} };
  const found = listIn(response, path);
  return found ? { records: asRows(found.list), rest: withoutInfinite(found.rest) } : { records: asRows([response]), rest: {} };
}
