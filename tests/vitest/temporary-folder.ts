import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed when the test ends. Concurrent tests pass the `onTestFinished` of their context. */
export function temporaryFolder(atEnd: (cleanup: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
