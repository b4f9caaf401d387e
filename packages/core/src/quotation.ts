const MARKS = /["'`´«»‘-‟′-‷⹂❛-❞〝-〟＂＇]+/g;
const APOSTROPHE = /^['’`´‘]$/;

/**
 * Quotes text from the service between `“` and `”`. Anything inside that looks like a double quote becomes an apostrophe, so that the text cannot close the
 * quotation.
 */
export function quoted(text: string): string {
  return `“${text.replace(MARKS, (marks) => (APOSTROPHE.test(marks) ? marks : "'"))}”`;
}
