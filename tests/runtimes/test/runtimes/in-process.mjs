// Runs the cases in the current process, against the built packages that it resolves.
import { runCases } from "./cases.mjs";

const { Bun, Deno, process } = globalThis;
const runtime = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
console.log(JSON.stringify({ ...(await runCases(process.argv[2])), runtime }));
