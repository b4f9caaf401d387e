import { debianProgram } from "@fleetwire/packaging/debian-program";
import { type Browser, chromium } from "playwright-core";

/** Nothing outside this machine can be reached. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";

/** Starts Chromium. Without one, the tests are skipped, but fail in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const path = await debianProgram("chromium-headless-shell");
  return path === undefined ? undefined : chromium.launch({ executablePath: path, args: ["--no-sandbox", LOOPBACK_ONLY], timeout: 60_000 });
}
