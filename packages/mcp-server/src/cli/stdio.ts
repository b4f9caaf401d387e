import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createLog } from "../log.ts";
import { createServerFactory } from "../server.ts";
import type { CommandOptions } from "./environment.ts";
import { createFleet, open, packageVersion } from "./session.ts";

/** The verb `stdio`: serves one host until either ends. */
export async function stdio(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet: createFleet(config, log), config, log, version: packageVersion() });
  const handle = serveStdio(factory, { onerror: ({ name }) => log.error({ error: name }, "protocol") });
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await handle.close();
    await close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  process.stdin.once("end", end).once("close", end);
}
