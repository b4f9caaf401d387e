import { availableTools } from "../available-tools.ts";
import { createLog } from "../log.ts";
import { diagnose } from "./doctor.ts";
import type { CommandOptions } from "./environment.ts";
import { print, table } from "./print.ts";
import { createFleet, EXIT_FAILED, open } from "./session.ts";
import { readSurfaceBaseline, surfaceCost } from "./surface.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Prints the available tools and what they cost a model. */
export async function listTools(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  await close();
  const baseline = readSurfaceBaseline();
  const offered = availableTools(config).map((tool) => ({ ...tool, cost: surfaceCost(tool, baseline) }));
  const rows = offered.map(({ name, effect, title, cost: { tokens, change } }) => [name, effect, tokens, change ?? "new", title]);
  const total = sum(offered.map(({ cost }) => cost.tokens));
  const change = sum(offered.map(({ name, cost }) => cost.tokens - (baseline[name]?.tokens ?? 0)));
  print(table([["tool", "effect", "tokens", "change", "title"], ...rows, ["total", "", total, change, `${offered.length} tools`]]));
  const estimated = offered.filter(({ cost }) => !cost.counted).map(({ name }) => name);
  print("\nTokens (o200k) of what a model sees: name, description, input schema. Change: since they were last counted and committed.");
  if (estimated.length > 0) print(`Estimated as characters / 4 until npm run surface: ${estimated.join(", ")}.`);
}

/** Prints which tools are offered, why others are not, and whether the service can be reached. */
export async function doctor(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  try {
    const { tools, service } = await diagnose(config, createFleet(config, createLog(config.log)));
    const failed = service.filter(({ ok }) => !ok).length;
    print(table([["tool", "offered", ""], ...tools.map(({ what, ok, said }) => [what, ok ? "yes" : "no", said])]));
    print("");
    print(table([["operation", "reached", ""], ...service.map(({ what, ok, said }) => [what, ok ? "yes" : "NO", said])]));
    print(`\n${failed === 0 ? "Everything that is offered can be reached." : `${failed} of ${service.length} checks failed.`}`);
    if (failed > 0) process.exitCode = EXIT_FAILED;
  } finally {
    await close();
  }
}
