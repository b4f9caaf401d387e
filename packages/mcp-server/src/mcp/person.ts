import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, inputResponse, type ServerContext } from "@modelcontextprotocol/server";
import type { Person } from "../tool.ts";

/** The name of the one question that writes ask. */
export const CONFIRM = "confirm";

/** To accept is the yes; a host that shows the box can still take it back there. */
export const QUESTION = {
  type: "object" as const,
  properties: { [CONFIRM]: { type: "boolean" as const, title: "Send it", description: "Sends exactly what is shown", default: true } },
};

/** Whether the person behind a request can be asked, and what they replied. In today's revision each request tells it, in the older ones the connection. */
export function personOf({ mcpReq }: ServerContext, connection: ClientCapabilities | undefined): Person {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
  // Without details it means forms; a host may also say that it only opens addresses.
  const canBeAsked = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  if (!canBeAsked || response.kind !== "elicit") return { canBeAsked };
  const { action, content } = response;
  const refused = action === "decline" || (action === "accept" && content?.[CONFIRM] === false);
  return {
    canBeAsked,
    reply: { answer: refused ? "declined" : action === "accept" ? "yes" : "cancelled", state: mcpReq.requestState<string>() },
  };
}
