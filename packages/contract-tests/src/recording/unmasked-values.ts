import { type Operation, operations } from "@fleetwire/core";
import { type Fixture, fixtureText } from "../fixtures/fixture.ts";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { isRecordable } from "../fixtures/recorded-headers.ts";
import { Pseudonyms, wordPositions } from "./pseudonyms.ts";
import { Scrubber, schemaOf } from "./scrub.ts";

/** Patterns of secrets, whatever their fields are called. */
const SECRET_PATTERNS: readonly [string, RegExp][] = [
  ["a JSON web token", /eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["an authorization value", /\b(?:Basic|Bearer|TOKEN)\s+(?!<)[\w+/=.-]{8,}/],
  ["a private key", /-----BEGIN [A-Z ]+-----/],
  ["a signed address", /[?&](?:X-Amz-Signature|Signature|sig|token|access_token|key)=[^&"\s]+/i],
  ["credentials in an address", /:\/\/[^/\s"@]+:[^/\s"@]+@/],
  ["an e-mail address", /[\w.+-]+@(?!example\.(?:test|com)\b)[\w-]+\.[\w.-]+/],
];

/** Long runs of letters and digits, such as keys. */
const LONG_WORD = /[A-Za-z0-9_-]{28,}/g;

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The parts of a fixture that contain recorded data rather than names from the contract. */
type RecordedData = Pick<Fixture, "call" | "expect"> & {
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

// A flag or a single digit reveals nothing in any field.
const isHarmless = (value: unknown) =>
  typeof value === "boolean" || value === null || (Number.isInteger(value) && Math.abs(Number(value)) < 10);

/** Fields and headers of a fixture whose value is neither of the expected kind nor a pseudonym. */
export function unlikelyIn({ operation: name, call = {}, request, response, expect }: Fixture, pseudonyms: Pseudonyms): string[] {
  const operation: Operation = operations[name];
  const scrubber = new Scrubber(new Pseudonyms(Buffer.alloc(0)));
  scrubber.response(response.body, schemaOf(operation, response.status, response.body), "response.body");
  if ("value" in expect) scrubber.response(expect.value, operation.output, "expect.value");
  scrubber.request(call, operation, "call");
  scrubber.request(request.query, operation, "request.query");
  if (typeof request.body === "object" && request.body !== null)
    scrubber.request(request.body as Record<string, unknown>, operation, "request.body");
  const unexpected = scrubber.unexpected.filter(({ value }) => !leavesIn(value).every((leaf) => isHarmless(leaf) || pseudonyms.has(leaf)));
  const headers = (part: "request" | "response", held: Readonly<Record<string, string>>) =>
    Object.entries(held).flatMap(([header, value]) => (isRecordable(header, value) ? [] : [`${part}.headers.${header}`]));
  return [...unexpected.map(({ path }) => path), ...headers("request", request.headers), ...headers("response", response.headers)];
}

/** Describes, without showing it, whatever looks like a secret or is an original value that should have been replaced. */
export function leftovers(
  fixture: unknown,
  recordedData: unknown,
  secrets: readonly string[],
  { originals, all: pseudonyms }: Pseudonyms,
): string[] {
  const text = fixtureText(fixture);
  const withoutPlaceholders = Object.values(PLACEHOLDERS).reduce((rest, placeholder) => rest.replaceAll(placeholder, "<>"), text);
  const known = secrets.some((secret) => secret.length >= 4 && withoutPlaceholders.includes(secret));
  const textData = textsIn(recordedData).join("\n");
  const remaining = originals.filter((original) => !pseudonyms.has(original) && wordPositions(original, textData).length > 0);
  // Pseudonyms of keys are as long as keys; names of operations and fields have no digits.
  const words = (withoutPlaceholders.match(LONG_WORD) ?? []).filter(
    (word) => ![...pseudonyms].some((pseudonym) => pseudonym.includes(word)) && /\d/.test(word) && /[A-Za-z]/.test(word),
  );
  return [
    ...(known ? ["credentials or a token from this run"] : []),
    ...(remaining.length > 0 ? [`${remaining.length} values that should be pseudonyms`] : []),
    ...SECRET_PATTERNS.filter(([, scrubber]) => scrubber.test(withoutPlaceholders)).map(([name]) => name),
    ...(words.length > 0 ? ["a long run of letters and digits that may be a key"] : []),
  ];
}
