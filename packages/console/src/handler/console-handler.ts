import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { escapeMarkup } from "@fleetwire/core/internal";
import type { FleetConsole } from "../data/fleet-console.ts";
import type { ConsoleAbout, ConsoleEvents, ConsoleStatus } from "../data/page-data.ts";

/** What the page may load: nothing from other origins but images from these. */
const policyWith = (imageSources: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${imageSources}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Headers of every console response: no other page can embed or read it. */
const SECURITY_HEADERS = {
  "content-security-policy": policyWith(""),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const MAX_BODY_BYTES = 4_096;

/**
 * Returns why a request is refused; undefined if it may come from the console's page or this machine's user. Pages from elsewhere can
 * reach loopback too, but their Host is not this machine's (with DNS rebinding), or the browser marks the request as cross-site.
 */
function refusalOf({ method, headers, url }: Request, hosts: readonly string[]): { status: number; problem: string } | undefined {
  const { hostname, origin } = new URL(url);
  if (!LOOPBACK.test(hostname) && !hosts.includes(hostname)) return { status: 403, problem: "Open the console at 127.0.0.1 or localhost" };
  const site = headers.get("sec-fetch-site");
  const isNavigation = method === "GET" && headers.get("sec-fetch-mode") === "navigate";
  if (site !== null && site !== "same-origin" && site !== "none" && !isNavigation)
    return { status: 403, problem: "Only the console's own page may send requests" };
  if (method === "GET" || method === "HEAD") return undefined;
  if (headers.get("origin") !== origin) return { status: 403, problem: "Only the console's own page may change anything" };
  if (!/^application\/json\b/i.test(headers.get("content-type") ?? "")) return { status: 415, problem: "Send JSON" };
  const length = headers.get("content-length");
  return length !== null && Number(length) <= MAX_BODY_BYTES ? undefined : { status: 413, problem: `Send at most ${MAX_BODY_BYTES} bytes` };
}

interface ConsoleOptions {
  /** Path of the page: `/` or `/console`. */
  readonly home: string;
  /** The folder of the page and its assets. */
  readonly folder: string;
  /** Host names under which the page may be opened, besides those of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** Returns what the page shows; called for the first request. */
  readonly fleet: () => FleetConsole;
  readonly about: ConsoleAbout;
  readonly status: () => ConsoleStatus;
  /** What has happened as the rules say; without it, the page says how to have rules, and reads null. */
  readonly events?: (() => Promise<ConsoleEvents>) | undefined;
  /** The map's streets: the template of a tile server, and its origin as a source in a content security policy. */
  readonly tiles?: { readonly url: string; readonly source: string } | undefined;
  /**
   * What the page may change, by the last segment of the path; nothing by default. Throws a RangeError with a reason for the user if a change is
   * not possible.
   */
  readonly controls?: Readonly<Record<string, (change: Readonly<Record<string, unknown>>) => void>>;
}

const ASSETS = "/console/assets/";
const API = "/console/api/";
const LONGEST_QUERY = 200;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...SECURITY_HEADERS, "content-type": "application/json", "cache-control": "no-store" },
  });

const problem = (status: number, text: string) => json({ problem: text }, status);

/** Sends a file of the page, which may load tiles. The name comes from the request, so anything but a plain file name is rejected. */
async function file(folder: string, name: string, tiles?: ConsoleOptions["tiles"]): Promise<Response> {
  const type = /^[\w-]+\.\w+$/.test(name) ? TYPES[extname(name)] : undefined;
  const bytes = type === undefined ? undefined : await readFile(join(folder, name)).catch(() => undefined);
  if (bytes === undefined || type === undefined) return problem(404, "The console has no such file");
  const headers = { ...SECURITY_HEADERS, "content-type": type, "cache-control": "no-cache" };
  if (!tiles) return new Response(new Uint8Array(bytes), { headers });
  const html = bytes.toString().replace("<!-- tiles -->", () => `<meta name="tiles" content="${escapeMarkup(tiles.url)}">`);
  return new Response(html, { headers: { ...headers, "content-security-policy": policyWith(` ${tiles.source}`) } });
}

async function change(control: NonNullable<ConsoleOptions["controls"]>[string], request: Request): Promise<Response> {
  try {
    const body: unknown = JSON.parse(await request.text());
    if (typeof body !== "object" || body === null) throw new RangeError("Send an object");
    control(body as Record<string, unknown>);
    return json({});
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return problem(400, error.message);
    throw error;
  }
}

/** Leaves out the events up to the last one that the page has, if it is known. */
const eventsAfter = ({ events, ...shown }: ConsoleEvents, last: string | null): ConsoleEvents => ({
  ...shown,
  events: events.slice(events.findIndex(({ id }) => id === last) + 1),
});

/** Serves the console's page, and its data as JSON. Returns undefined for any other path. */
export function consoleHandler(options: ConsoleOptions): (request: Request) => Promise<Response | undefined> {
  const { home, folder, hosts = [], about, events, controls = {}, tiles } = options;
  let created: FleetConsole | undefined;
  const opened = () => {
    created ??= options.fleet();
    return created;
  };
  const reads: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    about: () => about,
    status: (query) => {
      const { requests, ...status } = options.status();
      return { ...status, requests: requests.filter(({ id }) => id > Number(query.get("after"))) };
    },
    fleet: (query) => opened().fleet(query.get("since") ?? undefined),
    search: (query) => opened().search((query.get("q") ?? "").slice(0, LONGEST_QUERY)),
    vehicle: (query) => opened().vehicle(query.get("id") ?? ""),
    jobs: () => opened().jobs(),
    events: async (query) => (events ? eventsAfter(await events(), query.get("after")) : null),
  };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const isPage = pathname === home;
    if (!isPage && !pathname.startsWith(ASSETS) && !pathname.startsWith(API)) return undefined;
    const refusal = refusalOf(request, hosts);
    if (refusal) return problem(refusal.status, refusal.problem);
    if (request.method === "POST") {
      const name = pathname.slice(API.length);
      const control = Object.hasOwn(controls, name) ? controls[name] : undefined;
      return control && pathname.startsWith(API) ? change(control, request) : problem(404, "The console cannot change that here");
    }
    if (request.method !== "GET" && request.method !== "HEAD") return problem(405, "The console is read with GET");
    if (isPage) return file(folder, "index.html", tiles);
    if (pathname.startsWith(ASSETS)) return file(folder, pathname.slice(ASSETS.length));
    const name = pathname.slice(API.length);
    const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
    return read ? json(await read(searchParams)) : problem(404, "The console has nothing to read there");
  };
}
