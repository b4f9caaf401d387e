// For a program that puts tools in front of a model and writes texts of its own beside theirs, as a server of a protocol does: the same care for what such a
// text may hold, and the same way in which a name calls a tool. An agent that only calls tools needs none of it.
export { prototypeKeyIn } from "./arguments/prototype-key.ts";
export { matchesName } from "./available-tools.ts";
export { singleLine } from "./results/clip-values.ts";
export { markedText } from "./results/sandbox-mark.ts";
export { jsonEscapes, safeLines, safeValue } from "./results/visible-text.ts";
export { CONFIRMATION_MINUTES } from "./writes/confirmation-token.ts";
