// Alters the contract and the steps that keep to it in every way that can be made mechanically, and prints the share that the checks catch.
import { importSources } from "./import-sources.mjs";

const { run } = await importSources("mutants/run.ts");
process.exitCode = await run(process.argv.slice(2));
