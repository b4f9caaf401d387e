import { ApiError, type Operation, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import * as z from "zod";
import { type Fixture, fixtureText } from "../fixtures/fixture.ts";
import { PLACEHOLDERS } from "../fixtures/placeholders.ts";
import { isRecordable } from "../fixtures/recorded-headers.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
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

/** Fields and headers of a fixture whose value is neither kept for its kind nor a pseudonym. */
export function unmaskedIn({ operation: name, call = {}, request, response, expect }: Fixture, pseudonyms: Pseudonyms): string[] {
  const operation: Operation = operations[name];
  const found = new Set<string>();
  const check = new Scrubber({
    of: (value, _, path) => {
      if (!pseudonyms.has(value)) found.add(path);
      return value;
    },
  });
  check.response(response.body, schemaOf(operation, response.status, response.body), "response.body");
  if ("value" in expect) check.response(expect.value, operation.output, "expect.value");
  else check.response(expect.error.errors, z.array(ApiError), "expect.error.errors");
  check.request(call, operation, "call");
  check.request(request.query, operation, "request.query");
  if (isRecord(request.body)) check.request(request.body, operation, "request.body");
  else check.response(request.body, undefined, "request.body");
  for (const [part, { text, headers }] of Object.entries({ request, response })) {
    check.response(text, undefined, `${part}.text`);
    for (const [header, value] of Object.entries(headers)) if (!isRecordable(header, value)) found.add(`${part}.headers.${header}`);
  }
  return [...found];
}

/** Describes, without showing it, whatever looks like a secret. */
export function secretsIn(fixture: unknown, secrets: readonly string[], pseudonyms: Pseudonyms): string[] {
  const text = Object.values(PLACEHOLDERS).reduce((rest, placeholder) => rest.replaceAll(placeholder, "<>"), fixtureText(fixture));
  // Pseudonyms of keys are as long as keys; names of operations and fields have no digits.
  const words = (text.match(LONG_WORD) ?? []).filter((word) => /\d/.test(word) && /[A-Za-z]/.test(word) && !pseudonyms.isWithin(word));
  return [
    ...(secrets.some((secret) => secret.length >= 4 && text.includes(secret)) ? ["credentials or a token from this run"] : []),
    ...SECRET_PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name),
    ...(words.length > 0 ? ["a long run of letters and digits that may be a key"] : []),
  ];
}
