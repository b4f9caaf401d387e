import {
  type ApiError,
  type AuthScheme,
  type CallOptions,
  createFleetClient,
  type FleetClient,
  FleetError,
  type ServerName,
} from "@fleetwire/core";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, REPLAY_TOKEN, schemeIn, withoutSecrets, withSecrets } from "../fixtures/placeholders.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import { describeDifference, formatValue, jsonDifferences } from "../json-values.ts";
import { type CheckResult, checkEach } from "./check-result.ts";
import { type Interaction, prefixOf, type ReplayServer, startReplayServer } from "./replay-server.ts";

type Outcome = { value: unknown } | { error: FleetError };

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Normalizes errors as the client does: to the documented fields, in the format of part 2.2. */
function normalizedErrors(errors: readonly Record<string, unknown>[]): ApiError[] {
  const normalized = errors.map(({ errorCode, errorMessage, offendingFields, field, message }) => ({
    errorCode,
    errorMessage: errorMessage ?? message,
    offendingFields: offendingFields ?? (field === undefined ? undefined : [field]),
  }));
  return plain(normalized) as ApiError[];
}

/** Describes how an outcome differs from what the fixture expects. */
function outcomeProblems({ operation, response, expect }: NamedFixture, outcome: Outcome): string[] {
  if ("value" in expect) {
    if ("error" in outcome) return [`the client fails with ${outcome.error.code} (${outcome.error.message}), expected a value`];
    return jsonDifferences(withSecrets(expect.value), outcome.value, "value").map(describeDifference);
  }
  const { code, errors } = expect.error;
  if ("value" in outcome) return [`the client returns ${formatValue(outcome.value)}, expected a failure with ${code}`];
  const { error } = outcome;
  return [
    ...(error.code === code ? [] : [`the client fails with ${error.code}, expected ${code}`]),
    ...(error.operation === operation ? [] : [`the error names ${formatValue(error.operation)} as its operation`]),
    ...(error.status === response.status ? [] : [`the error has status ${formatValue(error.status)}`]),
    ...(errors === undefined ? [] : jsonDifferences(normalizedErrors(errors), plain(error.errors), "errors").map(describeDifference)),
  ];
}

/** A fixture as an interaction for the replay server, under the prefix of one of the interface's servers. */
function interactionOf({ request, response }: NamedFixture, server: ServerName): Interaction {
  const { path, ...rest } = withSecrets(request);
  return { request: { ...rest, path: prefixOf(server) + path }, response: withSecrets(response) };
}

/** The token request before a call: the first successful one in the fixtures, with a recognizable token. */
function tokenInteraction(fixtures: readonly NamedFixture[]): Interaction {
  const granted = fixtures.find(
    ({ operation, response, expect }) => operation === "requestAccessToken" && response.status === 200 && "value" in expect,
  );
  if (!granted) throw new Error("no fixture grants an access token, which every other call needs");
  const { request, response } = interactionOf(granted, "auth");
  return { request, response: { ...response, body: { ...Object(response.body), accessToken: REPLAY_TOKEN } } };
}

/** The scheme of a fixture's request. */
function schemeOf({ id, request }: NamedFixture): AuthScheme {
  const scheme = schemeIn(request.headers);
  if (!scheme) throw new Error(`${id}: the recorded request has no credentials`);
  return scheme;
}

/** What the fixtures are checked with. */
interface Setup {
  fixtures: readonly NamedFixture[];
  document: InterfaceDocument;
  server: ReplayServer;
}

/** Calls the client's method untyped, as JavaScript callers can, and without retries: a recording has one response. */
async function call({ document, server }: Setup, fixture: NamedFixture, at: ServerName): Promise<Outcome> {
  const { operation, call: input = {} } = fixture;
  // If several servers accept the request, only this one is configured, so the request must go to it.
  const others: readonly string[] = document.serversOf(operation);
  const servers = Object.entries(server.servers).filter(([name]) => name === at || !others.includes(name));
  const fleet: FleetClient = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: Object.fromEntries(servers),
    ...(operation !== "requestAccessToken" && { authSchemes: { [operation]: schemeOf(fixture) } }),
    jobNumbers: "service",
  });
  const method = fleet[operation] as (input: unknown, options: CallOptions & { retries: number }) => Promise<unknown>;
  try {
    return { value: plain(await method(input, { timeout: 10_000, retries: 0 })) };
  } catch (error) {
    if (error instanceof FleetError) return { error };
    throw error;
  }
}

async function exchangeProblems(setup: Setup, fixture: NamedFixture, at: ServerName): Promise<string[]> {
  setup.server.expect([interactionOf(fixture, at), ...(schemeOf(fixture) === "basic" ? [] : [tokenInteraction(setup.fixtures)])]);
  const outcome = await call(setup, fixture, at);
  return [...setup.server.problems(), ...outcomeProblems(fixture, outcome)];
}

/** The client must reject the call without sending it. The recorded response is then decoded through a call that the client does send. */
async function refusalProblems(setup: Setup, fixture: NamedFixture): Promise<string[]> {
  const { fixtures, document, server } = setup;
  const { operation, expect, request } = fixture;
  const [at = "base"] = document.serversOf(operation);
  server.expect([]);
  const outcome = await call(setup, fixture, at);
  const refused = "error" in outcome && outcome.error.code === "input";
  const fieldsIn = (errors: readonly ApiError[]) => errors.flatMap(({ offendingFields = [] }) => offendingFields);
  const named = refused ? fieldsIn(outcome.error.errors) : [];
  // The client must name a field that the recorded error names, or that a rule of the interface links to one of those.
  const recorded = "error" in expect ? fieldsIn(normalizedErrors(expect.error.errors ?? [])) : [];
  const wanted = [...recorded, ...document.linkedFields(operation, recorded)];
  const isAnotherField = refused && wanted.length > 0 && !wanted.some((field) => named.includes(field));
  const problems = [
    ...(refused ? [] : ["the client does not reject this call"]),
    ...(server.arrived() > 0 ? ["the client sends a request for a call that it should have rejected"] : []),
    ...(isAnotherField ? [`the client's error names ${formatValue(named)}, expected ${formatValue(wanted)}`] : []),
  ];
  const headers = JSON.stringify(request.headers);
  const accepted = fixtures.find(
    (other) => other.operation === operation && !other.refusedByClient && JSON.stringify(other.request.headers) === headers,
  );
  if (!accepted) return [...problems, "no fixture has a call that the client sends, so the response cannot be decoded"];
  const substitute = { ...fixture, call: accepted.call ?? {}, request: accepted.request };
  return [...problems, ...(await exchangeProblems(setup, substitute, at))];
}

async function problemsOf(setup: Setup, fixture: NamedFixture): Promise<string[]> {
  if (fixture.refusedByClient) return refusalProblems(setup, fixture);
  const scheme = schemeOf(fixture);
  // If no scheme is configured, the client must use one from the interface document.
  const isStated = setup.document.schemesOf(fixture.operation).includes(scheme);
  const problems = isStated ? [] : [`the recorded request uses the scheme ${scheme}, which the interface does not state`];
  for (const at of setup.document.serversOf(fixture.operation)) problems.push(...(await exchangeProblems(setup, fixture, at)));
  return [...new Set(problems)].map(withoutSecrets);
}

/** The call sends exactly the recorded request, and the recorded response becomes the expected value or FleetError. */
export async function checkClient(fixtures: readonly NamedFixture[], document: InterfaceDocument): Promise<CheckResult> {
  const server = await startReplayServer();
  try {
    return await checkEach("client", fixtures, (fixture) => problemsOf({ fixtures, document, server }, fixture));
  } finally {
    await server.close();
  }
}
