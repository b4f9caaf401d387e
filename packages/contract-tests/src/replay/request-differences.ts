import { describeDifference, jsonDifferences, shown } from "./json-differences.ts";

/** A request as it arrived. */
export interface ArrivedRequest {
  method: string;
  /** Path and query as they stood in the request line. */
  url: string;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A request as a fixture has it, with the prefix of the server that it has to go to. */
export interface ExpectedRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string | readonly string[]>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  text?: string | undefined;
}

// What a runtime's own fetch and an ordinary client add; a fixture may name them, and they then have to be as named.
const UNREMARKABLE: Readonly<Record<string, RegExp>> = {
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
    found[name] === value ? [] : [`header ${name} is ${shown(found[name])}: ${shown(value)} was expected`],
  );
  const surplus = Object.entries(found).flatMap(([name, value]) =>
    name in recorded || UNREMARKABLE[name]?.test(value) ? [] : [`header ${name} is ${shown(value)}: it is not in the recorded request`],
  );
  return [...missing, ...surplus];
}

const pairsOf = (query: ExpectedRequest["query"]): string[] =>
  Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`));

/** Query parameters as sets: their order means nothing. */
function queryDifferences(wanted: string[], found: string[]): string[] {
  return [
    ...wanted.filter((pair) => !found.includes(pair)).map((pair) => `query parameter ${pair} is missing`),
    ...found.filter((pair) => !wanted.includes(pair)).map((pair) => `query parameter ${pair} is not in the recorded request`),
    ...(new Set(found).size < found.length && new Set(wanted).size === wanted.length ? ["a query parameter is sent twice"] : []),
  ];
}

const formPairs = (text: string): string[] => [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`).sort();

function bodyDifferences({ headers, body, text }: ExpectedRequest, found: string): string[] {
  if (text !== undefined) return text === found ? [] : [`the body is ${shown(found)}: ${shown(text)} was expected`];
  if (body === undefined) return found === "" ? [] : [`a body is sent: ${shown(found)}`];
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const wanted = typeof body === "string" ? formPairs(body) : pairsOf(body as Record<string, string>).sort();
    return jsonDifferences(wanted, formPairs(found), "form body").map(describeDifference);
  }
  try {
    return jsonDifferences(body, JSON.parse(found), "body").map(describeDifference);
  } catch {
    return [`the body is no JSON: ${shown(found)}`];
  }
}

/** How a request differs from the recorded one, in words that name what differs. */
export function requestDifferences(wanted: ExpectedRequest, found: ArrivedRequest): string[] {
  const [path = "", query = ""] = found.url.split("?");
  return [
    ...(wanted.method === found.method ? [] : [`the method is ${found.method}: ${wanted.method} was expected`]),
    ...(wanted.path === path ? [] : [`the path is ${path}: ${wanted.path} was expected`]),
    ...queryDifferences(pairsOf(wanted.query), formPairs(query)),
    ...headerDifferences(wanted.headers, found.headers),
    ...bodyDifferences(wanted, found.body),
  ];
}
