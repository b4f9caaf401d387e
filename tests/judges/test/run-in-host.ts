import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderWith } from "./external-command.ts";
import { BIN } from "./host-pages.ts";
import { runOnNode24 } from "./node24-command.ts";

const NOWHERE = "http://127.0.0.1:9";

/**
 * Runs commands in a shell with a host on its PATH, and returns their output. The host has its own home, only these environment variables and no network
 * access except to this machine. `npx` starts the built server.
 */
export async function runInHost(host: string, lines: readonly string[], variables: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderWith({ npx: `#!/bin/sh\nshift 2\nexec node ${BIN} "$@"\n` });
  chmodSync(join(folder, "npx"), 0o755);
  const script = join(folder, "script.sh");
  // Codex warns about a home in /tmp on stderr, and continues.
  writeFileSync(script, [`cd ${folder}`, ...lines.map((line) => `${line} || echo FAILED`), "echo DONE"].join("\n"));
  const env = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, "claude"),
    CODEX_HOME: folder,
    GEMINI_CLI_HOME: folder,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: "127.0.0.1",
    ...variables,
  };
  const clean = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const shell = join(folder, "shell.sh");
  writeFileSync(shell, `exec env -i PATH="${folder}:$PATH" ${clean.join(" ")} sh ${script}\n`);
  const { output } = await runOnNode24(host, ["sh", shell], /DONE/);
  return output;
}
