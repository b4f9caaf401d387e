import { setTimeout } from "node:timers/promises";
import { createFleetClient, type DriftReport, type FleetConfig } from "@fleetwire/core";

/** A request and its response as sent over the wire. It contains credentials: scrub it before it leaves this process. */
export interface Exchange {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
}

export type ObservedClient = ReturnType<typeof observe>;

/** Limits on the requests of a run, including those for tokens. */
export interface RequestLimits {
  maxRequests?: number | undefined;
  perSecond?: number | undefined;
}

/** A client without retries that stays within the limits and records every exchange, as far as the client reads it. `alter` changes what it has checked. */
export function observe(
  config: FleetConfig,
  { maxRequests = Number.POSITIVE_INFINITY, perSecond }: RequestLimits,
  signal: AbortSignal,
  alter: (url: string, init: RequestInit) => [url: string, init: RequestInit] = (url, init) => [url, init],
) {
  let requests = 0;
  let exhausted = false;
  let earliest = 0;
  const exchanges: Exchange[] = [];
  const drift: DriftReport[] = [];
  const send = config.fetch ?? globalThis.fetch;
  const fetch = async (input: string | URL | Request, checked: RequestInit = {}): Promise<Response> => {
    const [url, init] = alter(input instanceof Request ? input.url : String(input), checked);
    if (requests >= maxRequests) {
      exhausted = true;
      throw new Error("the run has sent all its requests");
    }
    requests++;
    if (perSecond !== undefined) {
      const now = performance.now();
      const delay = Math.max(0, earliest - now);
      earliest = now + delay + 1000 / perSecond;
      await setTimeout(delay, undefined, { signal });
    }
    const { body, status, statusText, headers } = await send(url, init);
    const chunks: Uint8Array[] = [];
    const observed = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
    });
    exchanges.push({
      method: init.method ?? "GET",
      url,
      requestHeaders: Object.fromEntries(new Headers(init.headers)),
      requestBody: typeof init.body === "string" ? init.body : "",
      status,
      responseHeaders: Object.fromEntries(headers),
      get responseBody() {
        return new TextDecoder().decode(Buffer.concat(chunks));
      },
    });
    return new Response(body?.pipeThrough(observed), { status, statusText, headers });
  };
  const fleet = createFleetClient({ ...config, fetch, retries: 0, onDrift: (report) => drift.push(report) });
  return {
    fleet,
    /** Exchanges since the last call of this method, including token requests. */
    exchanges: () => exchanges.splice(0),
    drift: () => drift.splice(0),
    /** The number of requests sent. */
    requests: () => requests,
    /** Whether a request was not sent because of `maxRequests`. */
    isExhausted: () => exhausted,
  };
}
