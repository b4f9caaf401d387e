import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ToolQuestion } from "../results/tool-result.ts";
import type { Person } from "../tool.ts";
import { SEAL_MINUTES } from "../writes/seal.ts";

/** The name of the one question that writes ask. */
export const CONFIRM = "confirm";

/** To accept is the yes; a host that shows the box can still take it back there. */
export const QUESTION = {
  type: "object" as const,
  properties: { [CONFIRM]: { type: "boolean" as const, title: "Send it", description: "Sends exactly what is shown", default: true } },
};

type Reply = NonNullable<Person["reply"]>;

function replyOf(
  { action, content }: { action: ElicitResult["action"]; content?: Record<string, unknown> | undefined },
  state: string | undefined,
): Reply {
  const refused = action === "decline" || (action === "accept" && content?.[CONFIRM] === false);
  return { answer: refused ? "declined" : action === "accept" ? "yes" : "cancelled", state };
}

/** Whether the person behind a request can be asked, and what they replied. In today's revision each request tells it, in the older ones the connection. */
export function personOf({ mcpReq }: ServerContext, connection: ClientCapabilities | undefined): Person {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined = mcpReq.envelope;
  const { elicitation } = (envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : connection) ?? {};
  // Without details it means forms; a host may also say that it only opens addresses.
  const canBeAsked = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  if (!canBeAsked || response.kind !== "elicit") return { canBeAsked };
  return { canBeAsked, reply: replyOf(response, mcpReq.requestState<string>()) };
}

/** How long a person may take, as long as a seal lasts. */
const PATIENCE = SEAL_MINUTES * 60_000;

/** Asks over a connection of an older revision, in the middle of the call; undefined where the host fails to. In today's revision the question is the answer to the call. */
export async function askDuringCall({ ask, state }: ToolQuestion, { mcpReq }: ServerContext): Promise<Reply | undefined> {
  try {
    return replyOf(
      await mcpReq.elicitInput({ message: ask, requestedSchema: QUESTION }, { timeout: PATIENCE, signal: mcpReq.signal }),
      state,
    );
  } catch {
    return undefined;
  }
}
