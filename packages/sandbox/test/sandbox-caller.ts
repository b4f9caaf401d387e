import { createSandbox, type SandboxEnv, type SandboxOptions } from "@fleetwire/sandbox";

/** A Friday morning when some vehicles drive, some unload and some rest. */
export const FRIDAY = Date.UTC(2026, 10, 20, 10, 31);

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect responses like an untyped client
  readonly body: any;
}

type Json = Record<string, unknown>;
type Query = Record<string, string>;

interface Sending {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly text?: string;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** A sandbox and client calls to it through its fetch handler; `watch` observes requests. */
export function callSandbox(options: SandboxOptions = {}, watch?: (sent: SentRequest) => void) {
  let now = FRIDAY;
  const sandbox = createSandbox({ clock: () => now, ...options });

  const send = async (method: string, url: string, { query, headers, body, text }: Sending = {}): Promise<Answer> => {
    const search = query ? `?${new URLSearchParams(query)}` : "";
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    watch?.({ method, url: url + search, headers: headers ?? {}, text: payload });
    const request = new Request(url + search, { method, ...(headers && { headers }), ...(payload !== undefined && { body: payload }) });
    const response = await sandbox.fetch(request);
    const received = await response.text();
    return { status: response.status, headers: response.headers, body: received === "" ? undefined : JSON.parse(received) };
  };

  const as = (env: SandboxEnv) => {
    const of = (name: string) => env[name] ?? "";
    const customer = of("FLEET_CUSTOMER_ID");
    const basic = { Authorization: `Basic ${btoa(`${of("FLEET_CLIENT_ID")}:${of("FLEET_CLIENT_SECRET")}`)}` };
    const json = { "Content-Type": "application/json;charset=UTF-8" };
    const requestToken = (headers: Record<string, string> = basic, text = "grant_type=client_credentials") =>
      send("POST", `${of("FLEET_AUTH_URL")}/vendor-oauth/oauth/accessToken`, {
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        text,
      });
    const token = async (): Promise<string> => (await requestToken()).body.accessToken;
    const bearer = async () => ({ Authorization: `Bearer ${await token()}` });
    const connect = async () => ({ "x-connect-token": `TOKEN ${await token()}` });
    const core = `${of("FLEET_BASE_URL")}/public/v1/customer/${customer}`;
    const urls = {
      group: `${core}/group`,
      fleetGroup: `${of("FLEET_FLEET_URL")}/public/v1/customer/${customer}/group`,
      faults: `${core}/vehicle/faults`,
      live: `${core}/tracking/live`,
      tires: `${core}/tire/events`,
      job: `${of("FLEET_JOB_URL")}/jobs/job/create`,
      tacho: `${of("FLEET_TACHO_URL")}/bvfm/services/public/v1/customer/${customer}/tacho/activity`,
      jobs: `${of("FLEET_API_HOST")}/job-management/v1/customer/${customer}/jobs`,
    };
    return {
      ...{ customer, basic, json, token, bearer, connect, requestToken, urls },
      live: async (query: Query = {}) => (await send("GET", urls.live, { query, headers: basic })).body,
      faults: async (query: Query = {}) => send("GET", urls.faults, { query, headers: basic }),
      updateGroup: async (body: Json) => send("PUT", urls.group, { headers: { ...basic, ...json }, body }),
      createJob: async (body: Json, query: Query = {}, fault = "") =>
        send("POST", urls.job, { query, headers: { ...(await connect()), ...json, ...(fault && { "x-sandbox-fault": fault }) }, body }),
      listJobs: async (query: Query = {}) => (await send("GET", urls.jobs, { query, headers: await connect() })).body,
      tacho: async (body: Json) => send("POST", urls.tacho, { headers: { ...(await bearer()), ...json }, body }),
    };
  };

  const setClock = (at: number) => {
    now = at;
  };
  return { sandbox, send, as, ...as(sandbox.env), setClock };
}

/** The first matching entry. Throws if there is none. */
export function found<T>(list: readonly T[], fits: (entry: T) => boolean): T {
  const entry = list.find(fits);
  if (entry === undefined) throw new Error("The fleet has no matching entry for this test");
  return entry;
}
