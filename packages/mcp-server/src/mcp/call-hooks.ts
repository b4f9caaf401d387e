import type { ToolHooks } from "@fleetwire/tools";
import type { ServerContext } from "@modelcontextprotocol/server";

/** Hooks by the HTTP request that the SDK passes on, as in delivery.ts. */
const hooks = new WeakMap<Request, ToolHooks>();

/** Reports the calls in a request to these hooks instead of those of the tools. */
export function hookCalls(request: Request, ofRequest: ToolHooks): void {
  hooks.set(request, ofRequest);
}

export const callHooksOf = ({ http }: ServerContext): ToolHooks | undefined => http?.req && hooks.get(http.req);
