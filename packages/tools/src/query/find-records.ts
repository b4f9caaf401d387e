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
  const mapIn = (name: string) => (isNamed(name) || RECORDS.test(name) ? recordsById(response[name], isNamed(name)) : undefined);
  const named =
    lists.find(isNamed) ?? (lists.length === 1 ? lists[0] : lists.find((name) => RECORDS.test(name))) ?? Object.keys(response).find(mapIn);
  if (named !== undefined) {
    const { [named]: list, ...rest } = response;
    return { list: Array.isArray(list) ? list : (mapIn(named) ?? []), rest };
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
