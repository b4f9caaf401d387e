import { readFileSync } from "node:fs";
import type { OperationName } from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import type { ToolDescription } from "@fleetwire/tools";

type Arguments = Record<string, unknown>;

/** Examples chosen by hand, by tool. */
const chosen = JSON.parse(readFileSync(new URL("tool-examples.json", import.meta.url), "utf8")) as Record<string, Arguments>;

/** Names that exist in the sandbox's fleet, by kind. */
const SAID: Readonly<Record<string, string>> = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans" };

const ROWS = 10;

/** Converts an operation's sample to arguments of its tool: names instead of ids, a period in words, and no pagination. */
function sampleArguments({ operations: [operation], inputJsonSchema }: ToolDescription): Arguments {
  const properties = inputJsonSchema["properties"] as Arguments;
  const input = samples[operation?.name as OperationName].input as Arguments;
  const { names = {}, period: [from = ""] = [] } = operation?.tool ?? {};
  const said = Object.entries(names).flatMap(([field, kind = ""]) => {
    const word = kind in properties ? kind : field.replace(/Ids?$/, "");
    return field in input && word in properties ? [[word, SAID[kind]]] : [];
  });
  return {
    ...Object.fromEntries(said),
    ...("period" in properties && from in input && { period: "yesterday" }),
    ...Object.fromEntries(Object.entries(input).filter(([field]) => field in properties && field !== "limit" && field !== "sort")),
    ...("limit" in properties && { limit: ROWS }),
  };
}

/** The arguments of an example call: chosen by hand, or from the sample of the operation that the tool is derived from. */
export function exampleOf(tool: ToolDescription): Arguments {
  const { name, aliases } = tool;
  if (chosen[name]) return chosen[name];
  if (aliases.some((alias) => Object.hasOwn(samples, alias))) return sampleArguments(tool);
  throw new Error(`${name} has no example: add one to packages/mcp-server/scripts/tool-examples.json`);
}
