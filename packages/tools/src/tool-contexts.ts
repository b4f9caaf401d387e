import type { ToolContext } from "./writes/write-tool.ts";

const contexts = new WeakMap<object, ToolContext>();

/** Remembers the shared state of a set of tools, so that a console uses the same view and the same masking. */
export function rememberContext<Tools extends object>(tools: Tools, context: ToolContext): Tools {
  contexts.set(tools, context);
  return tools;
}

/** Returns the shared state of a set of tools; throws a TypeError if they were not created by `createFleetTools`. */
export function contextOf(tools: object): ToolContext {
  const context = contexts.get(tools);
  if (!context) throw new TypeError("These tools were not created by createFleetTools");
  return context;
}
