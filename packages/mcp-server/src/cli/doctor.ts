import {
  type CallOptions,
  type FleetClient,
  FleetError,
  fleetErrorCodes,
  type Operation,
  type OperationName,
  operations,
  type ProbeContext,
  probeContextOf,
  type ServerName,
  serverVariables,
} from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import { singleLine } from "@fleetwire/tools/host";
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
  /** The operation that was tried, or would be sent there. */
  operation?: string;
  ok: boolean;
  said: string;
  /** HTTP status, where an answer came that would not do. */
  status?: number;
  advice?: string;
}

interface HostFinding {
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

const TOKEN_ADVICE = "Check FLEET_AUTH_URL, and FLEET_TOKEN_PATH: its first segment is another word in real deployments";

/** A response that lacks the secret it is asked for is of no use, whatever its status. */
function checkSecret({ name, secretOutput = [] }: Operation, output: unknown): void {
  const lacking = secretOutput.find((field) => !(output as Record<string, unknown>)[field]);
  if (lacking === undefined) return;
  const advice = name === operations.requestAccessToken.name ? { advice: TOKEN_ADVICE } : {};
  throw new FleetError("contract", `${name}: the response holds no ${lacking}`, { operation: name, ...advice });
}

// Without retries: what fails now and then is to be seen.
const OPTIONS: CallOptions = { timeout: TIMEOUT_MS, retries: 0 };

type Call = (input: unknown, options: CallOptions) => Promise<unknown>;

/** The inputs of the operations' cheapest calls; the live positions are asked for ids at most once, and only where a call needs one. */
export function probeInputs(fleet: FleetClient, now: Date): (operation: Operation) => Promise<unknown> {
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
    ...(advice !== undefined && { advice: singleLine(advice, LONGEST) }),
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

async function tryRead(
  operation: Operation,
  input: unknown,
  fleet: FleetClient,
): Promise<Pick<ServerFinding, "ok" | "said" | "status" | "advice">> {
  const startedAt = performance.now();
  try {
    checkSecret(operation, await (fleet[operation.name as OperationName] as Call)(input, OPTIONS));
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

  const inputOf = probeInputs(fleet, new Date(now));
  const servers: ServerFinding[] = [];
  // One after the other and by server, the token first: the first failure then explains those that follow.
  for (const [name, address] of configured.toSorted(([a], [b]) => Number(b === "auth") - Number(a === "auth"))) {
    const server = serverVariables[name];
    const sentThere = [...offered].filter((operation) => operation.servers.find((known) => config.servers[known] !== undefined) === name);
    for (const operation of sentThere) {
      const input = await inputOf(operation);
      const unasked = operation.probe ? "nothing is known that it could ask about" : "it would change something";
      const finding =
        input === undefined ? await knock(address, `answers; not called, for ${unasked}`) : await tryRead(operation, input, fleet);
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
      ...(!entry.available && { why: entry.reason }),
    })),
    ...(availability.some(({ tool, available }) => available && tool.effect !== "read") && { writes: [...HOSTS[config.confirm]] }),
    servers,
  };
}
