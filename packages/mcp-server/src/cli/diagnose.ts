import {
  type CallOptions,
  type FleetClient,
  FleetError,
  type FleetErrorCode,
  fleetErrorCodes,
  type Operation,
  type OperationName,
  operations,
  type ProbeContext,
  type ServerName,
} from "@fleetwire/core";
import { probeContextOf, schemeOf, serverOf, serverVariables } from "@fleetwire/core/internal";
import { toolAvailability } from "@fleetwire/tools";
import { singleLine } from "@fleetwire/tools/host";
import { connectionFailure } from "../connection-failure.ts";
import type { ServerConfig } from "../server-config.ts";

export interface ServerFinding {
  /** The variable that configures the server. */
  server: (typeof serverVariables)[ServerName];
  /** The operation that was called, or that this server would receive. */
  operation?: string;
  ok: boolean;
  message: string;
  /** HTTP status of an error response. */
  status?: number;
  advice?: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ADVICE_LENGTH = 300;

const TOKEN_ADVICE = "Check FLEET_AUTH_URL and FLEET_TOKEN_PATH; real deployments use a different first path segment";

// No retries, so that intermittent failures show.
const optionsOf = ({ timeout = TIMEOUT_MS }: ServerConfig) => ({ timeout, retries: 0 });

type Finding = Pick<ServerFinding, "ok" | "message" | "status" | "advice">;

/** Advice in terms of variables, where core's is in terms of a client's options. */
const ADVICE: Partial<Record<FleetErrorCode, (variable: string) => string>> = {
  unauthorized: () =>
    "Check FLEET_CLIENT_ID and FLEET_CLIENT_SECRET, which may be swapped, and FLEET_AUTH_SCHEMES if your operator uses other schemes",
  forbidden: () => "Check FLEET_CUSTOMER_ID first; if it is right, ask your account manager to allow this operation for your client id",
  notFound: (variable) => `Check the path in ${variable}, and FLEET_CUSTOMER_ID`,
  timeout: (variable) => `Increase FLEET_TIMEOUT if the service is slow; otherwise check ${variable}`,
  contract: (variable) => `Check that ${variable} leads to the service, then report the difference to its operator`,
};

/** Describes a failure only in our own words: a response may contain a token, and an error's message quotes the response. */
async function failureOf(error: unknown, operation: Operation, config: ServerConfig): Promise<Finding> {
  if (!(error instanceof FleetError)) return { ok: false, message: "internal: unexpected error in Fleetwire" };
  const { code, status } = error;
  // A call may fail for lack of a token.
  const failed = error.operation === operations.requestAccessToken.name ? operations.requestAccessToken : operation;
  const address = serverOf(failed, config);
  const server = failed.servers.find((name) => config.servers[name] !== undefined) ?? "base";
  const variable = serverVariables[server];
  const unreachable =
    code === "network" && address !== undefined ? await connectionFailure(address, variable, optionsOf(config).timeout) : undefined;
  if (unreachable) return { ok: false, ...unreachable };
  const isToken = failed === operations.requestAccessToken && (code === "notFound" || code === "contract");
  const advice = isToken ? TOKEN_ADVICE : (ADVICE[code]?.(variable) ?? error.advice);
  return {
    ok: false,
    message: [code, error.operation, status === undefined ? undefined : `HTTP ${status}`, fleetErrorCodes[code]]
      .filter((part) => part !== undefined)
      .join(": "),
    ...(status !== undefined && { status }),
    ...(advice !== undefined && { advice: singleLine(advice, MAX_ADVICE_LENGTH) }),
  };
}

async function probeRead(operation: Operation, input: unknown, fleet: FleetClient, config: ServerConfig): Promise<Finding> {
  const { name, secretOutput = [] } = operation;
  const startedAt = performance.now();
  try {
    const call = fleet[name as OperationName] as (input: unknown, options: CallOptions) => Promise<Record<string, unknown>>;
    const output = await call(input, optionsOf(config));
    // A status of 200 does not say that a secret was granted.
    const missing = secretOutput.find((field) => !output[field]);
    if (missing !== undefined) throw new FleetError("contract", `${name}: the response has no ${missing}`, { operation: name });
    return { ok: true, message: `responded in ${Math.round(performance.now() - startedAt)} ms` };
  } catch (error) {
    return failureOf(error, operation, config);
  }
}

/** Checks each configured server, and yields what it finds as it goes. Reads are called with the credentials. */
export async function* checkServers(config: ServerConfig, fleet: FleetClient, now: number): AsyncGenerator<ServerFinding> {
  const configured = Object.entries(config.servers).filter(([, address]) => address !== undefined) as [ServerName, string][];
  const offered = new Set<Operation>(toolAvailability(config).flatMap(({ tool, available }) => (available ? tool.operations : [])));
  if (config.servers.auth !== undefined) offered.add(operations.requestAccessToken);
  const options = optionsOf(config);
  let known: Promise<ProbeContext> | undefined;
  /** The input of an operation's cheapest call. If it needs an id, ids are read from live positions once. */
  const inputOf = async ({ probe }: Operation): Promise<unknown> => {
    const input = probe?.({ now: new Date(now) });
    if (input !== undefined || !probe) return input;
    known ??= fleet
      .listLivePositions({}, options)
      .catch(() => [])
      .then((positions) => probeContextOf(positions, new Date(now)));
    return probe(await known);
  };
  let hasToken = true;
  const called: (Finding & { server: ServerName; scheme: string })[] = [];

  /** Why an operation that must not be called cannot work, as the calls before it show. */
  const failureBefore = (operation: Operation, server: ServerName): string | undefined => {
    const scheme = schemeOf(operation, config);
    if (scheme !== "basic" && !hasToken) return "no access token: requestAccessToken failed";
    const alike = called.filter((call) => call.scheme === scheme);
    if (alike.length > 0 && alike.every(({ status }) => status === 401)) return "the credentials were refused in every call";
    const there = alike.filter((call) => call.server === server);
    return there.length > 0 && there.every(({ ok }) => !ok) ? "every call to this server failed" : undefined;
  };

  const checkReachable = async (address: string, server: ServerName, why: string): Promise<Finding> => {
    const failure = await connectionFailure(address, serverVariables[server], options.timeout);
    return failure ? { ok: false, ...failure } : { ok: true, message: `reachable, path not checked: ${why}` };
  };
  const check = async (operation: Operation, server: ServerName, address: string): Promise<Finding> => {
    const input = await inputOf(operation);
    if (input !== undefined) {
      const finding = await probeRead(operation, input, fleet, config);
      called.push({ ...finding, server, scheme: schemeOf(operation, config) });
      return finding;
    }
    const reachable = await checkReachable(address, server, operation.probe ? "it needs an id, and none is known" : "it would change data");
    if (!reachable.ok) return reachable;
    const failure = failureBefore(operation, server);
    return failure === undefined ? reachable : { ok: false, message: failure };
  };

  // One at a time, token service first, so that the first failure explains those that follow.
  for (const [name, address] of configured.toSorted(([a], [b]) => Number(b === "auth") - Number(a === "auth"))) {
    const server = serverVariables[name];
    const sentThere = [...offered]
      .filter((operation) => operation.servers.find((known) => config.servers[known] !== undefined) === name)
      .toSorted((a, b) => Number(!a.probe) - Number(!b.probe));
    for (const operation of sentThere) {
      const finding = await check(operation, name, address);
      if (operation.name === operations.requestAccessToken.name) hasToken = finding.ok;
      yield { server, operation: operation.name, ...finding };
    }
    if (sentThere.length === 0) yield { server, ...(await checkReachable(address, name, "no listed tool uses it")) };
  }
}

interface ToolFinding {
  tool: string;
  listed: boolean;
  /** Whether it is listed and all its checks passed. */
  usable: boolean;
  /** Why it is not usable. */
  why?: string;
}

/** Says which tools are usable after the checks, and why others are not. */
export function toolFindings(config: ServerConfig, servers: readonly ServerFinding[]): ToolFinding[] {
  const failed = new Set(servers.flatMap(({ ok, operation }) => (ok || operation === undefined ? [] : [operation])));
  return toolAvailability(config).map((entry) => {
    const { name: tool, operations: called } = entry.tool;
    if (!entry.available) return { tool, listed: false, usable: false, why: entry.reason };
    const broken = called.filter(({ name }) => failed.has(name)).map(({ name }) => name);
    if (broken.length > 0) return { tool, listed: true, usable: false, why: `${broken.join(" and ")} failed` };
    return { tool, listed: true, usable: true };
  });
}
