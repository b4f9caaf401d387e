import "./without-compiled-schemas.ts";
import type { Environment } from "@fleetwire/core";
import { selectTools } from "@fleetwire/tools/host";
import { ABORT_GRACE_MS, SHUTDOWN_GRACE_MS, settlesWithin } from "../limits.ts";
import { deferredLog } from "../log.ts";
import { serverFactoryOf } from "../mcp/server-factory.ts";
import { type ServerConfig, serverConfigFromEnv } from "../server-config.ts";
import { serveHost } from "../stdio/serve-host.ts";
import { stdioTransport } from "../stdio/stdio-transport.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { deferredTools } from "./deferred-tools.ts";
import { EXIT_FAILED, packageVersion } from "./print.ts";
import { type CommandOptions, deferRuntime, failConfiguration } from "./runtime.ts";
import { toolDefinitions } from "./start-data.ts";

/** Reads the configuration, and checks that it names tools that exist. */
function checkedConfig(env: Environment): ServerConfig {
  const config = serverConfigFromEnv(env);
  selectTools(config, toolDefinitions);
  return config;
}

/** Runs the `stdio` verb: serves one host until a stream ends or a signal arrives, then exits, even if calls are still in flight. */
export async function stdio(options: CommandOptions): Promise<void> {
  const { config, connect, close } = deferRuntime(options, checkedConfig);
  const log = deferredLog(config.log);
  const version = packageVersion();
  const telemetry = await startTelemetry(process.env, version, log).catch(failConfiguration);
  const tools = deferredTools(config, async () => {
    const { loadTools } = await import("./load-tools.ts");
    return loadTools(await connect(), log, telemetry);
  });
  const factory = serverFactoryOf(tools, config, version, telemetry?.observeRequest);
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
  await telemetry?.close();
  process.exit(why === "broken" ? EXIT_FAILED : 0);
}
