import { CONSOLE_PATH, deferredConsole, recentRequests } from "../http/console.ts";
import { loopbackAddress } from "../http/loopback.ts";
import { type HttpService, serveHttp } from "../http/serve-http.ts";
import { ABORT_GRACE_MS, settlesWithin } from "../limits.ts";
import { createLog } from "../log.ts";
import { createServerFactory } from "../server.ts";
import { createFleet } from "./create-fleet.ts";
import { packageVersion } from "./package-version.ts";
import { EXIT_USAGE, fail, notify } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";
import { open } from "./session.ts";

const LISTEN_PROBLEMS = new Map([
  ["EADDRINUSE", "is in use; choose another --port, or 0 for a free one"],
  ["EACCES", "requires privileges that this user lacks; choose another --port, or 0 for a free one"],
  ["EADDRNOTAVAIL", "cannot be opened: this machine does not have the --host address; omit --host"],
]);

export type HttpOptions = CommandOptions & { host: string; port: never };

async function listen(options: Parameters<typeof serveHttp>[0]): Promise<HttpService> {
  try {
    return await serveHttp(options);
  } catch (error) {
    const problem = LISTEN_PROBLEMS.get((error as NodeJS.ErrnoException).code ?? "");
    if (problem === undefined) throw error;
    return fail(`port ${options.port} ${problem}`, EXIT_USAGE);
  }
}

/** Runs the `http` verb: serves over HTTP until a signal ends the process. */
export async function serveOverHttp({ host, port, ...options }: HttpOptions): Promise<void> {
  const address = loopbackAddress(host);
  if (address === undefined) {
    return fail(
      `--host ${host} is reachable from other machines, and callers are not authenticated yet: anyone could use your credentials. Use 127.0.0.1 or another address in 127.0.0.0/8, ::1 or localhost`,
      EXIT_USAGE,
    );
  }
  const { config, close } = await open(options);
  const log = createLog(config.log);
  const requests = recentRequests();
  const fleet = createFleet(config, log, { onResponse: requests.add });
  const factory = createServerFactory({ fleet, config, log, version: packageVersion() });
  const page = factory.console && deferredConsole({ fleet: factory.console, requests, config });
  const service = await listen({ factory, page, host: address, port, log });
  notify(`console at ${new URL(CONSOLE_PATH, service.url)}`);
  notify(`ready at ${service.url}`);
  const end = async () => {
    await service.close();
    await settlesWithin(ABORT_GRACE_MS, close());
    // Open handles must not keep the process alive with the credentials in memory.
    process.exit(0);
  };
  // A second signal has no listener, so it ends the process immediately.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
}
