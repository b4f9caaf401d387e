const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with the path of the token request. */
export function tokenPathProblem(path: string): string | undefined {
  return /^\/[^\s?#]*$/.test(path) ? undefined : "must begin with a slash and hold no query";
}

/** What is wrong with a server's address, without repeating it: it may hold credentials. */
export function serverProblem(address: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(address)) return "must be a URL such as https://fleet.example.com/api";
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return "must begin with https://";
  if (protocol === "http:" && !allowHttp && !LOOPBACK.test(hostname))
    return "must begin with https://, for plain http is for loopback only";
  if (username || password) return "must not hold credentials";
  // A path is appended to the text as it stands; parsing would hide an empty query and blanks at the ends.
  if (/[?#]/.test(address)) return "must not hold a query or a fragment";
  if (/\s/.test(address)) return "must not hold white space";
  return undefined;
}
