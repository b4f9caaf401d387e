import { pathsIn } from "../checks/presence.ts";
import { isFieldName } from "../fixtures/fixture.ts";

/** Up to `most` records that together fill the most paths, in their original order. */
function mostComplete(records: readonly unknown[], most: number): unknown[] {
  const chosen = new Set<number>();
  const shown = new Set<string>();
  const adds = (record: unknown) => [...pathsIn(record).keys()].filter((path) => !shown.has(path));
  while (chosen.size < Math.min(most, records.length)) {
    const rest = [...records.keys()].filter((at) => !chosen.has(at));
    const best = rest.reduce((one, other) => (adds(records[other]).length > adds(records[one]).length ? other : one));
    chosen.add(best);
    for (const path of adds(records[best])) shown.add(path);
  }
  return [...chosen].sort((a, b) => a - b).map((at) => records[at]);
}

/** Shortens the lists of records in a body, without changing its counts. */
export function shortened(body: unknown, most: number): { body: unknown; omitted: string[] } {
  const omitted: string[] = [];
  const shorten = (list: readonly unknown[], path: string): unknown[] => {
    if (list.length <= most || typeof list[0] !== "object") return [...list];
    omitted.push(`${path === "[]" || isFieldName(path) ? path : "<name>"}: ${most} of ${list.length} records`);
    return mostComplete(list, most);
  };
  if (Array.isArray(body)) return { body: shorten(body, "[]"), omitted };
  if (typeof body !== "object" || body === null) return { body, omitted };
  const entries = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? shorten(value, name) : value]);
  return { body: Object.fromEntries(entries), omitted };
}
