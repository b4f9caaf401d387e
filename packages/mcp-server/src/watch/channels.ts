import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { FleetError } from "@fleetwire/core";
import { retryAfterOf } from "@fleetwire/core/internal";
import type { WatchEvent } from "@fleetwire/tools/watch";
import ipaddr from "ipaddr.js";
import { useAgent } from "request-filtering-agent";
import { isDue, type Outbox, type Receiver, retryAfter } from "./outbox.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WEBHOOK_TIMEOUT = 15 * SECOND;
const PROGRAM_TIMEOUT = MINUTE;
/** The delays between attempts; after the last, the event is a dead letter, about a day after the first. */
const delaysFrom = (first: number) => [first, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR];
/** A receiver may ask for no more, or an event would wait longer than for one that does not respond at all. */
const MAX_RETRY_AFTER = HOUR;

/** What became of an attempt to deliver an event. */
interface Attempt {
  /** Why it was not delivered. */
  problem?: string;
  /** Whether the receiver wants no more events. */
  isGone?: boolean;
  /** Milliseconds for which the receiver wants nothing. */
  retryAfter?: number | undefined;
}

export interface Channel extends Receiver {
  /** Gives up when the signal fires. */
  send: (event: WatchEvent, signal: AbortSignal) => Promise<Attempt>;
}

const refusal = (message: string, advice: string) => new FleetError("config", `--webhook: ${message}`, { advice });

/** The key in a secret: 24 to 64 bytes, as Standard Webhooks demand. */
function keyOf(secret: string): Buffer {
  const text = secret.trim().replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text) && key.length >= 24 && key.length <= 64) return key;
  throw new FleetError("config", "configuration: FLEET_WEBHOOK_SECRET is not valid", {
    advice: "It must be 24 to 64 random bytes in base64, after whsec_ or without it",
  });
}

/** Whether a URL names an address, not a host, that may only be meant for a private network. */
function namesPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && ipaddr.parse(host).range() !== "unicast";
}

function problemOf({ code, name, message }: NodeJS.ErrnoException): string {
  if (name === "AbortError" || name === "TimeoutError") return "no response in time";
  return / is not allowed\. Because/.test(message) ? "the host name leads to a private address" : (code ?? name);
}

/** Sends a body, whose response is not read. Redirects are not followed. */
function post(url: URL, body: string, options: RequestOptions): Promise<Attempt> {
  return new Promise((resolve) => {
    const settle = (attempt: Attempt) => {
      clearTimeout(timer);
      resolve(attempt);
    };
    const sending = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, { ...options, method: "POST" }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const { "retry-after": asked = "", date = "" } = headers;
      const isDelivered = status >= 200 && status < 300;
      const retry = retryAfterOf(new Headers({ "retry-after": asked, date }), Date.now());
      settle(isDelivered ? {} : { problem: `status ${status}`, isGone: status === 410, retryAfter: retry });
      response.destroy();
    });
    const late = Object.assign(new Error("timeout"), { name: "TimeoutError" });
    const timer = setTimeout(() => sending.destroy(late), WEBHOOK_TIMEOUT);
    sending.on("error", (error) => settle({ problem: problemOf(error) }));
    sending.end(body);
  });
}

/** Checks an address and a secret, and returns what sends events there, signed as Standard Webhooks describe. */
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
  const key = keyOf(secret);
  return (event, signal) => {
    const body = JSON.stringify({ type: `fleet.${event.when}`, timestamp: event.at, data: event });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64");
    return post(url, body, {
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": "fleetwire-mcp",
        "webhook-id": event.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      },
      signal,
      // Connects only to public addresses, and to the one that was checked.
      ...(!isPrivate && { agent: useAgent(url.href) }),
    });
  };
}

/** Runs a program without a shell, with the event as JSON on its stdin. It sees none of the server's own variables, which may be secrets. */
function runProgram(program: string, event: WatchEvent, signal: AbortSignal): Promise<Attempt> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("FLEET_")));
  return new Promise((settle) => {
    // What it prints must not get among the events.
    const child = spawn(program, [], {
      env,
      stdio: ["pipe", 2, 2],
      signal,
      timeout: PROGRAM_TIMEOUT,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
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

interface Delivering {
  notify: (message: string) => void;
  /** How often the outbox is looked at, in milliseconds; at most a second. */
  look?: number;
  /** Milliseconds before an event is sent for the second time. */
  firstRetry?: number;
  /** Begins no more attempts when it fires. */
  ending: AbortSignal;
  /** Gives up an attempt in progress when it fires. */
  cancelling: AbortSignal;
}

/** Sends what is in an outbox until it ends, each event until it is delivered, for about a day. */
export async function deliver(
  outbox: Outbox,
  { name, send }: Channel,
  { notify, look = SECOND, firstRetry = 5 * SECOND, ending, cancelling }: Delivering,
): Promise<void> {
  const delays = delaysFrom(firstRetry);
  let isDisabled = outbox.isDisabled(name);
  let lastProblem: string | undefined;
  /** Until then, the receiver wants nothing. */
  let quiet = retryAfter(0, Date.now());
  while (!ending.aborted) {
    const next = isDue(quiet, Date.now()) ? outbox.due(name, Date.now()) : undefined;
    if (!next) {
      await wait(Math.min(look, SECOND), undefined, { signal: ending }).catch(() => {});
      continue;
    }
    const { event, attempts } = next;
    const attempt: Attempt = isDisabled ? { problem: "disabled" } : await send(event, cancelling);
    if (attempt.problem === undefined) {
      await outbox.sent(name, event.id);
      lastProblem = undefined;
      continue;
    }
    if (attempt.isGone) {
      await outbox.disable(name);
      isDisabled = true;
      notify(`${name}: status 410: the receiver wants no more events; they are kept as dead letters`);
    }
    const asked = Math.min(attempt.retryAfter ?? 0, MAX_RETRY_AFTER);
    if (asked > 0) quiet = retryAfter(asked, Date.now());
    const delay = isDisabled ? undefined : delays[attempts];
    const backoff = Math.round((delay ?? 0) * (1 + Math.random() / 10));
    await outbox.failed(name, event.id, delay === undefined ? undefined : retryAfter(Math.max(backoff, asked), Date.now()));
    if (isDisabled) continue;
    if (delay === undefined)
      notify(`${name}: event ${event.id} could not be delivered for a day (${attempt.problem}); it is kept as a dead letter`);
    else if (attempt.problem !== lastProblem) notify(`${name}: ${attempt.problem}; the event is sent again later`);
    lastProblem = attempt.problem;
  }
}
