import type { Elicitation, ToolQuestion } from "@fleetwire/tools/host";
import { CONFIRMATION_MINUTES } from "@fleetwire/tools/host";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The name of the one question that writes ask. */
export const CONFIRM = "confirm";

/** The form that comes with the question. Hosts show the box ticked, so that to accept is the yes, and to untick it takes the yes back. */
export const FORM = {
  type: "object" as const,
  properties: { [CONFIRM]: { type: "boolean" as const, title: "Send it", description: "Sends exactly what is shown", default: true } },
  required: [CONFIRM],
};

type Reply = NonNullable<Elicitation["reply"]>;

/** Only an accepted form whose box is `true` is a yes; whatever else is accepted is a no. */
function replyOf(
  { action, content }: { action: ElicitResult["action"]; content?: Record<string, unknown> | undefined },
  state: string | undefined,
): Reply {
  if (action === "cancel") return { answer: "cancelled", state };
  return { answer: action === "accept" && content?.[CONFIRM] === true ? "yes" : "declined", state };
}

/** What the host of a request offers, and what its user replied. In today's revision each request carries both, in the older ones the connection the former. */
export function elicitationOf({ mcpReq }: ServerContext, connection: ClientCapabilities | undefined): Elicitation {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
  // Without details it means forms; a host may also say that it only opens addresses.
  const canElicit = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const state = mcpReq.requestState<string>();
  if (!canElicit || state === undefined) return { canElicit };
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  return { canElicit, reply: response.kind === "elicit" ? replyOf(response, state) : { answer: "notAsked", state } };
}

/** How long a user may take, as long as a confirmation token lasts. */
const PATIENCE = CONFIRMATION_MINUTES * 60_000;

/** Asks over a connection of an older revision, in the middle of the call. In today's revision the question is the response to the call. */
export async function askDuringCall({ ask, state }: ToolQuestion, { mcpReq }: ServerContext): Promise<Reply> {
  try {
    const options = { timeout: PATIENCE, signal: mcpReq.signal };
    return replyOf(await mcpReq.elicitInput({ message: ask, requestedSchema: FORM }, options), state);
  } catch (error) {
    // A reply that does not fit the form is a reply, and no yes.
    const misfits = error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
    return { answer: misfits ? "declined" : "notAsked", state };
  }
}
