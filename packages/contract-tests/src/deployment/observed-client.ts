import { createFleetClient, type DriftReport, type FleetClient, type FleetConfig } from "@fleetwire/core";

/** A request and its answer as they went over the wire. It holds credentials: only what was scrubbed leaves this process. */
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
  /** Everything since the last look, token requests included. */
  exchanges(): Exchange[];
  drift(): DriftReport[];
}

/** A client of a deployment whose every exchange can be looked at, each call made once. */
export function observe(config: FleetConfig, userAgent: string): ObservedClient {
  let exchanges: Exchange[] = [];
  let drift: DriftReport[] = [];
  const send = config.fetch ?? globalThis.fetch;
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const response = await send(input, init);
    const responseBody = await response.text();
    exchanges.push({
      method: init.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
      requestHeaders: Object.fromEntries(new Headers(init.headers)),
      requestBody: typeof init.body === "string" ? init.body : "",
      status: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    });
    // What was read once is handed on as it was; of these statuses no body may be made.
    const empty = [204, 205, 304].includes(response.status);
    return new Response(empty ? null : responseBody, { status: response.status, headers: response.headers });
  };
  const fleet = createFleetClient({ ...config, fetch, userAgent, retries: 0, onDrift: (report) => drift.push(report) });
  const taken = <Item>(list: Item[], clear: () => void): Item[] => {
    clear();
    return list;
  };
  return {
    fleet,
    exchanges: () => taken(exchanges, () => (exchanges = [])),
    drift: () => taken(drift, () => (drift = [])),
  };
}
