import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { ProxyAgent, fetch as undiciFetch } from "undici";

/**
 * Returns a fetch that sends requests through an HTTP proxy. Over https, the proxy sees only the host name.
 * A dispatcher from undici works reliably only with undici's own fetch: Node's built-in fetch may be based on a different version.
 */
export function fetchThroughProxy(proxy: string, requestTls?: { ca: string }): typeof fetch {
  const dispatcher = new ProxyAgent({ uri: proxy, ...(requestTls && { requestTls }) });
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}

/** Creates a client that is configured by environment variables and uses the proxy in HTTPS_PROXY. */
export function fleetBehindProxy(env: Record<string, string | undefined>) {
  const proxy = env["HTTPS_PROXY"];
  return createFleetClient({ ...fleetConfigFromEnv(env), ...(proxy && { fetch: fetchThroughProxy(proxy) }) });
}
