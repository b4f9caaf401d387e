import { isRecord } from "@fleetwire/core/internal";

/** A difference between two JSON values. */
interface Difference {
  /** Such as `$.items[0].faults`. */
  path: string;
  wanted: unknown;
  /** Undefined if it is missing. */
  found: unknown;
}

/** All differences between two JSON values; properties that are undefined count as absent. */
export function jsonDifferences(wanted: unknown, found: unknown, path = "$"): Difference[] {
  if (Array.isArray(wanted) && Array.isArray(found)) {
    const length = Math.max(wanted.length, found.length);
    return [...Array(length).keys()].flatMap((at) => jsonDifferences(wanted[at], found[at], `${path}[${at}]`));
  }
  if (isRecord(wanted) && isRecord(found)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...names].flatMap((name) => jsonDifferences(wanted[name], found[name], `${path}.${name}`));
  }
  return Object.is(wanted, found) || (wanted === undefined && found === undefined) ? [] : [{ path, wanted, found }];
}

const MAX_LENGTH = 80;

/** Formats and shortens a value for a message. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** A message that names what is recorded and what is found now. */
export function describeChange({ path, wanted, found }: Difference): string {
  return `${path} was ${formatValue(wanted)}, is now ${formatValue(found)}`;
}

/** A message that names the field. */
export function describeDifference({ path, wanted, found }: Difference): string {
  if (found === undefined) return `${path} is missing, expected ${formatValue(wanted)}`;
  if (wanted === undefined) return `${path} is ${formatValue(found)}, but should be absent`;
  return `${path} is ${formatValue(found)}, expected ${formatValue(wanted)}`;
}
