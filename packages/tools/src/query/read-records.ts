import { FleetError, type Operation } from "@fleetwire/core";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { type Announced, announcedIn, nextQueryIn } from "./announced-records.ts";
import { callRead } from "./call-read.ts";
import { asRecord, findRecords } from "./find-records.ts";
import type { Row } from "./list-result.ts";

/** Of an undocumented list, at most so many more pages are read. */
const MAX_MORE_PAGES = 20;

interface ReadRecords {
  /** A response without a list is shown, but is no record. */
  isList: boolean;
  records: Row[];
  rest: Row;
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
  let more: Announced | undefined = announcedIn(rest, records.length, nouns);
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
