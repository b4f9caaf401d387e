export { nameWords } from "./name-words.ts";
export { Pseudonyms } from "./pseudonyms.ts";
export { recordingOf } from "./record.ts";
export { Scrubber } from "./scrub.ts";
export { leftovers, recordedDataIn, unlikelyIn } from "./unmasked-values.ts";
export { isKnownValue, isOfKind } from "./value-kinds.ts";
export { type Change, changesIn, writeRecordings } from "./write-recordings.ts";
