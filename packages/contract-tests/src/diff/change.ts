/** Who notices a change: programs that use HTTP, callers of the TypeScript client, or models that call the tools. */
export type Face = "wire" | "client" | "tools";

/** Whether callers of the old contract may fail, find something new, or only read other words. */
export const impacts = ["breaking", "additive", "cosmetic"] as const;

export type Impact = (typeof impacts)[number];

export interface Change {
  impact: Impact;
  faces: readonly Face[];
  /** The kind of change, such as `property-removed`. */
  rule: string;
  /** What changed, such as `LivePosition.speed` or `listJobs`. */
  at: string;
  /** A sentence for a release note. */
  text: string;
}

/** The same change in several places is one change. */
export function distinct(changes: readonly Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter(({ text, impact, faces }) => {
    const key = JSON.stringify([impact, faces, text]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Pairs the members of two objects by name. */
export function pairs<Value>(before: Record<string, Value> = {}, after: Record<string, Value> = {}) {
  const of = (values: Record<string, Value>, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    before: of(before, name),
    after: of(after, name),
  }));
}

export const isSame = (before: unknown, after: unknown): boolean => canonical(before) === canonical(after);

/** JSON with sorted members, so that their order makes no difference. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
    .join(",")}}`;
}
