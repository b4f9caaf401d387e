import { FleetError } from "@fleetwire/core";

// Far more than a call needs, and little enough for whatever walks through it.
const MAX_DEPTH = 50;
const MAX_VALUES = 1_000_000;

const refuse = (tool: string, why: string) =>
  new FleetError("input", `${tool}: ${why}`, { advice: "Give the arguments as a plain JSON object" });

/**
 * A copy of what a caller in the same process gives, as JSON would have it: read once, so that what is checked is what is sent; dates are ISO texts, and a
 * member that is undefined is absent.
 */
export function toJsonArguments(tool: string, args: unknown): unknown {
  let values = 0;
  const copied = (value: unknown, depth: number): unknown => {
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
      throw refuse(tool, `the arguments hold a ${typeof value}`);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (depth > MAX_DEPTH) throw refuse(tool, "the arguments are nested too deeply");
    const members = Array.isArray(value) ? undefined : Object.entries(value).filter(([, inner]) => inner !== undefined);
    values += (members ?? (value as unknown[])).length;
    if (values > MAX_VALUES) throw refuse(tool, "the arguments hold too many values");
    if (members) return Object.fromEntries(members.map(([name, inner]) => [name, copied(inner, depth + 1)]));
    return (value as unknown[]).map((inner) => copied(inner, depth + 1));
  };
  try {
    return copied(args, 0);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // A getter or proxy of the caller's threw; what it said could hold anything.
    throw refuse(tool, "the arguments cannot be read");
  }
}
