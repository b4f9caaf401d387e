// For programs that add text of their own to that of the tools, such as an MCP server: they need the same sanitizing and the same lookup
// of names.
// Agents that only call tools need none of this.
export { prototypeKeyIn } from "./arguments/prototype-key.ts";
export { matchesName } from "./available-tools.ts";
export { singleLine } from "./results/clip-values.ts";
export { markedText } from "./results/sandbox-mark.ts";
export { jsonEscapes, safeLines, safeValue } from "./results/visible-text.ts";
export { CONFIRMATION_MINUTES } from "./writes/confirmation-token.ts";
