import { ABORT_GRACE_MS, SHUTDOWN_GRACE_MS, settlesWithin } from "../limits.ts";
import { createLog } from "../log.ts";
import { createServerFactory } from "../server.ts";
import { serveHost } from "../stdio/serve-host.ts";
import { stdioTransport } from "../stdio/stdio-transport.ts";
import type { CommandOptions } from "./environment.ts";
import { createFleet, EXIT_FAILED, open, packageVersion } from "./session.ts";

/** Runs the `stdio` verb: serves one host until a stream ends or a signal arrives, then exits, even if calls are still in flight. */
export async function stdio(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet: createFleet(config, log), config, log, version: packageVersion() });
  // biome-ignore lint/plugin: the protocol itself is what stdout is reserved for
  const transport = stdioTransport(process.stdin, process.stdout, log);
  // A host that exits closes stderr too; that must not interrupt a write.
  process.stderr.on("error", () => {});
  // A second signal has no listener, so it ends the process immediately.
  const signalled = new Promise<"signalled">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve("signalled"));
  });
  const handle = serveHost(factory, transport, log);

  const why = await Promise.race([transport.ended, signalled]);
  await settlesWithin(SHUTDOWN_GRACE_MS, transport.drain().then(factory.writesSettled));
  // Aborted calls may still log their outcomes, but must not keep the process alive.
  const stopped = Promise.allSettled([handle.close(), close()]);
  await settlesWithin(ABORT_GRACE_MS, Promise.all([stopped, new Promise((resolve) => setTimeout(resolve, ABORT_GRACE_MS / 2))]));
  process.exit(why === "broken" ? EXIT_FAILED : 0);
}
