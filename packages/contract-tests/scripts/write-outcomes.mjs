// Writes what callers and hosts see now to baselines/outcomes/; what differs is reviewed in git.
import { mkdirSync, writeFileSync } from "node:fs";
import { importSources } from "./import-sources.mjs";

const { outcomeFiles } = await importSources("outcomes/outcomes.ts");

mkdirSync(new URL("../baselines/outcomes/", import.meta.url), { recursive: true });
for (const { file, text } of await outcomeFiles()) writeFileSync(file, text);
