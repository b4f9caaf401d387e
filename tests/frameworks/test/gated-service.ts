import { EventEmitter, once } from "node:events";
import { createServer, request as forward } from "node:http";
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
  const gate = createServer((request, response) => {
    if (request.url?.includes("/job-management/") && held.emit("arrived")) {
      response.once("close", () => held.emit("closed"));
      return;
    }
    const { method, headers } = request;
    const onward = forward(new URL(request.url ?? "/", origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.once("close", () => onward.destroy());
    request.pipe(onward.on("error", () => response.destroy()));
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
