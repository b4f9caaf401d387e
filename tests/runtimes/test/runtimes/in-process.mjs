// Runs the cases in the current process, against the built packages that it resolves. The argument is the service's environment.
import { runCases } from "./cases.mjs";

console.log(JSON.stringify(await runCases(JSON.parse(globalThis.process.argv[2]))));
