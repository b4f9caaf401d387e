import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { FleetError } from "@fleetwire/core";

const { O_CREAT, O_RDWR } = constants;
/** `O_EXLOCK | O_NONBLOCK` of macOS and BSD, and libuv's `UV_FS_O_EXLOCK` of Windows, which Node does not name. */
const LOCKED = process.platform === "win32" ? 0x10000000 : 0x24;
/** What opening a file says that another process has locked. */
const TAKEN: readonly (string | undefined)[] = ["EAGAIN", "EWOULDBLOCK", "EBUSY"];

const refused = (problem: string, advice: string) => new FleetError("config", problem, { advice });

/** Locks an open file with flock(2), for which Node has no function: the lock belongs to what is open here, so it outlives the program that takes it. */
function lockOnLinux(path: string, file: number): boolean {
  const { status, error } = spawnSync("flock", ["-n", "-x", "3"], { stdio: ["ignore", "ignore", "ignore", file] });
  if (status === 0 || status === 1) return status === 0;
  throw refused(
    `${path} cannot be locked: ${(error as NodeJS.ErrnoException | undefined)?.code === "ENOENT" ? "the program flock is missing" : "flock failed"}`,
    "Install flock, which is part of util-linux and BusyBox, and keep the file on a file system with locks",
  );
}

function openLocked(path: string): number | undefined {
  if (process.platform === "linux") {
    const file = openSync(path, O_RDWR | O_CREAT, 0o600);
    try {
      if (lockOnLinux(path, file)) return file;
    } catch (error) {
      closeSync(file);
      throw error;
    }
    closeSync(file);
    return undefined;
  }
  try {
    // On Windows, nothing else can open what is locked, so it is a file beside it.
    return openSync(process.platform === "win32" ? `${path}.owner` : path, O_RDWR | O_CREAT | LOCKED, 0o600);
  } catch (error) {
    if (TAKEN.includes((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/**
 * Makes sure that no other process uses a file, whatever name it has there, and creates it if necessary. The lock ends with what is returned, or with the
 * process, however that ends: the operating system holds it.
 */
export function lockFor(path: string): () => void {
  const file = openLocked(path);
  if (file === undefined) throw refused(`${path} is in use by another process`, "Stop the other watch, or use another file");
  return () => closeSync(file);
}
