import {
  type CallOptions,
  type FleetClient,
  FleetError,
  fleetErrorCodes,
  type Operation,
  type OperationName,
  operations,
  type ServerName,
  serverVariables,
} from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import { plainText } from "@fleetwire/tools/host";
import type { ServerConfig } from "../server-config.ts";

export interface ToolFinding {
  tool: string;
  listed: boolean;
  /** Why it is not listed. */
  why?: string;
}

export interface ServerFinding {
  /** The variable that configures the server. */
  server: (typeof serverVariables)[ServerName];
  /** The operation that was tried, or would be sent there. */
  operation?: string;
  ok: boolean;
  said: string;
  /** HTTP status, where an answer came that would not do. */
  status?: number;
  advice?: string;
}

export interface HostFinding {
  host: string;
  write: string;
}

export interface Diagnosis {
  ok: boolean;
  /** The servers are the embedded sandbox's, and nothing is said of those in the environment. */
  sandbox?: true;
  tools: ToolFinding[];
  /** What becomes of a write, by what the host can do; absent where no tool that writes is listed. */
  writes?: HostFinding[];
  servers: ServerFinding[];
}

/** What each kind of host does with a write, by FLEET_CONFIRM. */
const HOSTS: Record<ServerConfig["confirm"], readonly HostFinding[]> = {
  auto: [
    { host: "asks its user (elicitation)", write: "sent on a yes to exactly what is shown" },
    { host: "says that it asks, and runs headless", write: "never sent, for the host replies by itself; use --confirm never" },
    { host: "has no elicitation", write: "a preview first; sent when the same call brings its confirmation back" },
    { host: "starts a process for each call", write: "as above, with FLEET_SEAL_KEY set; without it no confirmation fits" },
  ],
  never: [{ host: "any", write: "sent at once: FLEET_CONFIRM=never leaves approval to the host" }],
};

const TIMEOUT_MS = 10_000;
const LONGEST = 300;
const MINUTE_MS = 60_000;

const TOKEN_ADVICE = "Check FLEET_AUTH_URL, and FLEET_TOKEN_PATH: its first segment is another word in real deployments";

/** A response without a token is of no use, whatever its status. */
async function requestToken(fleet: FleetClient, options: CallOptions): Promise<void> {
  const { accessToken } = await fleet.requestAccessToken({}, options);
  if (accessToken) return;
  const operation = operations.requestAccessToken.name;
  throw new FleetError("contract", `${operation}: the response holds no token`, { operation, advice: TOKEN_ADVICE });
}

type Read = (fleet: FleetClient, now: number, options: CallOptions) => Promise<unknown>;

/** The cheapest call of each operation that only reads. */
const READS: { [Name in OperationName]?: Read } = {
  requestAccessToken: (fleet, _, options) => requestToken(fleet, options),
  listLivePositions: (fleet, now, options) => fleet.listLivePositions({ fromDateTime: new Date(now) }, options),
  listVehicleFaults: (fleet, _, options) => fleet.listVehicleFaults({ pageSize: 1, pageIndex: 0 }, options),
  queryTachoActivity: (fleet, now, options) =>
    fleet.queryTachoActivity({ startTime: new Date(now - MINUTE_MS), endTime: new Date(now), limit: 1 }, options),
  listTireEvents: (fleet, _, options) => fleet.listTireEvents({}, options),
  listJobs: (fleet, _, options) => fleet.listJobs({}, options),
};

/** In our words alone: what a service answers may hold a token, and its message holds what the service answered. */
function problemOf(error: unknown): Pick<ServerFinding, "said" | "status" | "advice"> {
  if (!(error instanceof FleetError)) return { said: "internal: Fleetwire failed; nothing more is known" };
  const { code, status, operation } = error;
  const advice = operation === operations.requestAccessToken.name && code === "notFound" ? TOKEN_ADVICE : error.advice;
  return {
    said: [code, operation, status === undefined ? undefined : `HTTP ${status}`, fleetErrorCodes[code]]
      .filter((part) => part !== undefined)
      .join(": "),
    ...(status !== undefined && { status }),
    ...(advice !== undefined && { advice: plainText(advice, LONGEST) }),
  };
}

/** Whether anything answers at a server, without credentials. */
async function knock(address: string, said: string): Promise<Pick<ServerFinding, "ok" | "said" | "advice">> {
  try {
    await fetch(new URL(address).origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { ok: true, said };
  } catch {
    return { ok: false, said: "network: nothing answers there", advice: "Check the server's address and the network, then try again" };
  }
}

async function tryRead(read: Read, fleet: FleetClient, now: number): Promise<Pick<ServerFinding, "ok" | "said" | "status" | "advice">> {
  const startedAt = performance.now();
  try {
    // Without retries: what fails now and then is to be seen.
    await read(fleet, now, { timeout: TIMEOUT_MS, retries: 0 });
    return { ok: true, said: `answered in ${Math.round(performance.now() - startedAt)} ms` };
  } catch (error) {
    return { ok: false, ...problemOf(error) };
  }
}

/** Why each tool is listed or not, and whether every configured server answers, with these credentials where something can be read. */
export async function diagnose(config: ServerConfig, fleet: FleetClient, now: number): Promise<Diagnosis> {
  const availability = toolAvailability(config);
  const configured = Object.entries(config.servers) as [ServerName, string][];
  const offered = new Set<Operation>(availability.flatMap(({ tool, available }) => (available ? tool.operations : [])));
  if (config.servers.auth !== undefined) offered.add(operations.requestAccessToken);

  const servers: ServerFinding[] = [];
  // One after the other and by server, the token first: the first failure then explains those that follow.
  for (const [name, address] of configured.toSorted(([a], [b]) => Number(b === "auth") - Number(a === "auth"))) {
    const server = serverVariables[name];
    const sentThere = [...offered].filter((operation) => operation.servers.find((known) => config.servers[known] !== undefined) === name);
    for (const operation of sentThere) {
      const read = READS[operation.name as OperationName];
      const finding = read ? await tryRead(read, fleet, now) : await knock(address, "answers; not called, for it would change something");
      servers.push({ server, operation: operation.name, ...finding });
    }
    if (sentThere.length === 0) servers.push({ server, ...(await knock(address, "answers; no tool that is listed needs it")) });
  }
  return {
    ok: servers.every(({ ok }) => ok),
    ...(config.sandbox && { sandbox: true }),
    tools: availability.map((entry) => ({
      tool: entry.tool.name,
      listed: entry.available,
      ...(!entry.available && { why: entry.why }),
    })),
    ...(availability.some(({ tool, available }) => available && tool.effect !== "read") && { writes: [...HOSTS[config.confirm]] }),
    servers,
  };
}
