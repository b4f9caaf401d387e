import { fileURLToPath } from "node:url";
import { runProgram } from "./packed-package.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/debian-programs.mjs", import.meta.url));

/** The path of a program, installed if need be. Without it, tests are skipped, but fail in CI. */
export async function debianProgram(
  name: "caddy" | "chromium-headless-shell" | "nginx" | "prometheus" | "redis-server" | "systemd",
): Promise<string | undefined> {
  const { path, missing } = JSON.parse(await runProgram(process.execPath, [SCRIPT, name], ".", 540)) as { path?: string; missing?: string };
  if (path === undefined && process.env["CI"]) throw new Error(missing);
  if (path === undefined) console.log(`skipped: ${missing}`);
  return path;
}
