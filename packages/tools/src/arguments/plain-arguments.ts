import { FleetError } from "@fleetwire/core";

// Far more than a call needs, and little enough for whatever walks through it.
const DEEPEST = 50;
const MOST_VALUES = 1_000_000;

const refuse = (tool: string, why: string) =>
  new FleetError("input", `${tool}: ${why}`, { advice: "Give the arguments as a plain JSON object" });

/**
 * A copy of what a caller in the same process gives: read once, so that what is checked is what is sent, with dates as ISO texts. A value that
 * JSON does not have is left for the schema to refuse.
 */
export function plainArguments(tool: string, args: unknown): unknown {
  let values = 0;
  const copied = (value: unknown, depth: number): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (depth > DEEPEST) throw refuse(tool, "the arguments are nested too deeply");
    const entries = Array.isArray(value) ? undefined : Object.entries(value);
    values += (entries ?? (value as unknown[])).length;
    if (values > MOST_VALUES) throw refuse(tool, "the arguments hold too many values");
    if (entries) return Object.fromEntries(entries.map(([name, item]) => [name, copied(item, depth + 1)]));
    return (value as unknown[]).map((item) => copied(item, depth + 1));
  };
  try {
    return copied(args, 0);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // A getter or proxy of the caller's threw; what it said could hold anything.
    throw refuse(tool, "the arguments cannot be read");
  }
}
