import type * as z from "zod";
import { type Check, checkOf } from "./compile-check.ts";

/** How a response differs from the contract. */
export type DriftKind = "unknown field" | "unknown enum value" | "wrong type" | "missing required" | "dropped record";

/** A difference between a response and the contract. */
export interface Drift {
  /** JSON path of the value, such as `$[*].eventType` for all records. */
  path: string;
  /** The kind of difference. */
  kind: DriftKind;
  /** Number of occurrences. */
  count: number;
}

// Limits memory use: a hostile service could send a new field name in every record.
const MAX_DRIFT = 1_000;

/** Returns the inner map for a key, creating it if it is missing. */
function innerMap<Key, Inner>(maps: Map<Key, Map<Inner, Drift>>, key: Key): Map<Inner, Drift> {
  const known = maps.get(key);
  if (known) return known;
  const created = new Map<Inner, Drift>();
  maps.set(key, created);
  return created;
}

/** Counts differences by site and kind. Compares sites by identity, because building a string for each difference would cost more than the check itself. */
export class DriftCollector {
  private readonly found: Drift[] = [];
  private readonly atSites = new Map<DriftKind, Map<Check, Drift>>();
  private readonly unknownFields = new Map<Check, Map<string, Drift>>();

  add(site: Check, kind: DriftKind): void {
    const known = innerMap(this.atSites, kind);
    const drift = known.get(site);
    if (drift) drift.count++;
    else this.open(known, site, site.path, kind);
  }

  /** Counts an unknown field in the object at a site. */
  addUnknownField(site: Check, name: string): void {
    const known = innerMap(this.unknownFields, site);
    const drift = known.get(name);
    if (drift) drift.count++;
    else this.open(known, name, `${site.path}.${name}`, "unknown field");
  }

  list(): Drift[] {
    return this.found;
  }

  private open<Key>(known: Map<Key, Drift>, key: Key, path: string, kind: DriftKind): void {
    if (this.found.length >= MAX_DRIFT) return;
    const drift = { path, kind, count: 1 };
    known.set(key, drift);
    this.found.push(drift);
  }
}

/** Sums the drift in the parts of one response. */
export class DriftTotal {
  private readonly found = new Map<string, Drift>();

  add(drift: readonly Drift[]): void {
    for (const { path, kind, count } of drift) {
      const key = `${kind} ${path}`;
      const known = this.found.get(key);
      if (known) known.count += count;
      else if (this.found.size < MAX_DRIFT) this.found.set(key, { path, kind, count });
    }
  }

  list(): Drift[] {
    return [...this.found.values()];
  }
}

/** Shown in a path in place of an unknown field's name. */
const UNDOCUMENTED = "(undocumented)";

const NAME = /^\.([^.[\]]+)/;

/** The path up to its last documented field, followed by a placeholder for the rest. */
function documentedPath(output: z.core.$ZodType, path: string): string {
  if (!path.startsWith("$")) return UNDOCUMENTED;
  let at: Check | undefined = checkOf(output);
  let rest = path.slice(1);
  while (rest !== "") {
    const [step, name] = rest.startsWith("[*]") ? ["[*]"] : (NAME.exec(rest) ?? []);
    const next: Check | undefined = step === "[*]" ? at?.item : at?.fields[at.index.get(name ?? "") ?? -1];
    if (step === undefined || next === undefined) return `${path.slice(0, path.length - rest.length)}.${UNDOCUMENTED}`;
    at = next;
    rest = rest.slice(step.length);
  }
  return path;
}

/**
 * Makes drift safe to log. Replaces the names of unknown fields with `(undocumented)`, because the service chose them and they may contain personal data.
 * Pass the operation that was called.
 */
export function maskedDrift({ output }: { output: z.core.$ZodType }, drift: readonly Drift[]): Drift[] {
  const total = new DriftTotal();
  total.add(drift.map((one) => ({ ...one, path: documentedPath(output, one.path) })));
  return total.list();
}
