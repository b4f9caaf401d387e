import { createFleetTools } from "@fleetwire/tools";
import { createLog } from "../log.ts";
import { diagnose, type ServerFinding } from "./doctor.ts";
import type { CommandOptions } from "./environment.ts";
import { print, table } from "./print.ts";
import { createFleet, EXIT_FAILED, open } from "./session.ts";
import { readTokenCosts, tokenCost } from "./token-cost.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Prints the available tools and what they cost a model. */
export async function listTools(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  await close();
  const lastCounted = readTokenCosts();
  const offered = createFleetTools(config).tools.map((tool) => ({ ...tool, cost: tokenCost(tool, lastCounted) }));
  const rows = offered.map(({ name, effect, title, cost: { tokens, change } }) => [name, effect, tokens, change ?? "new", title]);
  const total = sum(offered.map(({ cost }) => cost.tokens));
  const change = sum(offered.map(({ name, cost }) => cost.tokens - (lastCounted[name]?.tokens ?? 0)));
  print(table([["tool", "effect", "tokens", "change", "title"], ...rows, ["total", "", total, change, `${offered.length} tools`]]));
  const estimated = offered.filter(({ cost }) => !cost.counted).map(({ name }) => name);
  print("\nTokens (o200k) of what a model sees: name, description and input schema. Change: since the last committed count.");
  if (estimated.length > 0) print(`Estimated as characters / 4 until npm run generate: ${estimated.join(", ")}.`);
}

/** What to do about the failures, each advice once. */
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
    if (sandbox) print("Sandbox: these are the made-up fleet's servers. Those in your environment were not checked.\n");
    print(table([["tool", "listed", ""], ...tools.map(({ tool, listed, why = "" }) => [tool, listed ? "yes" : "no", why])]));
    print("");
    if (writes) print(`${table([["host", "writes"], ...writes.map(({ host, write }) => [host, write])])}\n`);
    print(
      table([
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
