#!/usr/bin/env node
import { mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** The folder in which Node keeps compiled code. Code from it is executed, so nobody but this user may write to it: the default is a temporary folder. */
function privateFolder(): string | undefined {
  const { env, platform } = process;
  const base = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  const folder = join(base || join(homedir(), platform === "darwin" ? "Library/Caches" : ".cache"), "fleetwire-mcp");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0) ? folder : undefined;
  } catch {
    return undefined;
  }
}

// Since Node 22.8.
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
const folder = enableCompileCache === undefined || process.env["NODE_DISABLE_COMPILE_CACHE"] ? undefined : privateFolder();
if (folder !== undefined) enableCompileCache?.(folder);

/** Loads a program of the bundle, which scripts/bundle.mjs makes of the module of that name in cli/. */
const load = nodeModule.createRequire(import.meta.url);

const args = process.argv.slice(2);
// Most hosts start the server with these arguments, which need neither the argument parser nor the other verbs.
const servesStdio = args.every((arg) => arg === "stdio" || arg === "--sandbox") && args.filter((arg) => arg === "stdio").length <= 1;

if (servesStdio) {
  const { stdio } = load("./bundle/stdio.cjs") as typeof import("./cli/stdio.ts");
  await stdio({ sandbox: args.includes("--sandbox") });
} else {
  const { runProgram } = load("./bundle/program.cjs") as typeof import("./cli/program.ts");
  await runProgram(args);
}
