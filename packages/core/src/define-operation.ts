import * as z from "zod";
import { FleetError } from "./errors.ts";
import type { NoFields, Operation, OperationSpec, ProbeContext, Shape, ToolMetadata } from "./operation.ts";
import { pathProblemOf } from "./operation-fields.ts";
import type { LivePosition } from "./schemas/live-position.ts";
import { Identifier } from "./schemas/scalars.ts";
import { strictSchema } from "./schemas/schema-walk.ts";

/**
 * Defines an operation for an endpoint that the contract does not include. Call it with `fleet.request`, which gives the same guarantees as the built-in
 * methods. Unknown input fields are rejected, so that a misspelt one is noticed. Retries depend on `effect`: `read` and `update` are retried, `create` only
 * with an `idempotencyKey`. A string without metadata (`z.string().register(fieldMetadata, { holds: "id" })`) counts as free text: errors do not repeat it,
 * and recordings hide it.
 *
 * @example
 * const listTrips = defineOperation({
 *   name: "listTrips",
 *   summary: "List the trips of a vehicle",
 *   source: "internal docs",
 *   method: "GET",
 *   path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
 *   servers: ["base"],
 *   auth: ["basic"],
 *   params: { vehicleId: Identifier },
 *   query: { limit: z.int().optional() },
 *   output: z.array(z.object({ distance: z.number().optional() })),
 *   effect: "read",
 * });
 * const trips = await fleet.request(listTrips, { vehicleId: "v1001", limit: 10 });
 */
export function defineOperation<Output, Query extends Shape = NoFields, Body extends Shape = NoFields, Params extends Shape = NoFields>(
  spec: OperationSpec<Query, Body, Output, Params>,
): Operation<z.input<z.ZodObject<Params & Query & Body>>, Output> {
  const { rules, params, query, body, tool, ...rest } = spec;
  const { name: operation, path } = spec;
  const reject = (problem: string): never => {
    throw new FleetError("config", `defineOperation: ${problem}`, { operation, advice: "Fix the operation" });
  };
  const pathProblem = pathProblemOf(path);
  if (pathProblem) reject(`path of ${operation} ${pathProblem}`);
  if (body && spec.method === "GET") reject(`body of ${operation} must not be sent with GET`);
  const fields = strictSchema(z.object({ ...params, ...query, ...body } as Params & Query & Body));
  const placeholders = Object.keys(params ?? {});
  const unfilled = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name !== "customerId");
  if (unfilled.toSorted().join() !== placeholders.toSorted().join()) {
    reject(`params of ${operation} must match the placeholders in its path`);
  }
  const input = fields.superRefine((value, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const given = value as Record<string, unknown>;
    // An empty or dot segment would change the path.
    for (const name of placeholders) if (/^\.{0,2}$/.test(String(given[name] ?? ""))) refuse(name, "must not be empty, . or ..");
    rules?.(value as never, refuse);
  });
  return {
    ...rest,
    ...(tool && { tool: tool as ToolMetadata }),
    ...(params && { params: params as unknown as Record<string, z.ZodType> }),
    query: (query ?? {}) as Record<string, z.ZodType>,
    ...(body && { body: body as unknown as Record<string, z.ZodType> }),
    input: input as z.ZodType<unknown, z.input<z.ZodObject<Params & Query & Body>>>,
  };
}

type IdField = "assetId" | "driverId" | "assetGroupId";

/** Builds the context for probes from live positions, using the first valid id of each kind. */
export function probeContextOf(positions: readonly LivePosition[], now: Date): ProbeContext {
  const idIn = (field: IdField) => positions.map((position) => position[field]).find((id) => Identifier.safeParse(id).success);
  const [vehicleId, driverId, groupId] = [idIn("assetId"), idIn("driverId"), idIn("assetGroupId")];
  return { now, ...(vehicleId && { vehicleId }), ...(driverId && { driverId }), ...(groupId && { groupId }) };
}
