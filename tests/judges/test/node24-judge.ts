import { spawn } from "node:child_process";
import { tmpdir } from "node:os";

export interface Verdict {
  code: number | null;
  output: string;
}

/** The first run brings a second Node and the judge from the npm registry; later ones find them in npm's cache. */
export const JUDGE_TIMEOUT = 240_000;

/** Runs a judge that needs Node 24, brought by npx; `proof` stands in its output once it has really judged. */
export async function judgeOnNode24(packageName: string, args: readonly string[], proof: RegExp): Promise<Verdict> {
  // npm's own patience with a registry out of reach is longer than a test's.
  const npm = { npm_config_loglevel: "error", npm_config_fetch_retries: "1", npm_config_fetch_retry_mintimeout: "2000" };
  const child = spawn("npx", ["-y", "-p", "node@24", "-p", packageName, ...args], {
    cwd: tmpdir(),
    env: { ...process.env, ...npm, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: JUDGE_TIMEOUT - 10_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (!proof.test(output)) {
    throw new Error(
      `${packageName} could not judge (exit code ${code}). npx brings it from the npm registry: is it in reach?\n${output.slice(-2_000)}`,
    );
  }
  return { code, output };
}
