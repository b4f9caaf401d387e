import type { AuthScheme, ServerName } from "@fleetwire/core";
import type { Fixture, NamedFixture } from "../fixtures/fixture.ts";
import { REPLAY_TOKEN, schemeIn, withSecrets } from "../fixtures/placeholders.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import { type Interaction, prefixOf } from "../replay/replay-server.ts";

/** How to replay a fixture: the scheme of its request, and the servers that the interface states. */
interface Route {
  scheme: AuthScheme;
  /** The usual server first, then its alternatives. */
  servers: ServerName[];
}

export function routeOf({ id, operation, request }: NamedFixture, document: InterfaceDocument): Route {
  const scheme = schemeIn(request.headers);
  if (!scheme) throw new Error(`${id}: the recorded request has no credentials`);
  return { scheme, servers: document.serversOf(operation) };
}

/** A fixture as an interaction for the replay server, under the prefix of one of the interface's servers. */
export function interactionOf({ request, response }: Fixture, server: ServerName, times: Interaction["times"] = "once"): Interaction {
  const { path, ...rest } = withSecrets(request);
  return { request: { ...rest, path: prefixOf(server) + path }, response: withSecrets(response), times };
}

/** The token request before a call: the first successful one in the fixtures, with a recognizable token. */
export function tokenInteraction(fixtures: readonly NamedFixture[], times?: Interaction["times"]): Interaction {
  const granted = fixtures.find(
    ({ operation, response, expect }) => operation === "requestAccessToken" && response.status === 200 && "value" in expect,
  );
  if (!granted) throw new Error("no fixture grants an access token, which every other call needs");
  const interaction = interactionOf(granted, "auth", times);
  const body = { ...(interaction.response.body as Record<string, unknown>), accessToken: REPLAY_TOKEN };
  return { ...interaction, response: { ...interaction.response, body } };
}
