import { FleetError } from "@fleetwire/core";
import { singleLine } from "@fleetwire/tools/internal";

/** A part of the console: its value or, in our own words, why there is none. */
export type Section<Value> = { value: Value } | { problem: string };

const LONGEST_PROBLEM = 300;

/** Reads a part of the console. Parts fail independently, since each comes from a different server of the service. */
export async function section<Value>(read: () => Promise<Value>): Promise<Section<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { problem: singleLine(error.summary, LONGEST_PROBLEM) };
  }
}
