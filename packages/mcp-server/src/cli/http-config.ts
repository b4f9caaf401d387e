import { type Environment, FleetError, readVariables } from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import { type HttpValues, httpVariables, knownVariables } from "../http/http-variables.ts";
import { loopbackAddress } from "../http/trusted-proxies.ts";
import { customerVariables, environmentVariables, type ServerConfig, serverConfigOf } from "../server-config.ts";
import { readTenants, type Tenant } from "../tenants/tenants-file.ts";

const { FLEET_LOG, FLEET_SEAL_KEY } = environmentVariables;

export const REDIS_CLIENT = {
  name: "@redis/client",
  neededBy: "configuration: FLEET_REDIS_URL needs",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server @redis/client@6",
};

/** The Redis through which replicas share state, and the key that encrypts it. */
export function sharedRedis(url: string | undefined, sealKey: string | undefined): { url: string; sealKey: string } | undefined {
  if (url === undefined) return undefined;
  if (sealKey !== undefined) return { url, sealKey };
  throw new FleetError("config", "configuration: FLEET_REDIS_URL needs FLEET_SEAL_KEY, the same for all replicas", {
    advice: "Create one with: openssl rand -base64 32",
  });
}

export interface HttpConfig {
  values: HttpValues;
  callerAuth: "none" | "token" | "oauth";
  log: ServerConfig["log"];
  /** The only customer's settings. */
  server?: ServerConfig;
  /** Several customers. */
  tenants?: readonly Tenant[];
  /** The address to listen on. */
  address: string;
  /** Set by openRuntime with --sandbox. */
  sandbox?: boolean;
  /** Encrypts the console's cookies. */
  sealKey?: string | undefined;
  redis?: ReturnType<typeof sharedRedis>;
}

const REQUIRED = {
  none: [],
  token: ["FLEET_TOKENS_FILE"],
  oauth: ["FLEET_OAUTH_ISSUER", "FLEET_PUBLIC_URL"],
} as const satisfies Record<HttpConfig["callerAuth"], readonly (keyof HttpValues)[]>;

/** The settings that have no effect with another FLEET_CALLER_AUTH. If they are set, another mode was meant. */
const MEANINGLESS = {
  none: [
    "FLEET_PUBLIC_URL",
    "FLEET_TOKENS_FILE",
    "FLEET_OAUTH_ISSUER",
    "FLEET_OAUTH_AUDIENCE",
    "FLEET_TENANTS_FILE",
    "FLEET_TENANT_CLAIM",
    "FLEET_CONSOLE_CLIENT_ID",
    "FLEET_CALLER_RATE",
    "FLEET_CALLER_CONCURRENCY",
  ],
  token: ["FLEET_OAUTH_ISSUER", "FLEET_OAUTH_AUDIENCE", "FLEET_TENANT_CLAIM", "FLEET_CONSOLE_CLIENT_ID"],
  oauth: ["FLEET_TOKENS_FILE"],
} as const satisfies Record<HttpConfig["callerAuth"], readonly (keyof HttpValues)[]>;

function checkCombination(values: HttpValues, callerAuth: HttpConfig["callerAuth"]): void {
  const missing = REQUIRED[callerAuth].filter((name) => values[name] === undefined);
  const meaningless = MEANINGLESS[callerAuth].filter((name) => values[name] !== undefined);
  const hasClaimOnly = callerAuth === "oauth" && values.FLEET_TENANT_CLAIM !== undefined && values.FLEET_TENANTS_FILE === undefined;
  const problems = [
    ...missing.map((name) => `FLEET_CALLER_AUTH=${callerAuth} needs ${name}`),
    ...meaningless.map((name) => `${name} has no effect with FLEET_CALLER_AUTH=${callerAuth}`),
    // A replica knows nothing of the events of another one.
    ...(values.FLEET_RULES && values.FLEET_REDIS_URL ? ["FLEET_RULES has no effect with FLEET_REDIS_URL"] : []),
    ...(hasClaimOnly ? ["FLEET_TENANT_CLAIM has no effect without FLEET_TENANTS_FILE"] : []),
  ];
  if (problems.length > 0)
    throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Set or remove these variables" });
}

/** Returns the address to listen on. Only loopback is safe if callers are not authenticated. */
function addressOf(host: string, { FLEET_PUBLIC_URL }: HttpValues, callerAuth: HttpConfig["callerAuth"]): string {
  const loopback = loopbackAddress(host);
  if (loopback !== undefined) return loopback;
  if (callerAuth === "none") {
    const problem = `--host ${host} is reachable from other machines, and with FLEET_CALLER_AUTH=none anyone there could use your credentials`;
    const advice = "Use 127.0.0.1 or another address in 127.0.0.0/8, ::1 or localhost, or FLEET_CALLER_AUTH=token or oauth";
    throw new FleetError("config", problem, { advice });
  }
  if (FLEET_PUBLIC_URL === undefined)
    throw new FleetError("config", `--host ${host} needs FLEET_PUBLIC_URL, so that requests for other hosts can be rejected`);
  return host;
}

/** Reads the configuration of `fleetwire-mcp http` from variables. */
export function httpConfigFromEnv(env: Environment, host: string): HttpConfig {
  const own = readVariables(env, { ...httpVariables, FLEET_LOG, FLEET_SEAL_KEY }, Object.keys(knownVariables));
  const { FLEET_CALLER_AUTH: callerAuth = "none", FLEET_LOG: log = "warn", FLEET_TENANTS_FILE: tenantsFile, FLEET_SEAL_KEY: sealKey } = own;
  const address = addressOf(host, own, callerAuth);
  checkCombination(own, callerAuth);
  const common = { values: own, callerAuth, log, address, sealKey, redis: sharedRedis(own.FLEET_REDIS_URL, sealKey) };
  if (tenantsFile !== undefined) return { ...common, tenants: readTenants(tenantsFile, env) };
  const server = serverConfigOf({ ...readVariables(env, customerVariables, Object.keys(knownVariables)), FLEET_LOG: log });
  toolAvailability(server);
  return { ...common, server };
}
