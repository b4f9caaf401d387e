import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpRequestContext,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { type StdioServerHandle, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServerLog } from "../log.ts";
import { listenedTo, type Subscriptions } from "../mcp/subscriptions.ts";
import { cancelledRequest } from "./stdio-transport.ts";

/** Wraps a transport so that vehicles are watched while a host listens to them. The SDK serves these requests without asking the server. */
function listeningTransport(wire: Transport, subscriptions: Subscriptions): Transport {
  const listening = new Map<RequestId | undefined, AbortController>();
  const end = (id: RequestId | undefined) => {
    listening.get(id)?.abort();
    listening.delete(id);
  };

  /** Returns whether the request is still open and its vehicles are watched. */
  const isServed = async (id: RequestId, uris: readonly string[]): Promise<boolean> => {
    end(id);
    const ending = new AbortController();
    listening.set(id, ending);
    try {
      await subscriptions.open(uris, ending.signal);
    } catch (error) {
      const { code, message } =
        error instanceof ProtocolError ? error : { code: ProtocolErrorCode.InternalError, message: "Internal error" };
      if (!ending.signal.aborted) await transport.send({ jsonrpc: "2.0", id, error: { code, message } }).catch(() => {});
    }
    return !ending.signal.aborted;
  };

  const transport: Transport = {
    start: () => {
      wire.onerror = (error) => transport.onerror?.(error);
      wire.onclose = () => {
        for (const id of [...listening.keys()]) end(id);
        transport.onclose?.();
      };
      wire.onmessage = async (message: JSONRPCMessage, extra) => {
        const uris = listenedTo(message);
        if (uris !== undefined && isJSONRPCRequest(message) && !(await isServed(message.id, uris))) return;
        end(cancelledRequest(message));
        transport.onmessage?.(message, extra);
      };
      return wire.start();
    },
    send: (message, options) => {
      // A response ends the request, whether it failed or the server shuts down.
      if (!("method" in message)) end(message.id);
      return wire.send(message, options);
    },
    close: () => wire.close(),
  };
  return transport;
}

type HostFactory = ((context: McpRequestContext) => McpServer) & { subscriptions?: Subscriptions | undefined };

/** Serves one host over a transport, in whichever revision it speaks, and notifies it of changes that it has subscribed to. */
export function serveHost(factory: HostFactory, wire: Transport, log: ServerLog): StdioServerHandle {
  const { subscriptions } = factory;
  const onerror = ({ name }: Error) => log.error({ error: name }, "protocol");
  let serving: McpServer | undefined;
  const create = (context: McpRequestContext) => {
    serving = factory(context);
    return serving;
  };
  if (subscriptions === undefined) return serveStdio(create, { transport: wire, onerror });
  const detach = subscriptions.attach((uri) => {
    // A host that has disconnected needs no notification.
    serving?.server.sendResourceUpdated({ uri }).catch(() => {});
  });
  const handle = serveStdio(create, { transport: listeningTransport(wire, subscriptions), onerror });
  return {
    close: async () => {
      detach();
      await handle.close();
    },
  };
}
