import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { GRACE_MS, LAST_WORDS_MS, within } from "../limits.ts";
import { createLog } from "../log.ts";
import { createServerFactory } from "../server.ts";
import { stdioTransport } from "../stdio/stdio-transport.ts";
import type { CommandOptions } from "./environment.ts";
import { createFleet, EXIT_FAILED, open, packageVersion } from "./session.ts";

/** The verb `stdio`: serves one host until either ends. The process ends with the connection, whatever is still under way. */
export async function stdio(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet: createFleet(config, log), config, log, version: packageVersion() });
  // biome-ignore lint/plugin: this is the protocol, which stdout belongs to
  const transport = stdioTransport(process.stdin, process.stdout, log);
  // A host that is gone took stderr along; that must not cut the end of a write short.
  process.stderr.on("error", () => {});
  // A second signal finds no listener, and ends the process at once.
  const signalled = new Promise<"signalled">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve("signalled"));
  });
  const handle = serveStdio(factory, { transport, onerror: ({ name }) => log.error({ error: name }, "protocol") });

  const why = await Promise.race([transport.ended, signalled]);
  await within(GRACE_MS, transport.drain().then(factory.writesSettled));
  // What is aborted now may still log how it ended, and nothing of this may keep the process.
  const stopped = Promise.allSettled([handle.close(), close()]);
  await within(LAST_WORDS_MS, Promise.all([stopped, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS / 2))]));
  process.exit(why === "broken" ? EXIT_FAILED : 0);
}
