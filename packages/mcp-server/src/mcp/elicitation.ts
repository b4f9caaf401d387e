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

/** The name of the only input that writes request. */
export const CONFIRM = "confirm";

/** The form that hosts show. Its box is ticked by default, so accepting means yes and unticking means no. */
export const FORM = {
  type: "object" as const,
  properties: { [CONFIRM]: { type: "boolean" as const, title: "Send it", description: "Sends exactly what is shown", default: true } },
  required: [CONFIRM],
};

/** Only an accepted form whose box is `true` is a yes; any other accepted form is a no. */
function answerOf({ action, content }: { action: ElicitResult["action"]; content?: Record<string, unknown> | undefined }): Answer {
  if (action === "cancel") return "cancelled";
  return action === "accept" && content?.[CONFIRM] === true ? "yes" : "declined";
}

/** How long a user may take: as long as a confirmation token is valid. */
const ELICITATION_TIMEOUT_MS = CONFIRMATION_MINUTES * 60_000;

/** Asks during the call, as the older revisions do. */
async function askDuringCall({ text }: Question, { mcpReq }: ServerContext): Promise<Answer> {
  try {
    const options = { timeout: ELICITATION_TIMEOUT_MS, signal: mcpReq.signal };
    return answerOf(await mcpReq.elicitInput({ message: text, requestedSchema: FORM }, options));
  } catch (error) {
    // A reply that does not match the form is still a reply, and not a yes.
    return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams ? "declined" : "notAsked";
  }
}

/**
 * How a request's host asks its user, and what the user replied; undefined if it cannot ask. In the current revision, capabilities and reply come with each
 * request, and the question is the response to a call. In older revisions, the connection has the capabilities, and the question is asked during the call.
 */
export function elicitationOf(request: ServerContext, connection: ClientCapabilities | undefined): Elicitation | undefined {
  const { mcpReq } = request;
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
  // Elicitation without details means forms; some hosts only open URLs.
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined)) return undefined;
  const ask = envelope === undefined && { ask: (question: Question) => askDuringCall(question, request) };
  const state = mcpReq.requestState<string>();
  if (state === undefined) return { ...ask };
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  return { ...ask, reply: { answer: response.kind === "elicit" ? answerOf(response) : "notAsked", state } };
}
