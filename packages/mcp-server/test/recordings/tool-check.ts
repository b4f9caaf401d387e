import type { InterfaceDocument, NamedFixture } from "@fleetwire/contract-tests";
import {
  CREDENTIAL_HEADERS,
  FIXTURE_CUSTOMER,
  type Interaction,
  interactionOf,
  prefixOf,
  REPLAY_CREDENTIALS,
  type ReplayServer,
  routeOf,
  startReplayServer,
  tokenInteraction,
  withoutSecrets,
  withSecrets,
} from "@fleetwire/contract-tests/replay";
import { operations, pathOf, type ServerName } from "@fleetwire/core";
import { type SpawnedServer, spawnServer, type ToolResult } from "./spawned-server.ts";
import { privacyOf, type ToolCall, toolCallOf, toolNameOf } from "./tool-call.ts";
import { columnsOf, resultProblems } from "./tool-result.ts";

const UNLIMITED_TOKENS = "9000000";

/** Contract fields that a tool's error names as unknown. Some tools accept more fields than they list, so only a call shows which. */
function rejectedArguments(
  args: Readonly<Record<string, unknown>>,
  listed: Readonly<Record<string, unknown>>,
  { failed, text }: ToolResult,
): string[] {
  if (!failed || !text.startsWith("input:")) return [];
  const [refusal = ""] = text.split(" Next: ");
  return Object.keys(args).filter((name) => !Object.hasOwn(listed, name) && new RegExp(`\\b${name}: is not a field\\b`).test(refusal));
}

/** The environment in which a tool sends the recorded request. Fixtures with equal environments share a server process. */
function environmentOf(
  fixture: NamedFixture,
  document: InterfaceDocument,
  servers: Readonly<Record<ServerName, string>>,
): Record<string, string> {
  const { scheme } = routeOf(fixture, document);
  const isOptional = document.schemesOf(fixture.operation).length > 1;
  return {
    FLEET_CUSTOMER_ID: FIXTURE_CUSTOMER,
    FLEET_CLIENT_ID: REPLAY_CREDENTIALS.clientId,
    FLEET_CLIENT_SECRET: REPLAY_CREDENTIALS.clientSecret,
    FLEET_BASE_URL: servers.base,
    FLEET_API_HOST: servers.apiHost,
    FLEET_JOB_URL: servers.job,
    FLEET_TACHO_URL: servers.tacho,
    FLEET_AUTH_URL: servers.auth,
    FLEET_JOB_NUMBERS: "service",
    FLEET_CONFIRM: "never",
    FLEET_PRIVACY: privacyOf(fixture),
    FLEET_MAX_RESULT_TOKENS: UNLIMITED_TOKENS,
    FLEET_LOG: "silent",
    ...(isOptional && {
      FLEET_AUTH_SCHEMES: document.operations
        .filter((name) => document.schemesOf(name).length > 1)
        .map((name) => `${name}=${scheme}`)
        .join(","),
    }),
  };
}

/** A recorded interaction, plus what the tool adds to the request. */
function withAdded(interaction: Interaction, { addedQuery, ownQuery, ownBody }: ToolCall): Interaction {
  const { request } = interaction;
  const body = request.body === undefined ? undefined : { ...(request.body as Record<string, unknown>), ...ownBody };
  return { ...interaction, request: { ...request, query: { ...addedQuery, ...request.query, ...ownQuery }, ...(body && { body }) } };
}

const fleetRead = operations.listLivePositions;

/**
 * The fleet read that a tool may make, to check names before a write or to name drivers. It returns 404, so that the tool uses its arguments
 * unchanged: the read is not part of the contract.
 */
function fleetReadInteraction(document: InterfaceDocument, query: Readonly<Record<string, string>>): Interaction[] {
  const path = prefixOf("base") + pathOf(fleetRead, { customerId: FIXTURE_CUSTOMER });
  return document.schemesOf(fleetRead.name).map((scheme) => ({
    request: withSecrets({ method: fleetRead.method, path, query, headers: CREDENTIAL_HEADERS[scheme] }),
    response: { status: 404, headers: {} },
    times: "any",
  }));
}

class ToolCheck {
  readonly #fixtures: readonly NamedFixture[];
  readonly #document: InterfaceDocument;
  readonly #replay: ReplayServer;
  readonly #servers = new Map<string, Promise<SpawnedServer>>();
  readonly #occurrences = new Map<string, number>();
  readonly outputs = new Map<string, Record<string, unknown>>();

  constructor(fixtures: readonly NamedFixture[], document: InterfaceDocument, replay: ReplayServer) {
    this.#fixtures = fixtures;
    this.#document = document;
    this.#replay = replay;
  }

  #serverFor(fixture: NamedFixture): Promise<SpawnedServer> {
    const env = environmentOf(fixture, this.#document, this.#replay.servers);
    const key = JSON.stringify(env);
    const server = this.#servers.get(key) ?? spawnServer(env);
    this.#servers.set(key, server);
    return server;
  }

  /** The number of earlier fixtures with the same request. */
  #occurrenceOf({ operation, request }: NamedFixture): number {
    const key = JSON.stringify([operation, request]);
    const seen = this.#occurrences.get(key) ?? 0;
    this.#occurrences.set(key, seen + 1);
    return seen;
  }

  async problemsOf(fixture: NamedFixture): Promise<string[] | { skipped: string }> {
    const server = await this.#serverFor(fixture);
    const [at = "base"] = routeOf(fixture, this.#document).servers;
    const call = toolCallOf(fixture, server.tools, this.#occurrenceOf(fixture));
    if ("skipped" in call) return call;
    const name = toolNameOf(fixture.operation);
    const columns = call.arguments["limit"] === undefined ? [] : columnsOf(fixture, this.#document);
    const args = call.arguments;
    // Failures may be retried, and one token serves many calls.
    const failed = fixture.response.status >= 400;
    const interaction = withAdded(interactionOf(fixture, at, failed ? "repeated" : "once"), call);
    // Writes are checked against the live positions, and drivers in results are named from them.
    const readsFleet = operations[fixture.operation].effect !== "read" || fixture.operation === "queryTachoActivity";
    this.#replay.expect([
      ...(fixture.refusedByClient ? [] : [interaction]),
      tokenInteraction(this.#fixtures, "any"),
      ...(readsFleet ? fleetReadInteraction(this.#document, { hideSpeedIfSpeedSensitive: String(privacyOf(fixture) === "respect") }) : []),
    ]);
    const result = await server.call(name, { ...args, ...(columns.length > 0 && { fields: columns }) });
    const refused = rejectedArguments(args, server.tools.get(name)?.inputSchema.properties ?? {}, result);
    if (refused.length > 0 && this.#replay.arrived() === 0) return { skipped: `${name} does not take ${refused.join(", ")}` };
    if (!result.failed) this.outputs.set(fixture.id, result.structured);
    return [...this.#replay.problems(), ...this.#outcomeProblems(fixture, { columns, limit: Number(call.arguments["limit"]) }, result)].map(
      withoutSecrets,
    );
  }

  #outcomeProblems(
    fixture: NamedFixture,
    requested: { columns: readonly string[]; limit: number },
    { failed, text, structured }: ToolResult,
  ): string[] {
    const wanted = fixture.refusedByClient ? "input" : "error" in fixture.expect ? fixture.expect.error.code : undefined;
    if (wanted === undefined) {
      return failed ? [`the tool fails with: ${text}`] : resultProblems(fixture, requested, structured, text);
    }
    if (!failed) return [`the tool succeeds, expected a failure with ${wanted}`];
    return text.startsWith(`${wanted}:`) ? [] : [`the tool fails with: ${text}; expected ${wanted}`];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.then((started) => started.close())));
  }
}

export interface ToolReplay {
  checked: number;
  findings: { fixture: string; problem: string }[];
  skips: { fixture: string; reason: string }[];
  /** The structured results, by fixture. */
  outputs: ReadonlyMap<string, Record<string, unknown>>;
}

/** Replays each fixture: the tool, called by a real client through a spawned server, must send the recorded request and return the recorded data. */
export async function replayTools(fixtures: readonly NamedFixture[], document: InterfaceDocument): Promise<ToolReplay> {
  const replay = await startReplayServer();
  const check = new ToolCheck(fixtures, document, replay);
  const result: ToolReplay = { checked: 0, findings: [], skips: [], outputs: check.outputs };
  try {
    for (const fixture of fixtures) {
      const problems = await check.problemsOf(fixture);
      if ("skipped" in problems) result.skips.push({ fixture: fixture.id, reason: problems.skipped });
      else {
        result.checked++;
        result.findings.push(...problems.map((problem) => ({ fixture: fixture.id, problem })));
      }
    }
    return result;
  } finally {
    await check.close();
    await replay.close();
  }
}
