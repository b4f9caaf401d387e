import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "../../vitest/free-port.ts";

/** A request and its response as sent over the wire, with the contract's full path and without a server prefix. */
export interface Exchange {
  method: string;
  path: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
}

/** A violation found by Prism; `location` starts with request or response. */
export interface Violation {
  location: string[];
  message: string;
}

const REPLAY = "x-replay";
const document = fileURLToPath(new URL("../../../packages/core/openapi.json", import.meta.url));
const prismBin = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");

async function untilAnswers(origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`Prism exited with code ${child.exitCode}`);
    const responses = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (responses) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Prism did not start");
}

/** Prism as a validating proxy in front of recorded responses: reports what the OpenAPI document does not allow. */
export async function startPrism(
  openapi = document,
): Promise<{ check: (exchange: Exchange) => Promise<Violation[]>; stop: () => Promise<void> }> {
  const exchanges = new Map<string, Exchange>();
  const upstream: Server = createServer((request, response) => {
    request.resume();
    const exchange = exchanges.get(String(request.headers[REPLAY]));
    const type = exchange?.responseHeaders["content-type"];
    response.writeHead(exchange?.status ?? 404, { ...(type !== undefined && { "content-type": type }) });
    response.end(exchange?.responseBody ?? "{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => upstream.once("listening", resolve));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const upstreamOrigin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [prismBin, "proxy", openapi, upstreamOrigin, "--port", String(port), "--verboseLevel", "silent"], {
    stdio: "ignore",
  });
  await untilAnswers(origin, child);

  return {
    check: async (exchange) => {
      const id = String(exchanges.size);
      exchanges.set(id, exchange);
      const { method, path, requestHeaders, requestBody } = exchange;
      const headers = { ...requestHeaders, [REPLAY]: id };
      const response = await fetch(origin + path, {
        method,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(10_000),
        ...(requestBody !== "" && { body: requestBody }),
      });
      await response.arrayBuffer();
      return JSON.parse(response.headers.get("sl-violations") ?? "[]") as Violation[];
    },
    stop: async () => {
      child.kill();
      upstream.closeAllConnections();
      await new Promise((resolve) => upstream.close(resolve));
    },
  };
}
