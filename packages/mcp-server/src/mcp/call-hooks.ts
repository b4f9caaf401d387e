import type { ToolHooks } from "@fleetwire/tools";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Hooks by the HTTP request that the SDK passes on, as in delivery.ts. */
const hooks = new WeakMap<Request, ToolHooks>();

/** Calls these hooks, instead of the tools' own, for the calls in a request. */
export function hookCalls(request: Request, ofRequest: ToolHooks): void {
  hooks.set(request, ofRequest);
}

export const callHooksOf = ({ http }: ServerContext): ToolHooks | undefined => http?.req && hooks.get(http.req);
