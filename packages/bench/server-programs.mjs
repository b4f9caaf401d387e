// The programs that are compared, and a host's first messages to them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The built bin, which is what the package contains. */
export const BIN = at("../mcp-server/dist/fleetwire-mcp.js");
export const MINIMAL = at("minimal-server.mjs");
const SANDBOX = at("../sandbox/dist/fleetwire-sandbox.js");

const home = mkdtempSync(join(tmpdir(), "fleetwire-bench-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** The same environment for all: a variable such as NODE_EXTRA_CA_CERTS triples the start of Node itself. */
export const environment = {
  PATH: process.env.PATH,
  HOME: home,
  FLEET_CUSTOMER_ID: "c1",
  FLEET_CLIENT_ID: "client",
  FLEET_CLIENT_SECRET: "secret",
  FLEET_BASE_URL: "http://127.0.0.1:9",
};

/** An empty home folder, for the start on a machine that has never run the program. */
export function freshEnvironment() {
  const folder = mkdtempSync(join(home, "home-"));
  mkdirSync(join(folder, ".cache"));
  return { ...environment, HOME: folder };
}

const message = (more) => `${JSON.stringify({ jsonrpc: "2.0", ...more })}\n`;

const OPENING = [
  message({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } },
  }),
  message({ method: "notifications/initialized" }),
  message({ id: 2, method: "tools/list", params: {} }),
].join("");

/** Starts the built sandbox. */
export async function startSandbox(vehicles) {
  const child = spawn(process.execPath, [SANDBOX, "--vehicles", String(vehicles)], { stdio: ["ignore", "pipe", "ignore"] });
  const { env } = JSON.parse((await once(child.stdout, "data"))[0]);
  const authorization = `Basic ${btoa(`${env.FLEET_CLIENT_ID}:${env.FLEET_CLIENT_SECRET}`)}`;
  const url = `${env.FLEET_BASE_URL}/public/v1/customer/${env.FLEET_CUSTOMER_ID}/tracking/live`;
  return { child, readList: () => fetch(url, { headers: { authorization } }) };
}

/** Starts a program with Node, and reads responses from its stdout. */
export function startProgram(args, { node = process.execPath, env = environment } = {}) {
  const begun = performance.now();
  const child = spawn(node, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => {});
  const waiting = new Map();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const response of lines.map((line) => JSON.parse(line))) {
      waiting.get(response.id)?.resolve({ response, ms: performance.now() - begun });
      waiting.delete(response.id);
    }
  });
  const closed = once(child, "close").then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${args.join(" ")} ended before its response`));
  });
  const responseTo = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  return {
    child,
    open: () => {
      const response = responseTo(2);
      child.stdin.write(OPENING);
      return response;
    },
    call: (id, name, args) => {
      const response = responseTo(id);
      child.stdin.write(message({ id, method: "tools/call", params: { name, arguments: args } }));
      return response;
    },
    /** Ends as a host ends it, so that the program may keep what it compiled. */
    end: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Starts bare Node, and waits for its end. */
export async function startBare(node) {
  const begun = performance.now();
  const child = spawn(node, ["-e", "0"], { env: environment, stdio: "ignore" });
  await once(child, "close");
  return { ms: performance.now() - begun };
}
