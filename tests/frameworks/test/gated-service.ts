import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox } from "@fleetwire/sandbox";

export interface GatedService {
  /** The environment in which tools reach the service. */
  env: Readonly<Record<string, string>>;
  /** The number of writes that the service accepted. */
  writes(): number;
  /** Delays the next request for the job list. `arrived` resolves once it is requested, `closed` once its client has closed the connection. */
  hold(): { arrived: Promise<void>; closed: Promise<void> };
  stop(): Promise<void>;
}

/** A sandbox whose clock stands still, behind a gate that can delay a request. */
export async function startGatedService(): Promise<GatedService> {
  let accepted = 0;
  const startedAt = Date.now();
  const isWrite = ({ method, path }: { method: string; path: string }) => method === "PUT" || path.endsWith("/job/create");
  const sandbox = createSandbox({
    clock: () => startedAt,
    log: (entry) => {
      if (isWrite(entry) && entry.status === 200) accepted += 1;
    },
  });
  const { env, origin } = await sandbox.listen();
  let holding: { arrived: () => void; closed: () => void } | undefined;
  const gate = createServer(async (request, response) => {
    if (holding && request.url?.includes("/job-management/")) {
      const { arrived, closed } = holding;
      holding = undefined;
      response.once("close", closed);
      arrived();
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" && !["host", "connection", "content-length"].includes(name) ? [[name, value] as [string, string]] : [],
    );
    const { method = "GET" } = request;
    const body = method === "GET" ? null : Buffer.concat(chunks);
    const answer = await fetch(`${origin}${request.url}`, { method, headers, body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => gate.once("listening", resolve));
  const gated = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  return {
    env: {
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(origin, gated)])),
      // Every read reaches the service, and no result mentions the age of an earlier one.
      FLEET_SNAPSHOT_SECONDS: "0",
      FLEET_TIME_ZONE: "UTC",
    },
    writes: () => accepted,
    hold: () => {
      let arrive = () => {};
      let close = () => {};
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      holding = { arrived: arrive, closed: close };
      return { arrived, closed };
    },
    stop: async () => {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
      await sandbox.close();
    },
  };
}
