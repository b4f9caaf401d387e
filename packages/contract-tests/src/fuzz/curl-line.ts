import type { Exchange } from "../deployment/index.ts";

const SECRET_HEADER = /auth|token|cookie/i;
/** Headers that make a difference; curl adds the others. */
const SHOWN = new Set(["content-type"]);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a line for a shell, which takes credentials from the environment. */
export function curlLine({
  method,
  url,
  requestHeaders,
  requestBody,
}: Pick<Exchange, "method" | "url" | "requestHeaders" | "requestBody">): string {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => {
    if (SECRET_HEADER.test(name)) return [`-H "${name}: $${name.toUpperCase().replaceAll("-", "_")}"`];
    return SHOWN.has(name) ? [`-H ${quoted(`${name}: ${value}`)}`] : [];
  });
  return [
    "curl",
    "-i",
    ...(method === "GET" ? [] : ["-X", method]),
    ...headers,
    ...(requestBody === "" ? [] : ["-d", quoted(requestBody)]),
    quoted(url),
  ].join(" ");
}
