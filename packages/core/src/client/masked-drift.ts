import type * as z from "zod";
import { type Check, checkOf } from "./compile-check.ts";
import { type Drift, DriftTotal } from "./drift.ts";

/** What stands in a path for the name of a field that the contract does not have. */
const UNDOCUMENTED = "(undocumented)";

const NAME = /^\.([^.[\]]+)/;

/** The path as far as the contract has it. */
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
 * Drift for logs and messages: a field that the contract does not have is counted as `(undocumented)` below the object that holds it, for its name is the
 * service's own word and may be a person's, a registration or a telephone number. `operation` is the one that was answered, of `operations` or your own.
 */
export function maskedDrift({ output }: { output: z.core.$ZodType }, drift: readonly Drift[]): Drift[] {
  const total = new DriftTotal();
  total.add(drift.map((one) => ({ ...one, path: documentedPath(output, one.path) })));
  return total.list();
}
