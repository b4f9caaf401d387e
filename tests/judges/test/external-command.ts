import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";

export interface CommandOutput {
  code: number | null;
  stdout: string;
  /** stdout and stderr, interleaved. */
  output: string;
}

const binOf = (name: string) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

/** A temporary folder with files, removed after the test. */
export async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-check-"));
  // A host may still be writing while it ends.
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** A proxy where nothing listens. */
const NOWHERE = "http://127.0.0.1:9";

/** Runs a command in a folder without telemetry or network access. Set `proxy` to "" for commands that need loopback. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, proxy = NOWHERE }: { cwd?: string; proxy?: string } = {},
): Promise<CommandOutput> {
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 230_000,
  });
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { code, stdout, output: stripVTControlCharacters(output) };
}

/** Runs a third-party command over files. */
export async function checkFiles(bin: string, args: readonly string[], files: Readonly<Record<string, unknown>>): Promise<CommandOutput> {
  return run(binOf(bin), args, { cwd: await folderWith(files) });
}
