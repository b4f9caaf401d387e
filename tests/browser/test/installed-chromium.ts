import { debianProgram } from "@fleetwire/packaging/debian-program";

/** Installs Chromium before the test files, of which two at once would otherwise do so. */
export async function setup(): Promise<void> {
  await debianProgram("chromium-headless-shell");
}
