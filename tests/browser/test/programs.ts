import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LivePosition } from "@fleetwire/core";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { CONSOLE_SCRIPT, type Program, SANDBOX, SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { type Browser, chromium } from "playwright-core";

type Variables = Readonly<Record<string, string>>;

/** Nothing outside this machine can be reached. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";

/** Starts Chromium. Without one, the tests are skipped, but fail in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const path = await debianProgram("chromium-headless-shell");
  return path === undefined ? undefined : chromium.launch({ executablePath: path, args: ["--no-sandbox", LOOPBACK_ONLY], timeout: 60_000 });
}

/** A night on which nothing would drive if the fleet slept. */
export const SUNDAY_AT_THREE = "2026-11-22T03:00:00Z";

/** Starts the built sandbox with its console. */
export async function startSandbox(...flags: string[]): Promise<Pick<Program, "end"> & { origin: string; env: Variables }> {
  const { ready, end } = await startProgram(process.execPath, { args: [SANDBOX, ...flags], pattern: /^(\{.*\})$/ });
  return { ...(JSON.parse(ready) as { origin: string; env: Variables }), end };
}

/** Starts the built server over HTTP for a fleet. `ready` is the URL of its console. */
export const startConsole = (env: Variables): Promise<Program> =>
  startProgram(process.execPath, { args: [SERVER, "http", "--port", "0"], env, pattern: /console at (http:[^\s"]+)/ });

/** Starts the sandbox as `npm run console` does, with some jobs. `ready` is its origin. */
export const startConsoleScript = (...flags: string[]): Promise<Program> =>
  startProgram(process.execPath, { args: [CONSOLE_SCRIPT, "--no-open", ...flags], pattern: /console is at (http:\S+)\/ / });

/** An image of one pixel. */
const TILE = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** The variables for a service at this URL. */
export const fleetEnv = (url: string): Variables => ({
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "canary-secret",
  FLEET_BASE_URL: url,
  FLEET_SNAPSHOT_SECONDS: "0",
  FLEET_TIME_ZONE: "UTC",
});

/** Serves live positions (interface 2.4) that a test can change, and tiles. */
export async function startFleet(positions: LivePosition[]) {
  const service = { positions };
  const server = createServer(({ url = "" }, response) => {
    if (url.includes(".png")) response.setHeader("content-type", "image/png").end(TILE);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(service.positions));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, {
    origin,
    env: fleetEnv(origin),
    end: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

/** A vehicle that has just reported from a depot near Lyon, with these changes. */
export const vehicle = (name: string, changes: Partial<LivePosition> = {}): LivePosition => ({
  assetId: name.toLowerCase().replace(/\W+/g, "-"),
  assetName: name,
  date: new Date().toISOString().replace(/\.\d+/, ""),
  eventType: "stopped",
  speed: 0,
  latitude: 45.76,
  longitude: 4.84,
  formattedAddress: "Quai Perrache 10, 69002, Lyon, France",
  driverName: "Ana Sousa",
  ...changes,
});
