import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerName, serverNames } from "@fleetwire/core";
import { type ArrivedRequest, type ExpectedRequest, requestDifferences } from "./request-differences.ts";

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
