import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@fleetwire/core";

/** What stands between a server and the sandbox: it asks for faults that can change while the server knows one address. */
export interface Gateway {
  /** An environment that leads to the sandbox, as it leads through the gateway. */
  through(env: Record<string, string>): Record<string, string>;
  /** How many creations have come. */
  creations(): number;
  /** When nothing that came is under way any more, also where nobody waits for it. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const QUIET_MS = 30;

export async function openGateway(origin: string, faults: () => string): Promise<Gateway> {
  let underWay = 0;
  let creations = 0;
  const server = createServer((incoming, outgoing) => {
    underWay++;
    if (incoming.url?.includes(operations.createJob.path)) creations++;
    const asked = faults();
    const headers = { ...incoming.headers, ...(asked !== "" && { "x-sandbox-fault": asked }) };
    const onward = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // A caller that has gone does not stop the work, for it does not in a service either.
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy()).on("close", () => underWay--);
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
      while (underWay > 0);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
