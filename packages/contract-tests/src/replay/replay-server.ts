import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerName, serverNames } from "@fleetwire/core";
import { type ArrivedRequest, type ExpectedRequest, requestDifferences } from "./request-differences.ts";

/** A request that has to come, and what is answered to it. */
export interface Interaction {
  request: ExpectedRequest;
  response: { status: number; headers: Readonly<Record<string, string>>; body?: unknown; text?: string | undefined };
  /** How often it may come; `once` where absent. What is `any` may also not come at all. */
  times?: "once" | "repeated" | "any";
}

/** Each server of the interface below a prefix of its own, so that a request to a wrong one is seen. */
export const prefixOf = (server: ServerName): string => `/at-${server.toLowerCase()}`;

export interface ReplayServer {
  /** The address of each server. */
  servers: Record<ServerName, string>;
  /** Takes the interactions that have to come next. */
  expect(interactions: readonly Interaction[]): void;
  /** What was wrong since `expect`: requests that fit no interaction, and interactions that nobody asked for. */
  problems(): string[];
  /** Requests since `expect`. */
  arrived(): number;
  close(): Promise<void>;
}

const answerText = ({ body, text }: Interaction["response"]): string => text ?? (body === undefined ? "" : JSON.stringify(body));

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
        : [`${request.method} ${path} was sent once more, or in vain`]),
    );
    // The answer goes with it all the same, so that one difference is one finding.
    if (nearest) nearest.entry.seen++;
    return nearest?.entry.interaction;
  };

  const server = createServer(async (message, response) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    count++;
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
    const interaction = find({ method: message.method ?? "", url: message.url ?? "", headers, body });
    const { status = 599, headers: answered = {} } = interaction?.response ?? {};
    response.writeHead(status, { ...answered });
    response.end(interaction ? answerText(interaction.response) : "");
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
        .map(({ interaction: { request } }) => `${request.method} ${request.path} was recorded and never sent`),
    ],
    arrived: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
