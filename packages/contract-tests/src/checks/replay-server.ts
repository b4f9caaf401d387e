import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerName, serverNames } from "@fleetwire/core";
import type { Fixture } from "../fixtures/fixture.ts";
import { describeDifference, formatValue, jsonDifferences } from "../json-values.ts";

/** A request as it arrived. */
interface ArrivedRequest {
  method: string;
  /** Path and query from the request line. */
  url: string;
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A recorded request, with the prefix of the server that should receive it, and its response. */
export type Interaction = Pick<Fixture, "request" | "response">;

type ExpectedRequest = Interaction["request"];

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

/** A separate path prefix for each of the interface's servers, which reveals requests to the wrong server. */
export const prefixOf = (server: ServerName): string => `/at-${server.toLowerCase()}`;

export type ReplayServer = Awaited<ReturnType<typeof startReplayServer>>;

/** Serves recorded interactions over real HTTP on a loopback port. */
export async function startReplayServer() {
  /** Those that have not been sent yet. */
  let open: readonly Interaction[] = [];
  let unmatched: string[] = [];
  let count = 0;

  /** Also returns one that differs, so that one difference does not cause further findings. */
  const take = (request: ArrivedRequest): Interaction | undefined => {
    const candidates = open
      .map((interaction) => ({ interaction, differences: requestDifferences(interaction.request, request) }))
      .sort((a, b) => a.differences.length - b.differences.length);
    const [best] = candidates;
    const path = request.url.split("?")[0];
    const sent = best?.differences.length === 0 ? best : (candidates.find((one) => one.interaction.request.path === path) ?? best);
    if (sent) unmatched.push(...sent.differences.map((difference) => `request: ${difference}`));
    else unmatched.push(`${request.method} ${path} was sent again or was not expected`);
    open = open.filter((interaction) => interaction !== sent?.interaction);
    return sent?.interaction;
  };

  const server = createServer(async (message, response) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    count++;
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
    const interaction = take({ method: message.method ?? "", url: message.url ?? "", headers, body });
    const recorded = interaction?.response;
    response.writeHead(recorded?.status ?? 599, { ...recorded?.headers });
    response.end(recorded?.text ?? (recorded?.body === undefined ? "" : JSON.stringify(recorded.body)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** The address of each server. */
    servers: Object.fromEntries(serverNames.map((name) => [name, origin + prefixOf(name)])) as Record<ServerName, string>,
    /** Sets the interactions to expect next, each once. */
    expect: (interactions: readonly Interaction[]): void => {
      open = interactions;
      unmatched = [];
      count = 0;
    },
    /** Problems since the last call of `expect`: unexpected requests, and expected ones that never arrived. */
    problems: (): string[] => [...unmatched, ...open.map(({ request }) => `${request.method} ${request.path} was recorded but never sent`)],
    /** Number of requests since the last call of `expect`. */
    arrived: () => count,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
