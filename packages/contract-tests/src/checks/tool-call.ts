import { type Operation, operations } from "@fleetwire/core";
import type { NamedFixture } from "../fixtures/fixture.ts";

type Json = Record<string, unknown>;

/** A tool as a host sees it. */
export interface OfferedTool {
  name: string;
  inputSchema: { properties?: Json | undefined };
  outputSchema?: Json | undefined;
}

/** How a fixture is expressed as the call of a tool. */
export interface ToolCall {
  arguments: Json;
  /** What the tool sends beside what was recorded, and why it does is told in `docs/decisions.md`. */
  addedQuery: Record<string, string>;
  addedBody: Json;
  /** A cursor is needed, which the call of this fixture before it gives. */
  after?: NamedFixture;
}

/** `listLivePositions` as a tool is `list_live_positions`. */
export const toolNameOf = (operation: string): string => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The privacy setting under which a tool sends what was recorded: without a word it asks for speeds to be left out where they are sensitive. */
export const privacyOf = ({ request }: NamedFixture): "respect" | "off" =>
  request.query["hideSpeedIfSpeedSensitive"] === "true" ? "respect" : "off";

const ROWS_AT_MOST = 500;
const USUAL_LIMIT = 20;

function isPriorTo(fixture: NamedFixture, other: NamedFixture, { paging }: Operation): boolean {
  if (!paging || other.operation !== fixture.operation || !("value" in other.expect)) return false;
  const [position, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const withoutPlace = ({ call = {}, request }: NamedFixture) => JSON.stringify({ ...call, [position]: 0, headers: request.headers });
  if (withoutPlace(fixture) !== withoutPlace(other) || fixture.call?.[size] === undefined) return false;
  const items = (other.expect.value as Record<string, unknown[]>)[paging.items]?.length ?? 0;
  const turnedBy = paging.kind === "page" ? 1 : items;
  return turnedBy > 0 && Number(other.call?.[position] ?? 0) + turnedBy === Number(fixture.call?.[position]);
}

/**
 * A fixture's call in a tool's words, or why there is none. Each read differs from those before it in what is left to the caller, so that no tool
 * may answer it from what it has just read.
 */
export function toolCallOf(
  fixture: NamedFixture,
  tools: ReadonlyMap<string, OfferedTool>,
  fixtures: readonly NamedFixture[],
  occurrence: number,
): ToolCall | { skipped: string } {
  const operation: Operation = operations[fixture.operation];
  const tool = tools.get(toolNameOf(operation.name));
  if (!tool) return { skipped: "no tool leads to this operation" };
  const { hideSpeedIfSpeedSensitive: _, ...call }: Json = fixture.call ?? {};
  const toolCall: ToolCall = { arguments: call, addedQuery: {}, addedBody: {} };
  if (typeof call["scheduledStartDateTime"] === "string" && !call["scheduledStartDateTime"].includes("T"))
    return { skipped: "a tool takes no day before month: a model would mean the month first" };

  const { paging } = operation;
  if (paging) {
    const [position, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
    const { [position]: place, [size]: asked, ...rest } = call;
    const limit = Number(asked ?? USUAL_LIMIT + occurrence);
    const before = Number(place ?? 0) > 0 ? fixtures.find((other) => isPriorTo(fixture, other, operation)) : undefined;
    if (Number(place ?? 0) > 0 && !before)
      return { skipped: `a tool turns pages by cursor, and no fixture leads up to ${position} ${place}` };
    if (before) toolCall.after = before;
    toolCall.arguments = { ...rest, limit };
    if (paging.kind === "page") toolCall.addedQuery = { [position]: "0", [size]: String(limit) };
    else toolCall.addedBody = { [position]: 0, [size]: limit };
  } else if (operation.undocumented) {
    const query = { ...((call["query"] ?? {}) as Json), ...(occurrence > 0 && { occurrence: String(occurrence) }) };
    toolCall.arguments = { query, limit: ROWS_AT_MOST };
    if (occurrence > 0) toolCall.addedQuery = { occurrence: String(occurrence) };
  } else if (operation.name === "listLivePositions") {
    toolCall.arguments = { ...call, limit: ROWS_AT_MOST, ...(occurrence > 0 && { locale: `en-x-${occurrence}` }) };
    toolCall.addedQuery = {
      hideSpeedIfSpeedSensitive: String(privacyOf(fixture) === "respect"),
      ...(occurrence > 0 && { locale: `en-x-${occurrence}` }),
    };
  }
  return toolCall;
}
