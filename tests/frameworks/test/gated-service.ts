import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox } from "@fleetwire/sandbox";

export interface GatedService {
  /** The environment in which tools reach the service. */
  env: Readonly<Record<string, string>>;
  /** The number of writes that the service accepted. */
  writes(): number;
  /** Holds the next request for the job list. `arrived` resolves once it is requested, `closed` once its client has closed the connection. */
  hold(): { arrived: Promise<unknown>; closed: Promise<unknown> };
  stop(): Promise<void>;
}

/** A sandbox whose clock stands still, behind a gate that can hold a request. */
export async function startGatedService(): Promise<GatedService> {
  let accepted = 0;
  const startedAt = Date.now();
  const sandbox = createSandbox({
    clock: () => startedAt,
    log: ({ method, path, status }) => {
      if ((method === "PUT" || path.endsWith("/job/create")) && status === 200) accepted += 1;
    },
  });
  const { env, origin } = await sandbox.listen();
  const held = new EventEmitter();
  const gate = createServer(async (request, response) => {
    if (request.url?.includes("/job-management/") && held.emit("arrived")) {
      response.once("close", () => held.emit("closed"));
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !["host", "connection", "content-length"].includes(name) ? [[name, value]] : [],
    );
    const { method = "GET" } = request;
    const answer = await fetch(`${origin}${request.url}`, { method, headers, body: method === "GET" ? null : Buffer.concat(chunks) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(gate, "listening");
  const gated = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  return {
    env: {
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(origin, gated)])),
      // Every read reaches the service, and no result mentions the age of an earlier one.
      FLEET_SNAPSHOT_SECONDS: "0",
      FLEET_TIME_ZONE: "UTC",
    },
    writes: () => accepted,
    hold: () => ({ arrived: once(held, "arrived"), closed: once(held, "closed") }),
    stop: async () => {
      gate.closeAllConnections();
      gate.close();
      await sandbox.close();
    },
  };
}
