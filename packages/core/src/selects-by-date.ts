import { parseDateTime } from "./schemas/parse-date-time.ts";
import type { LivePosition } from "./schemas/shapes.generated.ts";

const instantOf = ({ date }: LivePosition) => parseDateTime(date) ?? Number.NEGATIVE_INFINITY;

/** Returns an instant that lies between the dates of the records; undefined if there is none. */
export function instantAmong(records: readonly LivePosition[]): Date | undefined {
  const instants = [...new Set(records.map(instantOf).filter(Number.isFinite))].sort((a, b) => a - b);
  const middle = instants[Math.ceil(instants.length / 2)];
  return middle === undefined ? undefined : new Date(middle);
}

/**
 * Whether `fromDateTime`, of which only the type is documented (interface 4.3), selects the records since that instant. `all` was
 * read before `selected`: records reported in between are selected too.
 */
export function selectsByDate(all: readonly LivePosition[], selected: readonly LivePosition[], from: Date): boolean {
  const ids = new Set(selected.map(({ assetId }) => assetId));
  const isNew = (record: LivePosition) => instantOf(record) >= from.getTime();
  return selected.every(isNew) && all.every((record) => !isNew(record) || ids.has(record.assetId));
}
