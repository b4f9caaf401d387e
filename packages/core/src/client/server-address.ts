const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with a server URL, if anything. Never repeats the URL, which may contain credentials. */
export function serverProblem(address: string, allowHttp: boolean): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address)) return "must be a URL such as https://fleet.example.com/api";
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return "must start with https://";
  if (protocol === "http:" && !allowHttp && !LOOPBACK.test(hostname))
    return "must start with https://; plain http is allowed for loopback only";
  if (username || password) return "must not contain credentials";
  // Check the text itself, because paths are appended to it: parsing would hide an empty query and surrounding whitespace.
  if (/[?#]/.test(address)) return "must not contain a query or a fragment";
  if (/\s/.test(address)) return "must not contain whitespace";
  return undefined;
}
