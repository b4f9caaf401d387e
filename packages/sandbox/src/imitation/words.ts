import { ACTIVITIES_PATH, type FactOf, isRecord } from "@fleetwire/core/internal";
import { topic } from "../simulation/random.ts";

/** Fields whose values the interface leaves open, and the sandbox's own values. SOLD is documented. */
const OWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  "$[*].status": ["ACTIVE"],
  "$[*].assetType": ["CAR", "TRAILER", "TRUCK", "VAN"],
  "$[*].ignitionStatus": ["OFF", "ON"],
  [`${ACTIVITIES_PATH}.type`]: ["CARD", "MANUAL"],
  [`${ACTIVITIES_PATH}.activity`]: ["AVAILABILITY", "DRIVING", "REST", "WORK"],
};

type ValuesFact = FactOf<"values">;

export const canImitateWords = ({ path }: ValuesFact): boolean => Object.hasOwn(OWN_WORDS, path);

/** The observed words that stand for each of the sandbox's. Its other words are unchanged, because a profile may have seen only some. */
export function wordsInstead({ path, values }: ValuesFact): ReadonlyMap<string, readonly string[]> {
  const own = OWN_WORDS[path] ?? [];
  const observed = values.map(({ value }) => value);
  const others = observed.filter((word) => !own.includes(word) && word !== "SOLD");
  const unobserved = own.filter((word) => !observed.includes(word));
  const replaced = unobserved.length > 0 ? unobserved : own;
  const instead = new Map<string, string[]>();
  for (const [at, word] of others.entries()) {
    const target = replaced[at % replaced.length] as string;
    const words = instead.get(target) ?? (observed.includes(target) ? [target] : []);
    instead.set(target, [...words, word]);
  }
  return instead;
}

/** Changes a value at each place that a path names. `id` tells records apart, so that a record keeps its word. */
export function changeAt(body: unknown, path: string, change: (value: unknown, id: string) => unknown): void {
  const visit = (value: unknown, [segment, ...rest]: readonly string[]): void => {
    if (segment === "[*]" && Array.isArray(value)) for (const item of value) visit(item, rest);
    if (segment === undefined || !isRecord(value)) return;
    const id = String(value["assetId"] ?? "") + String(value["startTime"] ?? "");
    if (rest.length > 0) visit(value[segment], rest);
    else if (value[segment] !== undefined) value[segment] = change(value[segment], id);
  };
  visit(body, path.match(/\[\*\]|[^.[\]$]+/g) ?? []);
}

/** Returns the observed word for one of the sandbox's. */
export function wordFor(value: unknown, id: string, instead: ReadonlyMap<string, readonly string[]>): unknown {
  const words = instead.get(String(value));
  return words?.[topic(id) % words.length] ?? value;
}
