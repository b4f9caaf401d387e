const MARKS = /["'`´«»‘-‟′-‷⹂❛-❞〝-〟＂＇]+/g;
const APOSTROPHE = /^['’`´‘]$/;

/** Text of the service as a quotation that it cannot end: between `“` and `”`. Whatever looks like a double mark within it becomes an apostrophe. */
export function quoted(text: string): string {
  return `“${text.replace(MARKS, (marks) => (APOSTROPHE.test(marks) ? marks : "'"))}”`;
}
