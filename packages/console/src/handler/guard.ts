/** Headers of every console response: the page loads nothing from other origins, and no other page can embed or read it. */
export const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
export function refusalOf({ method, headers, url }: Request): { status: number; problem: string } | undefined {
  const { hostname, origin } = new URL(url);
  if (!LOOPBACK.test(hostname)) return { status: 403, problem: "Open the console at 127.0.0.1 or localhost" };
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
