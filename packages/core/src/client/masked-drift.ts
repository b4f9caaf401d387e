import type * as z from "zod";
import { type Check, checkOf } from "./compile-check.ts";
import { type Drift, DriftTotal } from "./drift.ts";

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
