import { readFileSync } from "node:fs";
import { textColumns } from "@fleetwire/core/internal";
import { createFleetTools } from "@fleetwire/tools";
import { open } from "./create-fleet.ts";
import { print } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";

/** Prints the available tools and their token cost, counted with the release: a tokenizer takes 30 MB. */
export async function listTools(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  await close();
  const costs = JSON.parse(readFileSync(new URL("../../token-costs.json", import.meta.url), "utf8")) as Record<string, number>;
  const rows = createFleetTools(config).tools.map(({ name, effect, title }) => [name, effect, costs[name] ?? 0, title] as const);
  const total = rows.reduce((sum, [, , tokens]) => sum + tokens, 0);
  print(textColumns([["tool", "effect", "tokens", "title"], ...rows, ["total", "", total, `${rows.length} tools`]]));
  print("\nTokens (o200k) cover name, description and input schema, without what FLEET_PROFILE adds.");
}
