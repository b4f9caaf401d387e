import { jsonSchemaOf, type Operation, operations, requestFields } from "@fleetwire/core";
import { readPages } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";

type Method = ((input: unknown, options: unknown) => Promise<unknown>) & {
  pages?: (input: unknown, options: unknown) => AsyncIterable<unknown>;
};

/** The client's method of an operation in the contract; undefined for a custom operation. */
function methodOf(operation: Operation, { fleet }: FleetContext): Method | undefined {
  const existing: Readonly<Record<string, Operation>> = operations;
  return existing[operation.name] === operation ? (fleet[operation.name as keyof FleetContext["fleet"]] as unknown as Method) : undefined;
}

/** Calls an operation. Operations in the contract are called by client method, so that reads are cached; custom ones with `request`. */
export function callRead(operation: Operation, input: Readonly<Record<string, unknown>>, context: FleetContext): Promise<unknown> {
  const { fleet, callOptions } = context;
  return methodOf(operation, context)?.(input, callOptions) ?? fleet.request(operation, input, callOptions);
}

/** A page size that any service should accept: its maximum is undocumented. */
const PAGE_SIZE = 200;

/** Returns the page size to request, which is at most the operation's maximum. */
function pageSizeOf(operation: Operation, field: string): number {
  const { schema } = requestFields(operation)[field] ?? {};
  const { maximum } = schema ? jsonSchemaOf(schema, { side: "input" }) : {};
  return typeof maximum === "number" ? Math.min(PAGE_SIZE, maximum) : PAGE_SIZE;
}

/** Reads the pages of a list, or its only response. */
export async function* pagesOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  context: FleetContext,
): AsyncGenerator<unknown, void, void> {
  const { paging } = operation;
  if (!paging) {
    yield await callRead(operation, input, context);
    return;
  }
  const { fleet, callOptions } = context;
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const sized = { ...input, [size]: pageSizeOf(operation, size) };
  const pages = methodOf(operation, context)?.pages?.(sized, callOptions);
  yield* pages ?? readPages(operation, paging, sized, (page) => fleet.request.withMetadata(operation, page, callOptions));
}
