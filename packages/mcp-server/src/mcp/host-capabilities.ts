import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext } from "@modelcontextprotocol/server";

/** The capabilities of the host that sent a request. In the current revision, each request carries them; in older ones, they belong to the connection. */
export function capabilitiesOf({ mcpReq }: ServerContext, connection: ClientCapabilities | undefined): ClientCapabilities {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  return (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
}
