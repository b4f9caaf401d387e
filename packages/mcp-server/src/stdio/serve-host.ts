import type { McpServer, McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { type StdioServerHandle, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServerLog } from "../log.ts";
import type { ServerFactory } from "../mcp/server-factory.ts";
import { listeningTransport } from "./listening-transport.ts";

/** Serves one host over a transport, in whichever revision it speaks, and notifies it of changes that it has subscribed to. */
export function serveHost(factory: ServerFactory, wire: Transport, log: ServerLog): StdioServerHandle {
  const { subscriptions } = factory;
  const onerror = ({ name }: Error) => log.error({ error: name }, "protocol");
  if (subscriptions === undefined) return serveStdio(factory, { transport: wire, onerror });
  let serving: McpServer | undefined;
  const create: McpServerFactory = (context) => {
    serving = factory(context);
    return serving;
  };
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
