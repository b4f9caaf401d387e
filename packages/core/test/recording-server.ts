import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** A request exactly as it arrived. */
export interface RecordedRequest {
  method: string;
  /** Path and query from the request line. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Act = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

/** A response: status (200), headers and a body, sent as JSON unless it is a string; or misbehaviour. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | Act;

export interface RecordingServer {
  origin: string;
  requests: RecordedRequest[];
  /** Replaces the rest of the script. */
  script(...answers: Answer[]): void;
  /** Waits until this many requests have arrived. */
  arrived(count: number): Promise<void>;
}

/** Accepts the request and never responds. */
export const silence: Act = () => passTimeouts();

/** Sends the status, headers and the start of a body, but never its end. */
export const endlessBody: Act = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write("[");
  return passTimeouts();
};

/** Counts the tests that hold timeouts: what an earlier one left running passes none of a later one. */
let held = 0;

/**
 * Until the test ends, timeouts pass only while a server withholds its response, so that no other response is late on a busy
 * machine. For clients with the default timeout.
 */
export function holdTimeouts(): void {
  held++;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

async function passTimeouts(): Promise<void> {
  const test = held;
  // Headers that were sent reach the client first.
  await delay(30);
  // No further than the default timeout: that of the retry stays ahead.
  if (vi.isFakeTimers() && test === held) await vi.advanceTimersByTimeAsync(30_000);
}

/** Promises a longer body than it sends, then hangs up. */
export const truncatedBody: Act = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write("[", () => response.destroy());
};

/** Closes the connection without a response. */
export const reset: Act = (response) => {
  (response.socket as Socket).resetAndDestroy();
};

/** Responses that never arrive whole, and what a read fails with. */
export const unfinished: { what: string; answer: Answer; code: "timeout" | "network" }[] = [
  { what: "no response in time", answer: silence, code: "timeout" },
  { what: "half a response in time", answer: endlessBody, code: "timeout" },
  { what: "a reset", answer: reset, code: "network" },
  { what: "a truncated response", answer: truncatedBody, code: "network" },
];

async function give(answer: Answer, response: ServerResponse, request: RecordedRequest): Promise<void> {
  if (typeof answer === "function") return answer(response, request);
  const { status = 200, headers = {}, body = "" } = answer;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Serves a script on a loopback port until the test ends. Repeats the last response for further requests. */
export async function recordingServer(...answers: Answer[]): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  let rest = answers;
  const server = createServer(async (message, response) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    const request = { method: message.method ?? "", url: message.url ?? "", headers: message.headers, body };
    requests.push(request);
    const [answer = { status: 500, body: "the script is empty" }] = rest;
    if (rest.length > 1) rest = rest.slice(1);
    server.emit("recorded");
    await give(answer, response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...next) => {
      rest = next;
    },
    arrived: async (count) => {
      while (requests.length < count) await once(server, "recorded");
    },
  };
}

/** An origin at which nothing listens. A port that was free a moment ago may by now be that of another test's server. */
export const DEAD_ORIGIN = "http://127.0.0.1:2";
