import { node24Path } from "./install-packages.ts";

/** Installs Node 24 before the test files, of which two at once would otherwise do so. */
export async function setup(): Promise<void> {
  await node24Path();
}
