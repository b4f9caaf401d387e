import type { Answer, Elicitation, Question } from "@fleetwire/tools";
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

/** Only an accepted form whose box is `true` is a yes; whatever else is accepted is a no. */
function answerOf({ action, content }: { action: ElicitResult["action"]; content?: Record<string, unknown> | undefined }): Answer {
  if (action === "cancel") return "cancelled";
  return action === "accept" && content?.[CONFIRM] === true ? "yes" : "declined";
}

/** How long a user may take, as long as a confirmation token lasts. */
const PATIENCE = CONFIRMATION_MINUTES * 60_000;

/** Asks over a connection of an older revision, in the middle of the call. */
async function askDuringCall({ text }: Question, { mcpReq }: ServerContext): Promise<Answer> {
  try {
    const options = { timeout: PATIENCE, signal: mcpReq.signal };
    return answerOf(await mcpReq.elicitInput({ message: text, requestedSchema: FORM }, options));
  } catch (error) {
    // A reply that does not fit the form is a reply, and no yes.
    return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams ? "declined" : "notAsked";
  }
}

/**
 * How the host of a request asks its user, and what the user replied; undefined where it cannot ask. In today's revision each request carries both, and the
 * question is the response to a call; in the older ones the connection says the former, and the question is put during the call.
 */
export function elicitationOf(request: ServerContext, connection: ClientCapabilities | undefined): Elicitation | undefined {
  const { mcpReq } = request;
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
  // Without details it means forms; a host may also say that it only opens addresses.
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined)) return undefined;
  const ask = envelope === undefined && { ask: (question: Question) => askDuringCall(question, request) };
  const state = mcpReq.requestState<string>();
  if (state === undefined) return { ...ask };
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  return { ...ask, reply: { answer: response.kind === "elicit" ? answerOf(response) : "notAsked", state } };
}
