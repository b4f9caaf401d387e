// Finds Chromium for the tests that need a real browser. If it is missing, installs Debian's package when run as root with apt-get.
// Prints {"path"}, or {"missing"} with the reason, as JSON.
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

/** The path of the first of these programs found on the PATH. */
function onPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function aptGet(minutes, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Another installation may be running; wait for it, with a limit.
  const { status } = spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: minutes * 60_000,
  });
  return status === 0;
}

/** The path of Chromium, or why it is missing. Both installation steps have a timeout. */
function ensureChromium() {
  const found = onPath(NAMES);
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !onPath(["apt-get"]))
    return { missing: "Chromium is not on the PATH and cannot be installed (needs root and apt-get)" };
  if (!aptGet(2, "update") || !aptGet(6, "install", "-y", "--no-install-recommends", "chromium")) {
    return { missing: "apt-get could not install chromium" };
  }
  const installed = onPath(NAMES);
  return installed ? { path: installed } : { missing: "apt-get installed chromium, but it is not on the PATH" };
}

console.log(JSON.stringify(ensureChromium()));
