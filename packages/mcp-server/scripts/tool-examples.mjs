import { readFileSync } from "node:fs";
import { samples } from "@fleetwire/core/samples";

/** Examples that a person chose, by tool. */
const chosen = JSON.parse(readFileSync(new URL("tool-examples.json", import.meta.url), "utf8"));

/** What the sandbox's fleet has under such names. */
const SAID = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans" };

const ROWS = 10;

/** The sample of an operation as its tool takes it: names in place of ids, words in place of a period, and no pages. */
function sampleArguments({ operations: [operation], inputJsonSchema: { properties } }) {
  const { input } = samples[operation.name];
  const { names = {}, period: [from] = [] } = operation.tool;
  const said = Object.entries(names).flatMap(([field, kind]) => {
    const word = kind in properties ? kind : field.replace(/Ids?$/, "");
    return field in input && word in properties ? [[word, SAID[kind]]] : [];
  });
  return {
    ...Object.fromEntries(said),
    ...("period" in properties && from in input && { period: "yesterday" }),
    ...Object.fromEntries(Object.entries(input).filter(([field]) => field in properties && field !== "limit")),
    ...("limit" in properties && { limit: ROWS }),
  };
}

/** The arguments of a call that shows what a tool does: chosen by a person, or the sample of the operation that the tool follows from. */
export function exampleOf(tool) {
  const { name, aliases } = tool;
  if (chosen[name]) return chosen[name];
  if (aliases.some((alias) => Object.hasOwn(samples, alias))) return sampleArguments(tool);
  throw new Error(`${name} has no example: give it one in packages/mcp-server/scripts/tool-examples.json`);
}
