import type { Operation } from "../operation.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import { type Routes, serverOf } from "./operation-routes.ts";

/** Whether a record in a list, at any depth, has the key. A key outside a list may only repeat the query. */
function listsKey(data: unknown, field: string, key: string): boolean {
  const rest = [data];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value) && value.some((record) => String(record?.[field]) === key)) return true;
    for (const inner of Object.values(value)) rest.push(inner);
  }
  return false;
}

/** Returns a function that looks for a key in the list of created records. Without such a list, or if it cannot be read, nothing is found. */
export function keyLookUp(
  registry: Readonly<Record<string, Operation>>,
  routes: Routes,
  context: () => CallContext,
): CallContext["isListed"] {
  return async ({ idempotencyKey }, key, options) => {
    const { field = "", listedBy = "" } = idempotencyKey ?? {};
    const list = registry[listedBy];
    if (list === undefined || serverOf(list, routes) === undefined) return false;
    const query = { query: { [field]: key } };
    const listed = await callOperation(list, query, options, context(), performance.now()).catch(() => undefined);
    return listsKey(listed?.data, field, key);
  };
}
