import { PLACEHOLDERS } from "../fixtures/stand-ins.ts";

/** What a secret may look like, whatever it is called. */
const LOOKS: readonly [string, RegExp][] = [
  ["a JSON web token", /eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["an authorization value", /\b(?:Basic|Bearer|TOKEN)\s+(?!<)[\w+/=.-]{8,}/],
  ["a private key", /-----BEGIN [A-Z ]+-----/],
  ["a signed address", /[?&](?:X-Amz-Signature|Signature|sig|token|access_token|key)=[^&"\s]+/i],
  ["credentials in an address", /:\/\/[^/\s"@]+:[^/\s"@]+@/],
  ["an e-mail address", /[\w.+-]+@(?!example\.(?:test|com)\b)[\w-]+\.[\w.-]+/],
];

/** Letters and digits without a break, such as keys are made of. */
const LONG_WORD = /[A-Za-z0-9_-]{28,}/g;

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Whatever in a text looks like a secret or like an original that should have been replaced; told by its look, never by itself. */
export function leftovers(text: string, secrets: readonly string[], originals: readonly string[], invented: ReadonlySet<string>): string[] {
  const cleared = Object.values(PLACEHOLDERS).reduce((rest, placeholder) => rest.replaceAll(placeholder, "<>"), text);
  const known = secrets.some((secret) => secret.length >= 4 && cleared.includes(secret));
  // As a whole value, or as one of a list: within words of its own, and among its names, the contract may have any of them.
  const isThere = (original: string) =>
    ['"', ","].some((before) => ['"\n', '",', ","].some((after) => cleared.includes(`${before}${inJson(original)}${after}`)));
  const kept = originals.filter((original) => isThere(original) && !invented.has(original));
  // A pseudonym of a key is as long as the key; the names of operations and fields are none.
  const words = (cleared.match(LONG_WORD) ?? []).filter(
    (word) => ![...invented].some((pseudonym) => pseudonym.includes(word)) && /\d/.test(word) && /[A-Za-z]/.test(word),
  );
  return [
    ...(known ? ["credentials or a token of this run"] : []),
    ...(kept.length > 0 ? [`${kept.length} values that should show pseudonyms`] : []),
    ...LOOKS.filter(([, look]) => look.test(cleared)).map(([name]) => name),
    ...(words.length > 0 ? ["a long word of letters and digits, as keys are"] : []),
  ];
}
