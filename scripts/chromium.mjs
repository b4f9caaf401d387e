// Finds a Chromium for the tests that need a real browser; as root on a machine with apt-get it installs Debian's where there is none.
// Prints {"path"} or {"missing"}: why there is none.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program, by the first of some names that is on the PATH. */
function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function aptGet(minutes, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Another installation may be under way: wait for it, but not for ever.
  const { status } = spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: minutes * 60_000,
  });
  return status === 0;
}

/** The path of a Chromium, or why there is none. Both steps of an installation are bounded in time. */
function ensureChromium() {
  const found = onPath(NAMES);
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !onPath(["apt-get"]))
    return { missing: "no Chromium on the PATH, and no apt-get to install one as root" };
  if (!aptGet(2, "update") || !aptGet(6, "install", "-y", "--no-install-recommends", "chromium")) {
    return { missing: "apt-get could not install chromium" };
  }
  const installed = onPath(NAMES);
  return installed ? { path: installed } : { missing: "apt-get installed chromium, but it is not on the PATH" };
}

console.log(JSON.stringify(ensureChromium()));
