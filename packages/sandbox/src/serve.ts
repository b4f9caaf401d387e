import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Connection, ConnectionReset } from "./service/fault-injection.ts";
import { errorResponse, refuseUnreadable } from "./unreadable-requests.ts";

export interface Serving {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves a handler on a loopback port. */
export async function serve(handle: (request: Request, connection: Connection) => Promise<Response>, port: number): Promise<Serving> {
  const respond = async (request: Request, { incoming }: HttpBindings) => {
    try {
      return await handle(request, { cut: () => incoming.socket.destroy() });
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error;
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    }
  };
  // The host process's global Request and Response must not be replaced.
  const listener = getRequestListener((request, env) => respond(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: errorResponse,
  });
  // Node's own response to a missing Host header has no body.
  const server = createServer({ requireHostHeader: false }, listener);
  refuseUnreadable(server);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
