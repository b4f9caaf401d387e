export { compareReleases, notCompared } from "./compare-releases.ts";
export { readRelease } from "./read-release.ts";
export { releaseNote } from "./release-note.ts";
