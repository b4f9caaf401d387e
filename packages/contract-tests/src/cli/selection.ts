import { type OperationName, operations } from "@fleetwire/core";
import { type Command, InvalidArgumentError } from "commander";

/** The operations that a command is to call. */
export interface Selection {
  only?: OperationName[];
  except?: OperationName[];
}

export const selectionOf =
  ({ only, except }: Selection) =>
  (name: OperationName): boolean =>
    (only?.includes(name) ?? true) && !except?.includes(name);

/** Adds the flags that choose operations. */
export const withSelection = (command: Command, verb: string): Command =>
  command
    .option("--only <operations>", `comma-separated operations to ${verb}`, parseOperations)
    .option("--except <operations>", `comma-separated operations not to ${verb}`, parseOperations);

function parseOperations(text: string): OperationName[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(operations, name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`Unknown operation ${unknown}. Operations: ${Object.keys(operations).join(", ")}.`);
  return names as OperationName[];
}

export function parseRequests(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Must be a whole number from 1 to 999999.");
  return Number(text);
}

export function parseRate(text: string): number {
  const rate = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || rate < 0.01 || rate > 1000) throw new InvalidArgumentError("Must be a number from 0.01 to 1000.");
  return rate;
}
