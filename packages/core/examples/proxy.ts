import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { ProxyAgent, fetch as undiciFetch } from "undici";

/**
 * A fetch whose requests go through an HTTP proxy, which sees the host's name and, over https, nothing else.
 * The dispatcher must be used with the fetch of its own package: the one built into Node may be of another version.
 */
export function fetchThroughProxy(proxy: string, requestTls?: { ca: string }): typeof fetch {
  const dispatcher = new ProxyAgent({ uri: proxy, ...(requestTls && { requestTls }) });
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}

/** The client of the environment's configuration, behind the proxy that HTTPS_PROXY names. */
export function fleetBehindProxy(env: Record<string, string | undefined>) {
  const proxy = env["HTTPS_PROXY"];
  return createFleetClient({ ...fleetConfigFromEnv(env), ...(proxy && { fetch: fetchThroughProxy(proxy) }) });
}
