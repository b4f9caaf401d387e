import { FleetError } from "@fleetwire/core";
import { singleLine } from "../results/clip-values.ts";

/** A part of the console: its value, or why there is none, in a sentence of our own. */
export type Section<Value> = { value: Value } | { problem: string };

const LONGEST_PROBLEM = 300;

/** Reads a part of the console. It may fail alone, since each part comes from another server of the service. */
export async function section<Value>(read: () => Promise<Value>): Promise<Section<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { problem: singleLine(error.summary, LONGEST_PROBLEM) };
  }
}
