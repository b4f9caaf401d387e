import { debianProgram } from "@fleetwire/packaging/debian-program";

/** Installs programs before the test files, of which two at once would otherwise do so. */
export async function setup(): Promise<void> {
  for (const name of ["caddy", "nginx", "prometheus", "redis-server", "systemd"] as const) await debianProgram(name);
}
