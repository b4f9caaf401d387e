import { placesIn } from "../checks/presence.ts";
import { isFieldName } from "../fixtures/fixture.ts";

/** The records that show most, in their own order: each adds places that those before do not fill, then the first ones up to a number. */
export function mostComplete(records: readonly unknown[], most: number): unknown[] {
  const chosen = new Set<number>();
  const shown = new Set<string>();
  const adds = (record: unknown) => [...placesIn(record).keys()].filter((place) => !shown.has(place));
  while (chosen.size < Math.min(most, records.length)) {
    const rest = [...records.keys()].filter((at) => !chosen.has(at));
    const best = rest.reduce((one, other) => (adds(records[other]).length > adds(records[one]).length ? other : one));
    chosen.add(best);
    for (const place of adds(records[best])) shown.add(place);
  }
  return [...chosen].sort((a, b) => a - b).map((at) => records[at]);
}

/** A body whose lists of records have a number of them at most; counts beside them stay as they came. */
export function shortened(body: unknown, most: number): { body: unknown; left: string[] } {
  const left: string[] = [];
  const shorten = (list: readonly unknown[], place: string): unknown[] => {
    if (list.length <= most || typeof list[0] !== "object") return [...list];
    left.push(`${place === "[]" || isFieldName(place) ? place : "<name>"}: ${most} of ${list.length} records`);
    return mostComplete(list, most);
  };
  if (Array.isArray(body)) return { body: shorten(body, "[]"), left };
  if (typeof body !== "object" || body === null) return { body, left };
  const entries = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? shorten(value, name) : value]);
  return { body: Object.fromEntries(entries), left };
}
