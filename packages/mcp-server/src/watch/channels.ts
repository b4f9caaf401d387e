import { spawn } from "node:child_process";
import { FleetError } from "@fleetwire/core";
import type { WatchEvent } from "@fleetwire/tools/watch";
import { namesPrivateAddress, sendWebhook, webhookKey } from "../webhook-request.ts";
import type { Channel } from "./deliver.ts";

const TIMEOUT = 60_000;

const refusal = (message: string, advice: string) => new FleetError("config", `--webhook: ${message}`, { advice });

function keyOf(secret: string): Buffer {
  const key = webhookKey(secret);
  if (key) return key;
  throw new FleetError("config", "configuration: FLEET_WEBHOOK_SECRET is not valid", {
    advice: "It must be 24 to 64 random bytes in base64, after whsec_ or without it",
  });
}

/** Checks an address and a secret, and returns what sends events there, signed as Standard Webhooks describe. Redirects are not followed. */
function webhookTo(text: string, secret: string | undefined, isPrivate: boolean): Channel["send"] {
  if (!URL.canParse(text)) throw refusal("is not a URL", "Pass an address such as https://example.com/fleet");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(isPrivate && url.protocol === "http:"))
    throw refusal("must begin with https://", "Use https, or add --webhook-private for a receiver in your own network");
  if (url.username || url.password) throw refusal("must not contain a user or a password", "The signature shows who sends the events");
  if (!isPrivate && namesPrivateAddress(url))
    throw refusal("is a private address", "Add --webhook-private for a receiver in your own network");
  if (!secret)
    throw refusal(
      "needs FLEET_WEBHOOK_SECRET",
      "Set it to the secret that the receiver knows, such as whsec_ and 24 to 64 bytes in base64",
    );
  const keys = [keyOf(secret)];
  return async (event, signal) => {
    const body = JSON.stringify({ type: `fleet.${event.when}`, timestamp: event.at, data: event });
    const response = await sendWebhook({ url, keys, id: event.id, body, isPrivate, signal });
    if (response.status === undefined) return { problem: response.why };
    const { status, retryAfter } = response;
    return status >= 200 && status < 300 ? {} : { problem: `status ${status}`, isGone: status === 410, retryAfter };
  };
}

/** Runs a program without a shell, with the event as JSON on its stdin. It sees none of the server's own variables, which may be secrets. */
function runProgram(program: string, event: WatchEvent, signal: AbortSignal): ReturnType<Channel["send"]> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FLEET_")));
  return new Promise((settle) => {
    // What it prints must not get among the events.
    const child = spawn(program, [], { env, stdio: ["pipe", 2, 2], signal, timeout: TIMEOUT, killSignal: "SIGKILL", windowsHide: true });
    child.on("error", ({ code }: NodeJS.ErrnoException) => settle({ problem: signal.aborted ? "interrupted" : (code ?? "cannot be run") }));
    child.on("close", (code, killed) => settle(code === 0 ? {} : { problem: killed ? `killed by ${killed}` : `exit code ${code}` }));
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(event)}\n`);
  });
}

interface ChannelOptions {
  exec?: string;
  webhook?: string;
  webhookPrivate?: boolean;
}

/** Where the command line says that events are sent. */
export function channelsOf({ exec, webhook, webhookPrivate = false }: ChannelOptions, secret: string | undefined): Channel[] {
  const channels: Channel[] = [];
  if (exec !== undefined) channels.push({ name: "--exec", address: exec, send: (event, signal) => runProgram(exec, event, signal) });
  if (webhook !== undefined) channels.push({ name: "--webhook", address: webhook, send: webhookTo(webhook, secret, webhookPrivate) });
  return channels;
}
