import { textColumns } from "@fleetwire/core/internal";
import { createFleetTools } from "@fleetwire/tools";
import { open } from "./create-fleet.ts";
import { print } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";
import { readTokenCosts, tokenCost } from "./token-cost.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Prints the available tools and their token cost. */
export async function listTools(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  await close();
  const lastCounted = readTokenCosts();
  const offered = createFleetTools(config).tools.map((tool) => ({ ...tool, cost: tokenCost(tool, lastCounted) }));
  const rows = offered.map(({ name, effect, title, cost: { tokens, change } }) => [name, effect, tokens, change ?? "new", title]);
  const total = sum(offered.map(({ cost }) => cost.tokens));
  const change = sum(offered.map(({ name, cost }) => cost.tokens - (lastCounted[name]?.tokens ?? 0)));
  print(textColumns([["tool", "effect", "tokens", "change", "title"], ...rows, ["total", "", total, change, `${offered.length} tools`]]));
  const estimated = offered.filter(({ cost }) => !cost.counted).map(({ name }) => name);
  print("\nTokens (o200k) cover name, description and input schema. Change is since this release.");
  if (estimated.length > 0) print(`Estimated as characters / 4; run npm run generate to count: ${estimated.join(", ")}.`);
}
