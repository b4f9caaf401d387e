import type { McpRequestContext, McpServer, Transport } from "@modelcontextprotocol/server";
import { type StdioServerHandle, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServerLog } from "../log.ts";
import type { Subscriptions } from "../mcp/subscriptions.ts";
import { listeningTransport } from "./listening-transport.ts";

interface HostFactory {
  (context: McpRequestContext): McpServer;
  subscriptions?: Subscriptions | undefined;
}

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
