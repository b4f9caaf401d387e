export { Pseudonyms } from "./pseudonyms.ts";
export { recordingOf } from "./record.ts";
export { Scrubber } from "./scrub.ts";
export { secretsIn, unmaskedIn } from "./unmasked-values.ts";
export { isKnownValue } from "./value-kinds.ts";
export { type Change, changesIn, writeRecordings } from "./write-recordings.ts";
