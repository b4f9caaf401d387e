import {
  type CallOptions,
  type FleetClient,
  FleetError,
  fleetErrorCodes,
  type Operation,
  type OperationName,
  operations,
  type ProbeContext,
  type ServerName,
} from "@fleetwire/core";
import { instantAmong, probeContextOf, selectsByDate, serverVariables } from "@fleetwire/core/internal";
import { toolAvailability } from "@fleetwire/tools";
import { singleLine } from "@fleetwire/tools/host";
import { withTimeout } from "../limits.ts";
import type { ServerConfig } from "../server-config.ts";

interface ToolFinding {
  tool: string;
  listed: boolean;
  /** Why it is not listed. */
  why?: string;
}

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

interface HostFinding {
  host: string;
  write: string;
}

interface Diagnosis {
  ok: boolean;
  /** Set with --sandbox: the embedded sandbox was checked, not the servers in the environment. */
  sandbox?: true;
  tools: ToolFinding[];
  /** What happens to a write, by kind of host; absent if no write tool is listed. */
  writes?: HostFinding[];
  servers: ServerFinding[];
}

/** What happens to a write in each kind of host, by FLEET_CONFIRM. */
const HOSTS: Record<ServerConfig["confirm"], readonly HostFinding[]> = {
  auto: [
    { host: "asks its user (elicitation)", write: "sent once the user approves exactly what is shown" },
    { host: "declares elicitation but runs headless", write: "never sent, since the host replies without asking; use --confirm never" },
    { host: "does not support elicitation", write: "previewed, then sent when the call is repeated with the confirmation" },
    { host: "starts a process for each call", write: "as above if FLEET_SEAL_KEY is set; otherwise confirmations are never accepted" },
  ],
  never: [{ host: "any", write: "sent at once; with FLEET_CONFIRM=never, approval is up to the host" }],
};

const TIMEOUT_MS = 10_000;
const MAX_ADVICE_LENGTH = 300;

const TOKEN_ADVICE = "Check FLEET_AUTH_URL and FLEET_TOKEN_PATH; real deployments use a different first path segment";

/** Throws if a response lacks the secret it should contain, even if its status is 200. */
function checkSecret({ name, secretOutput = [] }: Operation, output: unknown): void {
  const missing = secretOutput.find((field) => !(output as Record<string, unknown>)[field]);
  if (missing === undefined) return;
  const advice = name === operations.requestAccessToken.name ? { advice: TOKEN_ADVICE } : {};
  throw new FleetError("contract", `${name}: the response has no ${missing}`, { operation: name, ...advice });
}

// No retries, so that intermittent failures show.
const OPTIONS: CallOptions = { timeout: TIMEOUT_MS, retries: 0 };

type Call = (input: unknown, options: CallOptions) => Promise<unknown>;

/** Builds the input for each operation's cheapest call. If any call needs an id, ids are read from live positions once. */
function probeInputs(fleet: FleetClient, now: Date): (operation: Operation) => Promise<unknown> {
  let known: Promise<ProbeContext> | undefined;
  const readKnown = async (): Promise<ProbeContext> => {
    const positions = await fleet.listLivePositions({}, OPTIONS).catch(() => []);
    return probeContextOf(positions, now);
  };
  return async ({ probe }) => {
    const input = probe?.({ now });
    if (input !== undefined || !probe) return input;
    known ??= readKnown();
    return probe(await known);
  };
}

/** Describes a failure only in our own words: a response may contain a token, and an error's message quotes the response. */
function problemOf(error: unknown): Pick<ServerFinding, "message" | "status" | "advice"> {
  if (!(error instanceof FleetError)) return { message: "internal: unexpected error in Fleetwire" };
  const { code, status, operation } = error;
  const advice = operation === operations.requestAccessToken.name && code === "notFound" ? TOKEN_ADVICE : error.advice;
  return {
    message: [code, operation, status === undefined ? undefined : `HTTP ${status}`, fleetErrorCodes[code]]
      .filter((part) => part !== undefined)
      .join(": "),
    ...(status !== undefined && { status }),
    ...(advice !== undefined && { advice: singleLine(advice, MAX_ADVICE_LENGTH) }),
  };
}

/** Checks whether a server responds at all, without sending credentials. */
async function checkReachable(address: string, message: string): Promise<Pick<ServerFinding, "ok" | "message" | "advice">> {
  try {
    await withTimeout(TIMEOUT_MS, (signal) => fetch(new URL(address).origin, { method: "HEAD", redirect: "manual", signal }));
    return { ok: true, message };
  } catch {
    return { ok: false, message: "network: no response", advice: "Check the server URL and the network, then try again" };
  }
}

async function probeRead(
  operation: Operation,
  input: unknown,
  fleet: FleetClient,
): Promise<Pick<ServerFinding, "ok" | "message" | "status" | "advice">> {
  const startedAt = performance.now();
  try {
    checkSecret(operation, await (fleet[operation.name as OperationName] as Call)(input, OPTIONS));
    return { ok: true, message: `responded in ${Math.round(performance.now() - startedAt)} ms` };
  } catch (error) {
    return { ok: false, ...problemOf(error) };
  }
}

/** Checks the assumption behind FLEET_FULL_READ_SECONDS by reading the whole fleet and then part of it. */
async function checkChanges(fleet: FleetClient): Promise<Pick<ServerFinding, "ok" | "message" | "status" | "advice">> {
  try {
    const all = await fleet.listLivePositions({}, OPTIONS);
    const from = instantAmong(all);
    if (!from) return { ok: true, message: "unknown whether fromDateTime selects by date: too few vehicles" };
    if (selectsByDate(all, await fleet.listLivePositions({ fromDateTime: from }, OPTIONS), from)) {
      return { ok: true, message: "fromDateTime selects by date" };
    }
    return { ok: false, message: "fromDateTime does not select by date", advice: "Unset FLEET_FULL_READ_SECONDS: it would miss changes" };
  } catch (error) {
    return { ok: false, ...problemOf(error) };
  }
}

/** Reports which tools are listed, why others are not, and whether each configured server responds. Reads are called with the credentials. */
export async function diagnose(config: ServerConfig, fleet: FleetClient, now: number): Promise<Diagnosis> {
  const availability = toolAvailability(config);
  const configured = Object.entries(config.servers).filter(([, address]) => address !== undefined) as [ServerName, string][];
  const offered = new Set<Operation>(availability.flatMap(({ tool, available }) => (available ? tool.operations : [])));
  if (config.servers.auth !== undefined) offered.add(operations.requestAccessToken);

  const inputOf = probeInputs(fleet, new Date(now));
  const servers: ServerFinding[] = [];
  // One at a time, token service first, so that the first failure explains those that follow.
  for (const [name, address] of configured.toSorted(([a], [b]) => Number(b === "auth") - Number(a === "auth"))) {
    const server = serverVariables[name];
    const sentThere = [...offered].filter((operation) => operation.servers.find((known) => config.servers[known] !== undefined) === name);
    for (const operation of sentThere) {
      const input = await inputOf(operation);
      const reason = operation.probe ? "it needs an id, and none is known" : "it would change data";
      const finding =
        input === undefined
          ? await checkReachable(address, `reachable; not called, since ${reason}`)
          : await probeRead(operation, input, fleet);
      servers.push({ server, operation: operation.name, ...finding });
      if (config.fullReadSeconds > 0 && finding.ok && operation === operations.listLivePositions) {
        servers.push({ server, operation: operation.name, ...(await checkChanges(fleet)) });
      }
    }
    if (sentThere.length === 0) servers.push({ server, ...(await checkReachable(address, "reachable; no listed tool uses it")) });
  }
  return {
    ok: servers.every(({ ok }) => ok),
    ...(config.sandbox && { sandbox: true }),
    tools: availability.map((entry) => ({
      tool: entry.tool.name,
      listed: entry.available,
      ...(!entry.available && { why: entry.reason }),
    })),
    ...(availability.some(({ tool, available }) => available && tool.effect !== "read") && { writes: [...HOSTS[config.confirm]] }),
    servers,
  };
}
