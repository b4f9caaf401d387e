import { ApiError, metadataOf, type Operation, operations, requestFields, type Sensitivity } from "@fleetwire/core";
import { definitionOf, isRecord, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { type Fixture, fixtureText, isFieldName } from "../fixtures/fixture.ts";
import { isRecordable, PLACEHOLDERS } from "../fixtures/placeholders.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { isKept, mayBeKept } from "./value-kinds.ts";

type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** What takes the place of a value; its path is for whoever only checks. */
interface Replacement {
  of<Value extends string | number>(value: Value, kind: Sensitivity, path: string): Value;
}

/** The schema of a response body. */
export function schemaOf({ name, output }: Operation, status: number, body: unknown): Schema {
  if ((status >= 200 && status < 300) || name === "requestAccessToken") return output;
  return Array.isArray(body) ? z.array(ApiError) : ApiError;
}

/** Replaces every value that is not known to identify nobody, according to each field's metadata. */
export class Scrubber {
  readonly #pseudonyms: Replacement;
  /** Paths of fields whose values were replaced. */
  readonly scrubbed = new Set<string>();
  /** Paths of fields with values of a kind other than the one documented for them. */
  readonly unexpected = new Set<string>();

  constructor(pseudonyms: Replacement) {
    this.#pseudonyms = pseudonyms;
  }

  /** Scrubs a response, using its operation's schema; a value without a schema may be anything. */
  response(value: unknown, schema: Schema | undefined, path = "$"): unknown {
    const kind = schema && metadataOf(schema)?.holds;
    if (kind !== undefined) return this.#value(value, kind, path);
    const { shape, element } = schema ? definitionOf(unwrapSchema(schema)) : {};
    if (Array.isArray(value)) return value.map((item) => this.response(item, element, `${path}[*]`));
    return isRecord(value) ? this.#fields(value, (name) => shape?.[name], path) : this.#value(value, undefined, path);
  }

  #value(value: unknown, kind: Sensitivity | undefined, path: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, kind, `${path}[*]`));
    const isExpected = kind === undefined || !mayBeKept(kind);
    if (isRecord(value)) {
      if (!isExpected) this.unexpected.add(path);
      return this.response(value, undefined, path);
    }
    // Flags and absent values identify nobody; nor does a single digit, unless it is an id or the like.
    if (typeof value !== "string" && typeof value !== "number") return value;
    if (value === "" || (kind !== undefined && isKept(value, kind))) return value;
    if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 10 && (kind === undefined || !isExpected)) return value;
    if (!isExpected) this.unexpected.add(path);
    const replaced = this.#pseudonyms.of(value, isExpected ? (kind ?? "text") : "text", path);
    if (replaced !== value) this.scrubbed.add(path);
    return replaced;
  }

  #fields(record: Json, schemaOfField: (name: string) => Schema | undefined, path: string): Json {
    const entries = Object.entries(record).map(([name, held]) => {
      const schema = schemaOfField(name);
      const shown = schema || isFieldName(name) ? name : this.#pseudonyms.of(name, "text", path);
      return [shown, this.response(held, schema, `${path}.${shown}`)];
    });
    return Object.fromEntries(entries);
  }

  /** Scrubs the fields of a request, using its operation's fields. */
  request(fields: Json, operation: Operation, path: string): Json {
    const described = requestFields(operation);
    return this.#fields(fields, (name) => described[name]?.schema, path);
  }
}

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
