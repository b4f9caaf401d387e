import { debianProgram } from "@fleetwire/packaging/debian-program";
import { type Browser, chromium } from "playwright-core";

/** Starts Chromium. Without one, the tests are skipped, but fail in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const path = await debianProgram("chromium");
  return path === undefined ? undefined : chromium.launch({ executablePath: path, args: ["--no-sandbox"], timeout: 60_000 });
}
