import { FleetError } from "@fleetwire/core";

// Far more than any call needs, but still checked in milliseconds, even if each value is wrong.
const MAX_DEPTH = 50;
export const MAX_VALUES = 10_000;

const refuse = (tool: string, why: string, advice = "Pass the arguments as a plain JSON object") =>
  new FleetError("input", `${tool}: ${why}`, { advice });

/**
 * Copies an in-process caller's arguments as JSON serialization would: dates become ISO strings, and undefined members are dropped. Each
 * value is read only once, so that what is checked is what is sent.
 */
export function toJsonArguments(tool: string, args: unknown): unknown {
  let values = 0;
  const copied = (value: unknown, depth: number): unknown => {
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
      throw refuse(tool, `the arguments contain a ${typeof value}`);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
    if (depth > MAX_DEPTH) throw refuse(tool, "the arguments are nested too deeply");
    values += (Array.isArray(value) ? value : Object.keys(value)).length;
    if (values > MAX_VALUES) throw refuse(tool, `the arguments contain more than ${MAX_VALUES} values`, "Pass fewer in one call");
    if (Array.isArray(value)) return value.map((inner) => copied(inner, depth + 1));
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(members.map(([name, inner]) => [name, copied(inner, depth + 1)]));
  };
  try {
    return copied(args, 0);
  } catch (error) {
    if (error instanceof FleetError) throw error;
    // The caller's getter or proxy threw. Its message is not shown, because it may contain anything.
    throw refuse(tool, "the arguments cannot be read");
  }
}
