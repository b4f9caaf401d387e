// Finds a program that tests run for real, such as Chromium or nginx. If it is missing, installs Debian's package when run as root with apt-get.
// `node debian-programs.mjs nginx` prints {"path"}, or {"missing"} with the reason, as JSON.
import { spawnSync } from "node:child_process";
import { accessSync, constants, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian's packages, with the names of the program. */
const PROGRAMS = {
  caddy: ["caddy"],
  // Only Chromium's engine: without a window, a page takes half the processor time.
  "chromium-headless-shell": ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  nginx: ["nginx"],
  prometheus: ["promtool"],
  "redis-server": ["redis-server", "valkey-server"],
  systemd: ["systemd-analyze"],
};

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of these programs found on the PATH, or among the daemons, which are not on the PATH of every user. */
function onPath(names) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
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

/** Debian's way to install a daemon without starting it. */
function withoutStarting(install) {
  const policy = "/usr/sbin/policy-rc.d";
  try {
    // Fails if the machine has a policy of its own, which then stays.
    writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" });
  } catch {
    return install();
  }
  try {
    return install();
  } finally {
    rmSync(policy);
  }
}

/** The path of the program, or why it is missing. Both installation steps have a timeout. */
function ensure(name) {
  const names = PROGRAMS[name];
  if (names === undefined) throw new Error(`unknown program ${name}: one of ${Object.keys(PROGRAMS).join(", ")}`);
  const found = onPath(names);
  if (found) return { path: found };
  if (process.getuid?.() !== 0 || !onPath(["apt-get"]))
    return { missing: `${name} is not on the PATH and cannot be installed (needs root and apt-get)` };
  const install = () => aptGet(6, "install", "-y", "--no-install-recommends", name);
  if (!aptGet(2, "update") || !withoutStarting(install)) return { missing: `apt-get could not install ${name}` };
  const installed = onPath(names);
  return installed ? { path: installed } : { missing: `apt-get installed ${name}, but it is not on the PATH` };
}

console.log(JSON.stringify(ensure(process.argv[2])));
