import { createFleetClient, type DriftReport, type FleetClient, type FleetConfig } from "@fleetwire/core";

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

export interface ObservedClient {
  fleet: FleetClient;
  /** Exchanges since the last call of this method, including token requests. */
  exchanges(): Exchange[];
  drift(): DriftReport[];
}

/** A client without retries that records every exchange, as far as the client reads it. */
export function observe(config: FleetConfig, userAgent: string): ObservedClient {
  let exchanges: Exchange[] = [];
  let drift: DriftReport[] = [];
  const send = config.fetch ?? globalThis.fetch;
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { body, status, statusText, headers } = await send(input, init);
    const chunks: Uint8Array[] = [];
    const observed = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
    });
    exchanges.push({
      method: init.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
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
  const fleet = createFleetClient({ ...config, fetch, userAgent, retries: 0, onDrift: (report) => drift.push(report) });
  const drain = <Item>(list: Item[], clear: () => void): Item[] => {
    clear();
    return list;
  };
  return {
    fleet,
    exchanges: () => drain(exchanges, () => (exchanges = [])),
    drift: () => drain(drift, () => (drift = [])),
  };
}
