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
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, withoutSecrets, withSecrets } from "../fixtures/placeholders.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import { describeDifference, formatValue, jsonDifferences } from "../replay/json-differences.ts";
import { type Interaction, type ReplayServer, startReplayServer } from "../replay/replay-server.ts";
import { type CheckResult, checkEach } from "./check-result.ts";
import { interactionOf, routeOf, tokenInteraction } from "./interactions.ts";

type Outcome = { value: unknown } | { error: FleetError };

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Calls the client's method untyped, as JavaScript callers can, and without retries: a recording has one response. */
async function call(fleet: FleetClient, { operation, call: input = {} }: NamedFixture): Promise<Outcome> {
  const method = fleet[operation] as (input: unknown, options: CallOptions & { retries: number }) => Promise<unknown>;
  try {
    return { value: plain(await method(input, { timeout: 10_000, retries: 0 })) };
  } catch (error) {
    if (error instanceof FleetError) return { error };
    throw error;
  }
}

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
function outcomeProblems(fixture: NamedFixture, outcome: Outcome): string[] {
  const { expect } = fixture;
  if ("value" in expect) {
    if ("error" in outcome) return [`the client fails with ${outcome.error.code} (${outcome.error.message}), expected a value`];
    return jsonDifferences(withSecrets(expect.value), outcome.value, "value").map(describeDifference);
  }
  const { code, errors } = expect.error;
  if ("value" in outcome) return [`the client returns ${formatValue(outcome.value)}, expected a failure with ${code}`];
  const { error } = outcome;
  return [
    ...(error.code === code ? [] : [`the client fails with ${error.code}, expected ${code}`]),
    ...(error.operation === fixture.operation ? [] : [`the error names ${formatValue(error.operation)} as its operation`]),
    ...(error.status === fixture.response.status ? [] : [`the error has status ${formatValue(error.status)}`]),
    ...(errors === undefined ? [] : jsonDifferences(normalizedErrors(errors), plain(error.errors), "errors").map(describeDifference)),
  ];
}

/** What the fixtures are checked with. */
interface Setup {
  fixtures: readonly NamedFixture[];
  document: InterfaceDocument;
  server: ReplayServer;
}

function clientFor({ document, server }: Setup, { operation }: NamedFixture, scheme: AuthScheme, at: ServerName): FleetClient {
  // If several servers accept the request, only this one is configured, so the request must go to it.
  const others: readonly string[] = document.serversOf(operation);
  const servers = Object.entries(server.servers).filter(([name]) => name === at || !others.includes(name));
  return createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: Object.fromEntries(servers),
    ...(operation !== "requestAccessToken" && { authSchemes: { [operation]: scheme } }),
    jobNumbers: "service",
  });
}

async function exchangeProblems(setup: Setup, fixture: NamedFixture, at: ServerName): Promise<string[]> {
  const { scheme } = routeOf(fixture, setup.document);
  const interactions: Interaction[] = [interactionOf(fixture, at)];
  if (scheme !== "basic") interactions.push(tokenInteraction(setup.fixtures));
  setup.server.expect(interactions);
  const outcome = await call(clientFor(setup, fixture, scheme, at), fixture);
  return [...setup.server.problems(), ...outcomeProblems(fixture, outcome)];
}

/** The client must reject the call without sending it. The recorded response is then decoded through a call that the client does send. */
async function refusalProblems(setup: Setup, fixture: NamedFixture): Promise<string[]> {
  const { fixtures, document, server } = setup;
  const { operation, expect, request } = fixture;
  const { scheme, servers } = routeOf(fixture, document);
  const [at = "base"] = servers;
  server.expect([]);
  const outcome = await call(clientFor(setup, fixture, scheme, at), fixture);
  const refused = "error" in outcome && outcome.error.code === "input";
  const fieldsIn = (errors: readonly ApiError[]) => errors.flatMap(({ offendingFields = [] }) => offendingFields);
  const named = refused ? fieldsIn(outcome.error.errors) : [];
  // The client must name a field that the recorded error names, or that a rule of the interface links to one of those.
  const recorded = "error" in expect ? fieldsIn(normalizedErrors(expect.error.errors ?? [])) : [];
  const wanted = [...recorded, ...document.linkedFields(operation, recorded)];
  const problems = [
    ...(refused ? [] : ["the client does not reject this call"]),
    ...(server.arrived() > 0 ? ["the client sends a request for a call that it should have rejected"] : []),
    ...(refused && wanted.length > 0 && !wanted.some((field) => named.includes(field))
      ? [`the client's error names ${formatValue(named)}, expected ${formatValue(wanted)}`]
      : []),
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
  const { scheme, servers } = routeOf(fixture, setup.document);
  // If no scheme is configured, the client must use one from the interface document.
  const isStated = setup.document.schemesOf(fixture.operation).includes(scheme);
  const problems = isStated ? [] : [`the recorded request uses the scheme ${scheme}, which the interface does not state`];
  for (const at of servers) problems.push(...(await exchangeProblems(setup, fixture, at)));
  return [...new Set(problems)].map(withoutSecrets);
}

/** The call sends exactly the recorded request, and the recorded response becomes the expected value or FleetError. */
export async function checkClient(
  fixtures: readonly NamedFixture[],
  document: InterfaceDocument,
  options: { bail?: boolean | undefined } = {},
): Promise<CheckResult> {
  const server = await startReplayServer();
  try {
    return await checkEach("client", fixtures, (fixture) => problemsOf({ fixtures, document, server }, fixture), options);
  } finally {
    await server.close();
  }
}
