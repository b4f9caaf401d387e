import { spawn } from "node:child_process";
import { tmpdir } from "node:os";

export interface CommandResult {
  code: number | null;
  output: string;
}

/** The first run downloads Node 24 and the tool from the npm registry; later ones use npm's cache. */
export const NODE24_TIMEOUT = 240_000;

/** Runs a tool that needs Node 24 through npx. `proof` must match its output, to show that it really ran. */
export async function runOnNode24(packageName: string, args: readonly string[], proof: RegExp): Promise<CommandResult> {
  // With an unreachable registry, npm would retry for longer than the test's timeout.
  const npm = { npm_config_loglevel: "error", npm_config_fetch_retries: "1", npm_config_fetch_retry_mintimeout: "2000" };
  const child = spawn("npx", ["-y", "-p", "node@24", "-p", packageName, ...args], {
    cwd: tmpdir(),
    env: { ...process.env, ...npm, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: NODE24_TIMEOUT - 10_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (!proof.test(output)) {
    throw new Error(
      `${packageName} did not run (exit code ${code}). npx installs it from the npm registry: is it reachable?\n${output.slice(-2_000)}`,
    );
  }
  return { code, output };
}
