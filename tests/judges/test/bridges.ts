import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "../../vitest/free-port.ts";
import { cleanEnv } from "./fleet.ts";
import { installPackages } from "./npx-packages.ts";
import { driven, type Opening, type Session } from "./session.ts";

export const MCP_REMOTE = ["mcp-remote@0.15.1"];
export const SUPERGATEWAY = ["supergateway@4.0.0"];

const openSdk = driven({ driver: "sdk-v1", also: { sdk: "sdk-1.32" } });

/** A stdio client behind a bridge to HTTP. */
export async function openMcpRemote({ server, ...how }: Opening): Promise<Session> {
  if (!("url" in server)) throw new Error("mcp-remote connects to HTTP only");
  const bridge = `${await installPackages(MCP_REMOTE)}/mcp-remote/dist/proxy.js`;
  const env = cleanEnv({ HOME: how.folder, MCP_REMOTE_CONFIG_DIR: how.folder });
  return openSdk({ ...how, server: { command: process.execPath, args: [bridge, server.url, "--transport", "http-only"], env } });
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    const open = await Promise.race([once(socket, "connect").then(() => true), once(socket, "error").then(() => false)]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("supergateway did not start listening");
}

/** An HTTP client in front of a bridge to stdio. */
export async function openSupergateway({ server, ...how }: Opening): Promise<Session> {
  if ("url" in server) throw new Error("supergateway connects to stdio only");
  const port = await freePort();
  const bridge = `${await installPackages(SUPERGATEWAY)}/supergateway/dist/index.js`;
  const command = [server.command, ...server.args].join(" ");
  const args = [
    bridge,
    "--stdio",
    command,
    "--outputTransport",
    "streamableHttp",
    "--stateful",
    "--port",
    String(port),
    "--logLevel",
    "none",
  ];
  const child = spawn(process.execPath, args, { cwd: how.folder, env: { ...server.env, HOME: how.folder }, stdio: "ignore" });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(late);
  };
  try {
    await untilListening(port);
    const session = await openSdk({ ...how, server: { url: `http://127.0.0.1:${port}/mcp` } });
    return { ...session, close: () => session.close().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}
