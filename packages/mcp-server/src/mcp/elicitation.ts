import type { Answer, Elicitation, Question } from "@fleetwire/tools";
import { CONFIRMATION_MINUTES } from "@fleetwire/tools/host";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** Name of the only input requested for a write. */
const CONFIRM = "confirm";

/** The form that hosts display. Its checkbox is checked by default, so accepting the form means yes unless the user clears it. */
const FORM = {
  type: "object" as const,
  properties: { [CONFIRM]: { type: "boolean" as const, title: "Send it", description: "Sends exactly what is shown", default: true } },
  required: [CONFIRM],
};

/** Asks the user with the response to a call. */
export const inputRequiredFor = (text: string, requestState: string): InputRequiredResult =>
  inputRequired({ inputRequests: { [CONFIRM]: inputRequired.elicit({ message: text, requestedSchema: FORM }) }, requestState });

/** Only an accepted form whose checkbox is `true` counts as a yes; any other accepted form counts as a no. */
function answerOf({ action, content }: { action: ElicitResult["action"]; content?: Record<string, unknown> | undefined }): Answer {
  if (action === "cancel") return "cancelled";
  return action === "accept" && content?.[CONFIRM] === true ? "yes" : "declined";
}

/** The capabilities of the host that sent a request. In the current revision, each request carries them; in older ones, they belong to the connection. */
export function capabilitiesOf({ mcpReq }: ServerContext, connection: ClientCapabilities | undefined): ClientCapabilities {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  return (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
}

/** How long a user may take to reply: as long as a confirmation token is valid. */
const ELICITATION_TIMEOUT_MS = CONFIRMATION_MINUTES * 60_000;

/** Asks the user during the call, as in older protocol revisions. */
async function askDuringCall({ text }: Question, { mcpReq }: ServerContext): Promise<Answer> {
  try {
    const options = { timeout: ELICITATION_TIMEOUT_MS, signal: mcpReq.signal };
    return answerOf(await mcpReq.elicitInput({ message: text, requestedSchema: FORM }, options));
  } catch (error) {
    // A reply that does not match the form is still a reply, but not a yes.
    return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams ? "declined" : "notAsked";
  }
}

/**
 * Returns how the host that sent a request can ask its user, and any reply; undefined if the host cannot ask. In the current revision, each request carries
 * the host's capabilities and any reply, and the question is sent as the response to a call. In older revisions, the capabilities belong to the connection,
 * and the question is asked during the call.
 */
export function elicitationOf(request: ServerContext, connection: ClientCapabilities | undefined): Elicitation | undefined {
  const { mcpReq } = request;
  const { elicitation } = capabilitiesOf(request, connection);
  // An elicitation capability without details means forms; some hosts support only URLs.
  if (elicitation === undefined || (elicitation.form === undefined && elicitation.url !== undefined)) return undefined;
  const ask = mcpReq.envelope === undefined && { ask: (question: Question) => askDuringCall(question, request) };
  const state = mcpReq.requestState<string>();
  if (state === undefined) return { ...ask };
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  return { ...ask, reply: { answer: response.kind === "elicit" ? answerOf(response) : "notAsked", state } };
}
