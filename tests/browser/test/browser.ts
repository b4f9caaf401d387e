import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { type Browser, chromium } from "playwright-core";

const SCRIPT = fileURLToPath(new URL("../../../scripts/chromium.mjs", import.meta.url));

/** Starts Chromium. Without one, the tests are skipped, but fail in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const { path, missing } = JSON.parse(await runProgram(process.execPath, [SCRIPT], ".", 540)) as { path?: string; missing?: string };
  if (path !== undefined) return chromium.launch({ executablePath: path, args: ["--no-sandbox"], timeout: 60_000 });
  if (process.env["CI"]) throw new Error(missing);
  console.log(`Chromium: skipped, ${missing}`);
  return undefined;
}
