import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { INSTALL_TIMEOUT, installPackages, node24 } from "./npx-packages.ts";

export interface CommandResult {
  code: number | null;
  output: string;
}

const SECONDS = 240;
export const NODE24_TIMEOUT = INSTALL_TIMEOUT + SECONDS * 1_000;

/** Runs a tool that needs Node 24. `proof` must match its output, to show that it really ran. */
export async function runOnNode24(packageName: string, [command = "", ...args]: readonly string[], proof: RegExp): Promise<CommandResult> {
  const [modules, node] = await Promise.all([installPackages([packageName]), node24()]);
  const PATH = [`${modules}/.bin`, node.slice(0, node.lastIndexOf("/")), process.env["PATH"]].join(":");
  const child = spawn(command, args, {
    cwd: tmpdir(),
    env: { ...process.env, PATH, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: SECONDS * 1_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (!proof.test(output)) throw new Error(`${packageName} did not run (exit code ${code}).\n${output.slice(-2_000)}`);
  return { code, output };
}
