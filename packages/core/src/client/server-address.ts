const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with a server's address, without repeating it: it may hold credentials. */
export function serverProblem(address: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(address)) return "must be a URL such as https://fleet.example.com/api";
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return "must begin with https://";
  if (protocol === "http:" && !allowHttp && !LOOPBACK.test(hostname))
    return "must begin with https://, for plain http is for loopback only";
  if (username || password) return "must not hold credentials";
  if (search || hash) return "must not hold a query or a fragment";
  return undefined;
}
