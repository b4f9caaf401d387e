// For programs that add their own text to that of the tools, such as an MCP server, and need the same sanitizing and name lookup.
// Agents that only call tools do not need this entry point.
export { MAX_FIELDS } from "./arguments/json-arguments.ts";
export { prototypeKeyIn } from "./arguments/prototype-key.ts";
export { matchesName, type SelectableTool, selectTools } from "./availability.ts";
export { instructionsFor } from "./instructions.ts";
export type { mapFields } from "./map-positions.ts";
export { singleLine } from "./results/clip-values.ts";
export { markedText } from "./results/sandbox-mark.ts";
export { jsonEscapes, safeLines, safeValue } from "./results/visible-text.ts";
export { CONFIRMATION_MINUTES } from "./writes/confirmations.ts";
