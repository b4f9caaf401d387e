import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { FleetError } from "@fleetwire/core";

/** A lock of another machine that has not been renewed for so long was left by a process that is gone. */
const MAX_AGE = 10 * 60_000;

interface Holder {
  pid: number;
  host: string;
}

function holderOf(file: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(readFileSync(file, "utf8")) as Partial<Holder>;
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the process that holds a lock still runs. */
function isHeld(file: string): boolean {
  const holder = holderOf(file);
  // One that is being written has no content yet.
  if (!holder || holder.host !== hostname()) return Date.now() - statSync(file).mtimeMs < (holder ? MAX_AGE : 1_000);
  return holder.pid !== process.pid && isRunning(holder.pid);
}

export interface OneProcess {
  /** Shows processes on other machines that the lock is still held. */
  renew: () => void;
  release: () => void;
}

/** Makes sure that no other process uses a file, even if one before was killed. */
export function lockFor(path: string): OneProcess {
  const file = `${path}.pid`;
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx", mode: 0o600 });
      return {
        renew: () => utimesSync(file, new Date(), new Date()),
        release: () => rmSync(file, { force: true }),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    try {
      if (isHeld(file)) break;
      // Of two processes that find the same stale lock, only one can rename it.
      const stale = `${file}.${process.pid}`;
      renameSync(file, stale);
      rmSync(stale);
    } catch {
      // Another process has just removed it.
    }
  }
  throw new FleetError("config", `${path} is in use by another process`, {
    advice: `Stop the other watch, or use another file. If there is none, remove ${file}`,
  });
}
