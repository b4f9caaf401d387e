// Counts what the tools cost a model in o200k tokens, prints it with the change since the last count, and writes surface.json anew.
import { readFileSync, writeFileSync } from "node:fs";
import { catalogue } from "@fleetwire/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { surfaceDigest, surfaceOf } from "../dist/cli/token-cost.js";

const file = new URL("../surface.json", import.meta.url);
const before = JSON.parse(readFileSync(file, "utf8"));
const counted = catalogue.map(({ name, description, inputJsonSchema }) => {
  const surface = surfaceOf({ name, description, inputSchema: inputJsonSchema });
  return [name, { tokens: countTokens(surface), surface: surfaceDigest(surface) }];
});
writeFileSync(file, `${JSON.stringify(Object.fromEntries(counted), null, 2)}\n`);

const sum = (entries) => entries.reduce((total, { tokens }) => total + tokens, 0);
const signed = (change) => (change > 0 ? `+${change}` : String(change));
const line = (name, tokens, change) => process.stdout.write(`${name.padEnd(28)}${String(tokens).padStart(6)}${change.padStart(8)}\n`);
for (const [name, { tokens }] of counted) line(name, tokens, before[name] ? signed(tokens - before[name].tokens) : "new");
for (const name of Object.keys(before)) if (!counted.some(([known]) => known === name)) line(name, 0, "gone");
const total = sum(counted.map(([, cost]) => cost));
line("total", total, signed(total - sum(Object.values(before))));
