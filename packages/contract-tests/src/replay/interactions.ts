import type { AuthScheme, ServerName } from "@fleetwire/core";
import type { Fixture, NamedFixture } from "../fixtures/fixture.ts";
import { REPLAY_TOKEN, withSecrets } from "../fixtures/placeholders.ts";
import type { ContractTable } from "../table/contract-table.ts";
import { type Interaction, prefixOf } from "./replay-server.ts";

/** What replays a fixture: the scheme that its request shows, and the servers that the table sends it to. */
export interface Route {
  scheme: AuthScheme;
  /** The usual server first, then its alternatives. */
  servers: ServerName[];
}

const SCHEMES: readonly [RegExp, AuthScheme][] = [
  [/^authorization: basic /i, "basic"],
  [/^authorization: bearer /i, "bearer"],
  [/^x-connect-token: token /i, "connect-token"],
];

export function routeOf({ id, operation, request }: NamedFixture, table: ContractTable): Route {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const scheme = SCHEMES.find(([pattern]) => headers.some((header) => pattern.test(header)))?.[1];
  if (!scheme) throw new Error(`${id}: the recorded request shows no credentials`);
  const rows = table.ofKind("request", operation).sort((a, b) => Number(a["alternative"] ?? false) - Number(b["alternative"] ?? false));
  return { scheme, servers: rows.map(({ server }) => server as ServerName) };
}

/** A fixture as the replay server plays it, below a server. */
export function interactionOf({ request, response }: Fixture, server: ServerName, times: Interaction["times"] = "once"): Interaction {
  const { path, ...rest } = withSecrets(request);
  return { request: { ...rest, path: prefixOf(server) + path }, response: withSecrets(response), times };
}

/** The token request that goes before a call: as the first documented one that is granted, with a token that can be told. */
export function tokenInteraction(fixtures: readonly NamedFixture[], times: Interaction["times"]): Interaction {
  const granted = fixtures.find(
    ({ operation, response, expect }) => operation === "requestAccessToken" && response.status === 200 && "value" in expect,
  );
  if (!granted) throw new Error("there is no fixture of a granted access token, on which every other call stands");
  const played = interactionOf(granted, "auth", times);
  const body = { ...(played.response.body as Record<string, unknown>), accessToken: REPLAY_TOKEN };
  return { ...played, response: { ...played.response, body } };
}

/**
 * What a tool may read of the fleet before it writes, in order to check names. There is nothing to see here, so that it sends what it was given: how
 * names are checked is no part of the contract.
 */
export function fleetReadInteraction(fixtures: readonly NamedFixture[], query: Readonly<Record<string, string>>): Interaction[] {
  const reads = fixtures.filter(({ operation, request }) => operation === "listLivePositions" && Object.keys(request.query).length === 0);
  const bySchemes = new Map(reads.map((read) => [JSON.stringify(read.request.headers), read]));
  return [...bySchemes.values()].map((read) => {
    const played = interactionOf(read, "base", "any");
    return { ...played, request: { ...played.request, query }, response: { status: 404, headers: {} } };
  });
}
