#!/usr/bin/env node
import { loadBundle } from "./load-bundle.ts";

const args = process.argv.slice(2);
// Most hosts start the server with these arguments, which need neither the argument parser nor the other verbs.
const servesStdio = args.every((arg) => arg === "stdio" || arg === "--sandbox") && args.filter((arg) => arg === "stdio").length <= 1;

if (servesStdio) {
  const { stdio } = loadBundle("stdio") as typeof import("./cli/stdio.ts");
  await stdio({ sandbox: args.includes("--sandbox") });
} else {
  const { runProgram } = loadBundle("program") as typeof import("./cli/program.ts");
  await runProgram(args);
}
