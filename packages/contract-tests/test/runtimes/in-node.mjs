// Runs the cases in whatever Node runs this, against the built package as Node resolves it.
import { runCases } from "./cases.mjs";

console.log(JSON.stringify({ ...(await runCases(process.argv[2])), runtime: `Node ${process.versions.node}` }));
