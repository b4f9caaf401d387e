import { FleetError } from "@fleetwire/core";
import { isRecord, parseInput, withDetails } from "@fleetwire/core/internal";
import type { ToolTexts } from "../model/tool.ts";
import { toJsonArguments } from "./json-arguments.ts";
import { prototypeKeyIn } from "./prototype-key.ts";
import { repairedArguments } from "./repair-arguments.ts";

/**
 * Several times what a model needs for a read, yet few enough to search quickly. A cursor does not count: we issue it, and it grows with the names
 * that it holds. Writes are limited by their preview.
 */
const MAX_READ_CHARACTERS = 4000;

/** Arguments that a host adds to each call, which a tool without such a field ignores. */
const HOST_ARGUMENTS: Readonly<Record<string, "n8n">> = {
  toolCallId: "n8n",
  tool: "n8n",
  sessionId: "n8n",
  action: "n8n",
  chatInput: "n8n",
};

/** Texts that models write for a missing value. */
const NOTHING = new Set(["null", "None", "undefined"]);

/** Removes what a host has added, and texts that mean nothing. A write is refused instead of sending less than the model may have meant. */
function withoutAdditions({ name, effect, input }: Pick<ToolTexts, "name" | "effect" | "input">, args: Record<string, unknown>) {
  const isNothing = (value: unknown) => typeof value === "string" && NOTHING.has(value.trim());
  const isOptional = (field: string) => Object.hasOwn(input.shape, field) && input.shape[field]?.safeParse(undefined).success === true;
  const kept = Object.entries(args).filter(([field]) => field in input.shape || !Object.hasOwn(HOST_ARGUMENTS, field));
  for (const [field, value] of effect === "read" ? [] : kept) {
    const nothing = isOptional(field) ? [value].flat().find(isNothing) : undefined;
    if (nothing !== undefined)
      throw new FleetError("input", `${name}: ${field}: "${nothing}" is no value`, {
        advice: `Call again without ${field}, or ask the user for it`,
      });
  }
  return Object.fromEntries(kept.filter(([field, value]) => !isNothing(value) || !isOptional(field)));
}

const sizeOf = (args: unknown) => (isRecord(args) ? JSON.stringify({ ...args, cursor: undefined }) : JSON.stringify(args ?? {})).length;

/** Validates arguments and returns them as the tool expects them. Throws an `input` error that says how to fix them. */
export function checkedArguments(
  tool: Pick<ToolTexts, "name" | "effect" | "input" | "inputSchema">,
  raw: unknown,
): Record<string, unknown> {
  const args = toJsonArguments(tool.name, raw);
  if (tool.effect === "read" && sizeOf(args) > MAX_READ_CHARACTERS)
    throw new FleetError("input", `${tool.name}: the arguments exceed ${MAX_READ_CHARACTERS} characters`, {
      advice: "Ask for less in one call",
    });
  const named = prototypeKeyIn(args);
  if (named !== undefined)
    throw new FleetError("input", `${tool.name}: ${named}: is not a field of ${tool.name}`, { advice: "Call again without it" });
  const { args: given, fits } = repairedArguments(tool, isRecord(args) ? withoutAdditions(tool, args) : (args ?? {}));
  if (!fits) {
    try {
      // Called only for its error, which describes what is wrong.
      parseInput(tool, given);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      const fields = Object.keys(tool.inputSchema["properties"] as object).join(", ");
      const isKnown = Object.keys(given as object).every((field) => field in tool.input.shape);
      throw withDetails(error, { advice: `Fix these and call again${isKnown ? "" : `; ${tool.name} takes ${fields}`}` });
    }
  }
  // Unparsed, because the client parses them.
  return given as Record<string, unknown>;
}
