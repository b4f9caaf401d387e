import { FleetError, parseInput, withDetails } from "@fleetwire/core";
import type { Tool } from "../tool.ts";
import { toJsonArguments } from "./json-arguments.ts";
import { prototypeKeyIn } from "./prototype-key.ts";
import { repairedArguments } from "./repair-arguments.ts";

/** Arguments as the tool takes them, or an `input` error that says how to fix them. */
export function checkedArguments(tool: Pick<Tool, "name" | "input" | "inputSchema">, raw: unknown): Record<string, unknown> {
  const args = toJsonArguments(tool.name, raw);
  const named = prototypeKeyIn(args);
  if (named !== undefined)
    throw new FleetError("input", `${tool.name}: ${named}: is no field of ${tool.name}`, { advice: "Call again without it" });
  const { args: given, fits } = repairedArguments(tool.input, args ?? {});
  // As they were given: the client parses anew.
  if (fits) return given as Record<string, unknown>;
  try {
    // Only it puts in words what is wrong.
    parseInput(tool, given);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const fields = Object.keys(tool.inputSchema["properties"] as object).join(", ");
    throw withDetails(error, { advice: `Call again with these mended; ${tool.name} takes ${fields}` });
  }
  return given as Record<string, unknown>;
}
