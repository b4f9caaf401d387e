import { describeDifference, formatValue, jsonDifferences } from "./json-differences.ts";

/** A request as it arrived. */
export interface ArrivedRequest {
  method: string;
  /** Path and query from the request line. */
  url: string;
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A fixture's request, with the prefix of the server that should receive it. */
export interface ExpectedRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string | readonly string[]>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  text?: string | undefined;
}

// Headers added by fetch and ordinary clients; if a fixture lists one, its value must match.
const USUAL_HEADERS: Readonly<Record<string, RegExp>> = {
  accept: /^application\/json$/,
  "accept-encoding": /./,
  "accept-language": /./,
  connection: /./,
  "content-length": /^\d+$/,
  host: /./,
  "sec-fetch-mode": /./,
  "transfer-encoding": /./,
  "user-agent": /./,
};

function headerDifferences(wanted: ExpectedRequest["headers"], found: ArrivedRequest["headers"]): string[] {
  const recorded = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name.toLowerCase(), value]));
  const missing = Object.entries(recorded).flatMap(([name, value]) =>
    found[name] === value ? [] : [`header ${name} is ${formatValue(found[name])}, expected ${formatValue(value)}`],
  );
  const surplus = Object.entries(found).flatMap(([name, value]) =>
    name in recorded || USUAL_HEADERS[name]?.test(value)
      ? []
      : [`header ${name} is ${formatValue(value)}, but it is not in the recorded request`],
  );
  return [...missing, ...surplus];
}

const pairsOf = (query: ExpectedRequest["query"]): string[] =>
  Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`));

/** Compares query parameters in any order. */
function queryDifferences(wanted: string[], found: string[]): string[] {
  return [
    ...wanted.filter((pair) => !found.includes(pair)).map((pair) => `query parameter ${pair} is missing`),
    ...found.filter((pair) => !wanted.includes(pair)).map((pair) => `query parameter ${pair} is not in the recorded request`),
    ...(new Set(found).size < found.length && new Set(wanted).size === wanted.length ? ["a query parameter is sent twice"] : []),
  ];
}

const formPairs = (text: string): string[] => [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).sort();

function bodyDifferences({ headers, body, text }: ExpectedRequest, found: string): string[] {
  if (text !== undefined) return text === found ? [] : [`the body is ${formatValue(found)}, expected ${formatValue(text)}`];
  if (body === undefined) return found === "" ? [] : [`unexpected body: ${formatValue(found)}`];
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const wanted = typeof body === "string" ? formPairs(body) : pairsOf(body as Record<string, string>).sort();
    return jsonDifferences(wanted, formPairs(found), "form body").map(describeDifference);
  }
  try {
    return jsonDifferences(body, JSON.parse(found), "body").map(describeDifference);
  } catch {
    return [`the body is not JSON: ${formatValue(found)}`];
  }
}

/** How a request differs from the recorded one, as messages that name the differing part. */
export function requestDifferences(wanted: ExpectedRequest, found: ArrivedRequest): string[] {
  const [path = "", query = ""] = found.url.split("?");
  return [
    ...(wanted.method === found.method ? [] : [`the method is ${found.method}, expected ${wanted.method}`]),
    ...(wanted.path === path ? [] : [`the path is ${path}, expected ${wanted.path}`]),
    ...queryDifferences(pairsOf(wanted.query), formPairs(query)),
    ...headerDifferences(wanted.headers, found.headers),
    ...bodyDifferences(wanted, found.body),
  ];
}
