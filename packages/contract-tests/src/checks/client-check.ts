import { type ApiError, type CallOptions, createFleetClient, type FleetClient, FleetError, type ServerName } from "@fleetwire/core";
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

class ClientCheck {
  readonly #fixtures: readonly NamedFixture[];
  readonly #document: InterfaceDocument;
  readonly #server: ReplayServer;

  constructor(fixtures: readonly NamedFixture[], document: InterfaceDocument, server: ReplayServer) {
    this.#fixtures = fixtures;
    this.#document = document;
    this.#server = server;
  }

  #client({ operation }: NamedFixture, scheme: ReturnType<typeof routeOf>["scheme"], at: ServerName): FleetClient {
    // If several servers accept the request, only this one is configured, so the request must go to it.
    const others: readonly string[] = this.#document.serversOf(operation);
    const servers = Object.entries(this.#server.servers).filter(([name]) => name === at || !others.includes(name));
    return createFleetClient({
      customerId: FIXTURE_CUSTOMER,
      credentials: REPLAY_CREDENTIALS,
      servers: Object.fromEntries(servers),
      ...(operation !== "requestAccessToken" && { authSchemes: { [operation]: scheme } }),
      jobNumbers: "service",
    });
  }

  /** If no scheme is configured, the client must use one from the interface document. */
  #schemeProblems(fixture: NamedFixture): string[] {
    const { scheme } = routeOf(fixture, this.#document);
    return this.#document.schemesOf(fixture.operation).includes(scheme)
      ? []
      : [`the recorded request uses the scheme ${scheme}, which the interface does not state`];
  }

  async #exchange(fixture: NamedFixture, at: ServerName): Promise<string[]> {
    const { scheme } = routeOf(fixture, this.#document);
    const interactions: Interaction[] = [interactionOf(fixture, at)];
    if (scheme !== "basic") interactions.push(tokenInteraction(this.#fixtures));
    this.#server.expect(interactions);
    const outcome = await call(this.#client(fixture, scheme, at), fixture);
    return [...this.#server.problems(), ...outcomeProblems(fixture, outcome)];
  }

  /** Fields named in the recorded error, or linked to those by a rule of the interface. The client must name at least one of them. */
  #refusedFields({ operation, expect }: NamedFixture): string[] {
    const errors = "error" in expect ? normalizedErrors(expect.error.errors ?? []) : [];
    const named = errors.flatMap(({ offendingFields = [] }) => offendingFields);
    return [...named, ...this.#document.linkedFields(operation, named)];
  }

  /** The client must reject the call without sending it. The recorded response is then decoded through a call that the client does send. */
  async #refusal(fixture: NamedFixture): Promise<string[]> {
    const { scheme, servers } = routeOf(fixture, this.#document);
    const [at = "base"] = servers;
    this.#server.expect([]);
    const outcome = await call(this.#client(fixture, scheme, at), fixture);
    const refused = "error" in outcome && outcome.error.code === "input";
    const named = refused ? outcome.error.errors.flatMap(({ offendingFields = [] }) => offendingFields) : [];
    const wanted = this.#refusedFields(fixture);
    const problems = [
      ...(refused ? [] : ["the client does not reject this call"]),
      ...(this.#server.arrived() > 0 ? ["the client sends a request for a call that it should have rejected"] : []),
      ...(refused && wanted.length > 0 && !wanted.some((field) => named.includes(field))
        ? [`the client's error names ${formatValue(named)}, expected ${formatValue(wanted)}`]
        : []),
    ];
    const accepted = this.#fixtures.find(
      ({ operation, refusedByClient, request }) =>
        operation === fixture.operation && !refusedByClient && JSON.stringify(request.headers) === JSON.stringify(fixture.request.headers),
    );
    if (!accepted) return [...problems, "no fixture has a call that the client sends, so the response cannot be decoded"];
    const substitute = { ...fixture, call: accepted.call ?? {}, request: accepted.request };
    return [...problems, ...(await this.#exchange(substitute, at))];
  }

  async problemsOf(fixture: NamedFixture): Promise<string[]> {
    if (fixture.refusedByClient) return this.#refusal(fixture);
    const problems = this.#schemeProblems(fixture);
    for (const at of routeOf(fixture, this.#document).servers) problems.push(...(await this.#exchange(fixture, at)));
    return [...new Set(problems)].map(withoutSecrets);
  }
}

/** The call sends exactly the recorded request, and the recorded response becomes the expected value or FleetError. */
export async function checkClient(
  fixtures: readonly NamedFixture[],
  document: InterfaceDocument,
  options: { bail?: boolean | undefined } = {},
): Promise<CheckResult> {
  const server = await startReplayServer();
  try {
    const check = new ClientCheck(fixtures, document, server);
    return await checkEach("client", fixtures, (fixture) => check.problemsOf(fixture), options);
  } finally {
    await server.close();
  }
}
