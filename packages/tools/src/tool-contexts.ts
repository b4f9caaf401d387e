import type { ToolContext } from "./tool.ts";

const contexts = new WeakMap<object, ToolContext>();

/** Remembers what a set of tools shares, so that a console reads the fleet through the same view and the same masks. */
export function rememberContext<Tools extends object>(tools: Tools, context: ToolContext): Tools {
  contexts.set(tools, context);
  return tools;
}

/** Returns what a set of tools shares; throws a TypeError if they were not created by `createFleetTools`. */
export function contextOf(tools: object): ToolContext {
  const context = contexts.get(tools);
  if (!context) throw new TypeError("These tools were not created by createFleetTools");
  return context;
}
