// For programs that add their own text to that of the tools, such as an MCP server, and need the same sanitizing and name lookup.
// Agents that only call tools do not need this entry point.
export { MAX_FIELDS, prototypeKeyIn } from "./arguments/checked-arguments.ts";
export { availabilityOf, instructionsFor, matchesName, type SelectableTool, selectTools } from "./availability.ts";
export { withObserved } from "./query/undocumented-list.ts";
export { CALL_TIMEOUT } from "./runtime/call-deadline.ts";
export { singleLine } from "./text/clip-values.ts";
export { markedText } from "./text/result-marks.ts";
export { safeLines, safeValue } from "./text/visible-text.ts";
export type { mapFields } from "./tools/map-positions.ts";
export { CONFIRMATION_MINUTES } from "./writes/confirmations.ts";
