import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const script = fileURLToPath(new URL("../../../scripts/chromium.mjs", import.meta.url));

/** The path of Chromium, which is installed if that is possible, or why it is missing. */
export function findChromium(): { path: string } | { missing: string } {
  return JSON.parse(spawnSync(process.execPath, [script], { encoding: "utf8" }).stdout) as { path: string } | { missing: string };
}

export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 60_000 });
