import { type Operation, operations } from "@fleetwire/core";
import { type Fixture, fixtureText } from "../fixtures/fixture.ts";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { isRecordable } from "./headers.ts";
import { Pseudonyms, placesOf } from "./pseudonyms.ts";
import { Scrubber, schemaOf } from "./scrub.ts";

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

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** What a fixture holds of people's own, in place of the contract's words: its path, its headers and the names of its fields may be anybody's. */
export type RecordedData = Pick<Fixture, "call" | "expect"> & {
  request: Pick<Fixture["request"], "query" | "body" | "text">;
  response: Pick<Fixture["response"], "body" | "text">;
};

export const recordedDataIn = ({ call, request, response, expect }: Fixture): RecordedData => ({
  ...(call && { call }),
  expect,
  request: { query: request.query, body: request.body, text: request.text },
  response: { body: response.body, text: response.text },
});

const leavesIn = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [value];

// A flag and a digit are nobody's, in whatever field they stand.
const tellsNothing = (value: unknown) =>
  typeof value === "boolean" || value === null || (Number.isInteger(value) && Math.abs(Number(value)) < 10);

/** Fields and headers of a fixture that hold neither what their kind says nor a pseudonym. */
export function unlikelyIn({ operation: name, call = {}, request, response, expect }: Fixture, pseudonyms: Pseudonyms): string[] {
  const operation: Operation = operations[name];
  const look = new Scrubber(new Pseudonyms(Buffer.alloc(0)));
  look.answer(response.body, schemaOf(operation, response.status, response.body), "response.body");
  if ("value" in expect) look.answer(expect.value, operation.output, "expect.value");
  look.request(call, operation, "call");
  look.request(request.query, operation, "request.query");
  if (typeof request.body === "object" && request.body !== null)
    look.request(request.body as Record<string, unknown>, operation, "request.body");
  const odd = look.odd.filter(({ value }) => !leavesIn(value).every((leaf) => tellsNothing(leaf) || pseudonyms.has(leaf)));
  const headers = (part: "request" | "response", held: Readonly<Record<string, string>>) =>
    Object.entries(held).flatMap(([header, value]) => (isRecordable(header, value) ? [] : [`${part}.headers.${header}`]));
  return [...odd.map(({ place }) => place), ...headers("request", request.headers), ...headers("response", response.headers)];
}

/** Whatever in a fixture looks like a secret or is an original that should have been replaced; told by its look, never by itself. */
export function leftovers(fixture: unknown, people: unknown, secrets: readonly string[], { originals, invented }: Pseudonyms): string[] {
  const text = fixtureText(fixture);
  const cleared = Object.values(PLACEHOLDERS).reduce((rest, placeholder) => rest.replaceAll(placeholder, "<>"), text);
  const known = secrets.some((secret) => secret.length >= 4 && cleared.includes(secret));
  const told = textsIn(people).join("\n");
  const kept = originals.filter((original) => !invented.has(original) && placesOf(original, told).length > 0);
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
