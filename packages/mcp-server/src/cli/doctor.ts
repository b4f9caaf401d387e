import { textColumns } from "@fleetwire/core/internal";
import { createLog } from "../log.ts";
import { createFleet } from "./create-fleet.ts";
import { diagnose, type ServerFinding } from "./diagnose.ts";
import { EXIT_FAILED, print } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";
import { open } from "./session.ts";

/** Returns the advice on failures, without repeating any. */
function adviceLines(servers: readonly ServerFinding[]): string[] {
  const affected = new Map<string, string[]>();
  for (const { server, operation, advice } of servers) {
    if (advice !== undefined) affected.set(advice, [...(affected.get(advice) ?? []), operation ?? server]);
  }
  return [...affected].map(([advice, names]) => `- ${names.join(", ")}: ${advice}`);
}

/** Prints which tools are listed, why others are not, and whether the service responds. */
export async function doctor({ json, ...options }: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  try {
    const diagnosis = await diagnose(config, createFleet(config, createLog(config.log)), Date.now());
    if (!diagnosis.ok) process.exitCode = EXIT_FAILED;
    if (json) return print(JSON.stringify(diagnosis, null, 2));
    const { tools, servers, sandbox, writes } = diagnosis;
    const failed = servers.filter(({ ok }) => !ok).length;
    const todo = adviceLines(servers);
    if (sandbox) print("Sandbox: only the made-up fleet's servers were checked, not those in your environment.\n");
    print(textColumns([["tool", "listed", ""], ...tools.map(({ tool, listed, why = "" }) => [tool, listed ? "yes" : "no", why])]));
    print("");
    if (writes) print(`${textColumns([["host", "writes"], ...writes.map(({ host, write }) => [host, write])])}\n`);
    print(
      textColumns([
        ["server", "operation", "ok", ""],
        ...servers.map(({ server, operation = "", ok, message }) => [server, operation, ok ? "yes" : "NO", message]),
      ]),
    );
    print(`\n${failed === 0 ? `All checks passed${sandbox ? " in the sandbox" : ""}.` : `${failed} of ${servers.length} checks failed.`}`);
    if (todo.length > 0) print(`What to do:\n${todo.join("\n")}`);
  } finally {
    await close();
  }
}
