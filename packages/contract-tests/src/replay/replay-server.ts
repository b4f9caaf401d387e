import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerName, serverNames } from "@fleetwire/core";
import { describeDifference, formatValue, jsonDifferences } from "./json-differences.ts";

/** A request as it arrived. */
interface ArrivedRequest {
  method: string;
  /** Path and query from the request line. */
  url: string;
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A fixture's request, with the prefix of the server that should receive it. */
interface ExpectedRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, string | readonly string[]>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  text?: string | undefined;
}

// Headers added by fetch and ordinary clients; if a fixture lists one, its value must match.
const USUAL_HEADERS = [
  /^(accept: application\/json|content-length: \d+)$/,
  /^(accept-encoding|accept-language|connection|host|sec-fetch-mode|transfer-encoding|user-agent): ./,
];

function headerDifferences(wanted: ExpectedRequest["headers"], found: ArrivedRequest["headers"]): string[] {
  const recorded = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name.toLowerCase(), value]));
  const missing = Object.entries(recorded).flatMap(([name, value]) =>
    found[name] === value ? [] : [`header ${name} is ${formatValue(found[name])}, expected ${formatValue(value)}`],
  );
  const surplus = Object.entries(found).flatMap(([name, value]) =>
    Object.hasOwn(recorded, name) || USUAL_HEADERS.some((usual) => usual.test(`${name}: ${value}`))
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
function requestDifferences(wanted: ExpectedRequest, found: ArrivedRequest): string[] {
  const [path = "", query = ""] = found.url.split("?");
  return [
    ...(wanted.method === found.method ? [] : [`the method is ${found.method}, expected ${wanted.method}`]),
    ...(wanted.path === path ? [] : [`the path is ${path}, expected ${wanted.path}`]),
    ...queryDifferences(pairsOf(wanted.query), formPairs(query)),
    ...headerDifferences(wanted.headers, found.headers),
    ...bodyDifferences(wanted, found.body),
  ];
}

/** An expected request and its response. */
export interface Interaction {
  request: ExpectedRequest;
  response: { status: number; headers: Readonly<Record<string, string>>; body?: unknown; text?: string | undefined };
  /** How often it is expected; `any` includes not at all. Default: `once`. */
  times?: "once" | "repeated" | "any";
}

/** A separate path prefix for each of the interface's servers, which reveals requests to the wrong server. */
export const prefixOf = (server: ServerName): string => `/at-${server.toLowerCase()}`;

export interface ReplayServer {
  /** The address of each server. */
  servers: Record<ServerName, string>;
  /** Sets the interactions to expect next. */
  expect(interactions: readonly Interaction[]): void;
  /** Problems since the last call of `expect`: unexpected requests, and expected ones that never arrived. */
  problems(): string[];
  /** Number of requests since the last call of `expect`. */
  arrived(): number;
  close(): Promise<void>;
}

const responseText = ({ body, text }: Interaction["response"]): string => text ?? (body === undefined ? "" : JSON.stringify(body));

/** Serves recorded interactions over real HTTP on a loopback port. */
export async function startReplayServer(): Promise<ReplayServer> {
  let expected: { interaction: Interaction; seen: number }[] = [];
  let unmatched: string[] = [];
  let count = 0;

  const find = (request: ArrivedRequest): Interaction | undefined => {
    const open = expected.filter(({ interaction: { times = "once" }, seen }) => times !== "once" || seen === 0);
    const candidates = open
      .map((entry) => ({ entry, differences: requestDifferences(entry.interaction.request, request) }))
      .sort((a, b) => a.differences.length - b.differences.length);
    const [best] = candidates;
    const path = request.url.split("?")[0];
    if (best?.differences.length === 0) {
      best.entry.seen++;
      return best.entry.interaction;
    }
    const nearest = candidates.find(({ entry }) => entry.interaction.request.path === path) ?? best;
    unmatched.push(
      ...(nearest
        ? nearest.differences.map((difference) => `request: ${difference}`)
        : [`${request.method} ${path} was sent again or was not expected`]),
    );
    // Respond anyway, so that one difference does not cause further findings.
    if (nearest) nearest.entry.seen++;
    return nearest?.entry.interaction;
  };

  const server = createServer(async (message, response) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    count++;
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
    const interaction = find({ method: message.method ?? "", url: message.url ?? "", headers, body });
    const { status = 599, headers: responseHeaders = {} } = interaction?.response ?? {};
    response.writeHead(status, { ...responseHeaders });
    response.end(interaction ? responseText(interaction.response) : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    servers: Object.fromEntries(serverNames.map((name) => [name, origin + prefixOf(name)])) as Record<ServerName, string>,
    expect: (interactions) => {
      expected = interactions.map((interaction) => ({ interaction, seen: 0 }));
      unmatched = [];
      count = 0;
    },
    problems: () => [
      ...unmatched,
      ...expected
        .filter(({ interaction: { times }, seen }) => times !== "any" && seen === 0)
        .map(({ interaction: { request } }) => `${request.method} ${request.path} was recorded but never sent`),
    ],
    arrived: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
