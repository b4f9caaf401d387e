import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@fleetwire/core";

/** A proxy between server and sandbox that injects faults, which can change while the address stays the same. */
export interface Gateway {
  /** Rewrites a sandbox environment to go through the gateway. */
  through(env: Record<string, string>): Record<string, string>;
  /** Number of creation requests received. */
  creations(): number;
  /** Resolves when no request is in flight, including abandoned ones. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const QUIET_MS = 30;

export async function openGateway(origin: string, faults: () => string): Promise<Gateway> {
  let inFlight = 0;
  let creations = 0;
  const server = createServer((incoming, outgoing) => {
    inFlight++;
    if (incoming.url?.includes(operations.createJob.path)) creations++;
    const requestedFaults = faults();
    const headers = { ...incoming.headers, ...(requestedFaults !== "" && { "x-sandbox-fault": requestedFaults }) };
    const onward = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      // As in a real service, work continues after the caller has left.
      response.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy()).on("close", () => inFlight--);
    outgoing.on("error", () => onward.destroy());
    incoming.on("error", () => onward.end()).pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    through: (env) => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll(origin, own)])),
    creations: () => creations,
    idle: async () => {
      do await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      while (inFlight > 0);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
