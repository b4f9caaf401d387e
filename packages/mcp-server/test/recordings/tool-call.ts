import type { NamedFixture } from "@fleetwire/contract-tests";
import { type Operation, operations } from "@fleetwire/core";

type Json = Record<string, unknown>;

/** A tool as an MCP host sees it. */
export interface OfferedTool {
  name: string;
  inputSchema: { properties?: Json | undefined };
  outputSchema?: Json | undefined;
}

/** A fixture's call, expressed as a tool call. */
export interface ToolCall {
  arguments: Json;
  /** What the tool sends in addition to the recorded request, for the reasons given in `docs/decisions.md`. */
  addedQuery: Record<string, string>;
  /** What it sends in place of the recorded values. */
  ownQuery?: Record<string, string>;
  ownBody?: Json;
}

/** The tool name of an operation: `list_live_positions` for `listLivePositions`. */
export const toolNameOf = (operation: string): string => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The privacy setting with which a tool sends the recorded request; by default, tools ask for sensitive speeds to be hidden. */
export const privacyOf = ({ request }: NamedFixture): "respect" | "off" =>
  request.query["hideSpeedIfSpeedSensitive"] === "true" ? "respect" : "off";

const MAX_ROWS = 500;
/** The page size with which tools read a whole list. */
const WHOLE_LIST_PAGE_SIZE = 200;

/** Whether the response says that there are pages after the first one. */
function hasMorePages({ operation, expect }: NamedFixture): boolean {
  const { paging }: Operation = operations[operation];
  if (!paging || !("value" in expect)) return false;
  const at = (path: string) => path.split(".").reduce<unknown>((value, name) => (value as Json | undefined)?.[name], expect.value);
  return paging.kind === "page"
    ? Number(at(paging.totalPages)) > 1
    : Number(at(paging.totalItems)) > (at(paging.items) as unknown[]).length;
}

/**
 * A fixture's call as a tool call, or why there is none. `occurrence` makes repeated reads differ in an arbitrary parameter, so that no result comes
 * from the read cache.
 */
export function toolCallOf(
  fixture: NamedFixture,
  tools: ReadonlyMap<string, OfferedTool>,
  occurrence: number,
): ToolCall | { skipped: string } {
  const operation: Operation = operations[fixture.operation];
  const tool = tools.get(toolNameOf(operation.name));
  if (!tool) return { skipped: "no tool calls this operation" };
  const { hideSpeedIfSpeedSensitive: _, ...call }: Json = fixture.call ?? {};
  const toolCall: ToolCall = { arguments: call, addedQuery: {} };
  if (typeof call["scheduledStartDateTime"] === "string" && !call["scheduledStartDateTime"].includes("T"))
    return { skipped: "tools reject dates with the day before the month, since models put the month first" };
  if (Object.values(call).includes("")) return { skipped: "tools send no empty strings, since hosts use them for missing values" };

  const { paging } = operation;
  if (paging) {
    const [position, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
    const { [position]: place, [size]: _size, ...rest } = call;
    if (rest["sort"] !== undefined) return { skipped: "tools sort themselves" };
    if (Number(place ?? 0) > 0 || hasMorePages(fixture)) return { skipped: "the tool reads all pages, but a fixture contains only one" };
    if (occurrence > 0) return { skipped: "an earlier fixture has the same request" };
    const own = { [position]: 0, [size]: WHOLE_LIST_PAGE_SIZE };
    toolCall.arguments = { ...rest, limit: MAX_ROWS };
    if (paging.kind === "offset") toolCall.ownBody = own;
    else toolCall.ownQuery = Object.fromEntries(Object.entries(own).map(([field, value]) => [field, String(value)]));
  } else if (operation.undocumented) {
    const query = { ...((call["query"] ?? {}) as Json), ...(occurrence > 0 && { occurrence: String(occurrence) }) };
    toolCall.arguments = { query, limit: MAX_ROWS };
    if (occurrence > 0) toolCall.addedQuery = { occurrence: String(occurrence) };
  } else if (operation.name === "listLivePositions") {
    // Without an argument of the operation, the tool would read its view of the fleet.
    const isBare = Object.keys(call).length === 0;
    const locale = occurrence > 0 || isBare ? { locale: `en-x-${occurrence}` } : {};
    toolCall.arguments = { ...call, ...locale, limit: MAX_ROWS };
    toolCall.addedQuery = { hideSpeedIfSpeedSensitive: String(privacyOf(fixture) === "respect"), ...locale };
  }
  return toolCall;
}
