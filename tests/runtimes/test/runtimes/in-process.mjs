// Runs the cases in whatever process runs this, against the built packages as it resolves them.
import { runCases } from "./cases.mjs";

const { Bun, Deno, process } = globalThis;
const runtime = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
console.log(JSON.stringify({ ...(await runCases(process.argv[2])), runtime }));
