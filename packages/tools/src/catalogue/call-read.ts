import { type Operation, operations } from "@fleetwire/core";
import type { ToolContext } from "../tool.ts";

type Method = ((input: unknown, options: unknown) => Promise<unknown>) & {
  pages?: (input: unknown, options: unknown) => AsyncIterable<unknown>;
};

/** The client's method of an operation in the contract; undefined for a custom operation. */
export function methodOf(operation: Operation, { fleet }: ToolContext): Method | undefined {
  const known: Readonly<Record<string, Operation>> = operations;
  return known[operation.name] === operation ? (fleet[operation.name as keyof ToolContext["fleet"]] as unknown as Method) : undefined;
}

/** Calls an operation. Operations in the contract are called by client method, so that reads are cached; custom ones with `request`. */
export function callRead(operation: Operation, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
  const { fleet, callOptions } = context;
  return methodOf(operation, context)?.(input, callOptions) ?? fleet.request(operation, input, callOptions);
}
