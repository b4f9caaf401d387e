/** What results call a driver who is in no live position: "id", and the id or driver key. */
const SHOWN = /^\s*id\s+(\S.*?)\s*$/i;
const CODE = /^(?=.*\d|.{10})[a-z0-9]{6,}$/i;
/** Letters and digits in turn, unlike a name with a number. */
const GENERATED = /^(?=.{8,}$)([a-z]+\d+[a-z]|\d+[a-z]+\d)[a-z0-9]*$/i;

/** Returns the id in a text that results show for an unnamed driver. */
export const shownId = (text: string): string | undefined => SHOWN.exec(text)?.[1];

/** Returns a text that may be an id, or a misspelt name. */
export const possibleId = (text: string): string | undefined => CODE.exec(text.trim())?.[0];

/** Returns a text that can only be an id. */
export const generatedId = (text: string): string | undefined => GENERATED.exec(text.trim())?.[0];
