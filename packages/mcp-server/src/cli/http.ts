import { FleetError } from "@fleetwire/core";
import { CONSOLE_PATH } from "../http/access.ts";
import { knownVariables } from "../http/http-variables.ts";
import { CALLER_LIMITS, HTTP_LIMITS, type HttpLimits } from "../http/limits.ts";
import { type HttpService, type ServiceOptions, serve } from "../http/serve-http.ts";
import { ABORT_GRACE_MS, settlesWithin } from "../limits.ts";
import { createLog, type ProcessLog } from "../log.ts";
import { withPackage } from "../optional-package.ts";
import type { SharedState } from "../replicas/shared-state.ts";
import { startTelemetry, type Telemetry } from "../telemetry/start-telemetry.ts";
import { accessOf } from "./http-access.ts";
import { type HttpConfig, httpConfigFromEnv, REDIS_CLIENT } from "./http-config.ts";
import { EXIT_FAILED, EXIT_USAGE, fail, notify, packageVersion, printLinesAsJson } from "./print.ts";
import { type CommandOptions, failConfiguration, openRuntime, type Runtime } from "./runtime.ts";

const LISTEN_PROBLEMS = new Map([
  ["EADDRINUSE", "is in use; choose another --port, or 0 for a free one"],
  ["EACCES", "requires privileges that this user lacks; choose another --port, or 0 for a free one"],
  ["EADDRNOTAVAIL", "cannot be opened: this machine does not have the --host address; omit --host"],
  ["ENOTFOUND", "cannot be opened: the --host name is unknown; use an address"],
]);

export type HttpOptions = CommandOptions & { host: string; port: number };

async function listen(options: ServiceOptions): Promise<HttpService> {
  try {
    return await serve(options);
  } catch (error) {
    const problem = LISTEN_PROBLEMS.get((error as NodeJS.ErrnoException).code ?? "");
    if (problem === undefined) throw error;
    return fail(`port ${options.port} ${problem}`, EXIT_USAGE);
  }
}

/** Reads the configuration, and exits the process if it is invalid. */
const open = (options: CommandOptions, host: string): Promise<Runtime<HttpConfig>> =>
  openRuntime(
    options,
    (env) => {
      const config = httpConfigFromEnv(env, host);
      if (!options.sandbox || !config.tenants) return config;
      throw new FleetError("config", "configuration: --sandbox supports only one customer", { advice: "Remove FLEET_TENANTS_FILE" });
    },
    knownVariables,
  );

function limitsOf({ callerAuth, tenants, values }: HttpConfig): HttpLimits {
  if (callerAuth === "none") return HTTP_LIMITS;
  const { FLEET_CALLER_RATE: callerRate = CALLER_LIMITS.callerRate, FLEET_CALLER_CONCURRENCY: concurrency } = values;
  const requestsPerCustomer = tenants === undefined ? CALLER_LIMITS.requests : CALLER_LIMITS.requestsPerCustomer;
  return { ...CALLER_LIMITS, callerRate, requestsPerCustomer, requestsPerCaller: concurrency ?? CALLER_LIMITS.requestsPerCaller };
}

function allowedBy({ callerAuth, values }: HttpConfig): ServiceOptions["allowed"] {
  const { FLEET_PUBLIC_URL: url, FLEET_ALLOWED_ORIGINS: origins = [] } = values;
  return { hosts: url === undefined ? [] : [url.hostname.toLowerCase()], origins, localPages: callerAuth === "none" };
}

/** Connects to the state shared by replicas. Desktop users need no Redis client, so it is an optional peer dependency. */
async function sharedBy({ redis }: HttpConfig, log: ProcessLog): Promise<SharedState | undefined> {
  if (redis === undefined) return undefined;
  const { shareThrough } = await withPackage(REDIS_CLIENT, () => import("../replicas/shared-state.ts"));
  return shareThrough(redis.url, redis.sealKey, log);
}

const framesOf = ({ stack = "", message }: Error) =>
  stack
    .replace(message, "")
    .split("\n")
    .flatMap((line) => /^ {4}(at .*)/.exec(line)?.[1] ?? []);

/** Logs what Node would print as plain text between the lines of the log, without messages, which may quote what a caller sent. */
function logProcessFailures(log: ProcessLog): void {
  process.removeAllListeners("warning").on("warning", (warning) => {
    log.warn({ warning: warning.name, at: framesOf(warning) }, "process warning");
  });
  process.on("uncaughtException", (error) => {
    log.error({ error: error?.name, ...(error instanceof Error && { at: framesOf(error) }) }, "uncaught error");
    process.exit(EXIT_FAILED);
  });
}

/** Runs the `http` verb: serves over HTTP until a signal ends the process. */
export async function serveOverHttp({ host, port, ...options }: HttpOptions): Promise<void> {
  // Whoever starts the server in a terminal reads sentences; anything else collects a log.
  if (!process.stderr.isTTY) printLinesAsJson(packageVersion());
  const { config, close } = await open(options, host);
  const log = createLog(config.log);
  if (config.log !== "silent") logProcessFailures(log);
  const limits = limitsOf(config);
  let shared: SharedState | undefined;
  let telemetry: Telemetry | undefined;
  let access: ServiceOptions["access"];
  try {
    telemetry = await startTelemetry(process.env, packageVersion(), log);
    shared = await sharedBy(config, log);
    access = accessOf(config, log, limits, shared, telemetry);
  } catch (error) {
    await close();
    return failConfiguration(error);
  }
  const service = await listen({
    access,
    allowed: allowedBy(config),
    limits,
    proxies: config.values.FLEET_TRUSTED_PROXIES,
    host: config.address,
    port,
    log,
    shared,
    version: packageVersion(),
  });
  if (access.page || access.teamPage) notify(`console at ${new URL(CONSOLE_PATH, service.url)}`);
  notify(`ready at ${service.url}`);
  const end = async () => {
    await service.close();
    await shared?.close();
    await telemetry?.close();
    await settlesWithin(ABORT_GRACE_MS, close());
    // Open handles must not keep the process alive with the credentials in memory.
    process.exit(0);
  };
  // A second signal has no listener, so it ends the process immediately.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
}
