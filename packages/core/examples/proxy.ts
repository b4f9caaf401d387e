import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { ProxyAgent, fetch as undiciFetch } from "undici";

/**
 * A fetch that sends requests through an HTTP proxy. Over https the proxy sees only the host name.
 * Use the dispatcher with the fetch of its own package: Node's built-in fetch may have a different version.
 */
export function fetchThroughProxy(proxy: string, requestTls?: { ca: string }): typeof fetch {
  const dispatcher = new ProxyAgent({ uri: proxy, ...(requestTls && { requestTls }) });
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}

/** A client configured by environment variables, behind the proxy in HTTPS_PROXY. */
export function fleetBehindProxy(env: Record<string, string | undefined>) {
  const proxy = env["HTTPS_PROXY"];
  return createFleetClient({ ...fleetConfigFromEnv(env), ...(proxy && { fetch: fetchThroughProxy(proxy) }) });
}
