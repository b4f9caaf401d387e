import { createFleetClient, type FleetError, type Operation, operations, pathOf, serverNames } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type { Exchange } from "../deployment/observed-client.ts";
import type { StepOutcome } from "../deployment/run-plan.ts";
import { Fixture, isFieldName, type NamedFixture } from "../fixtures/fixture.ts";
import { CREDENTIAL_HEADERS, FIXTURE_CUSTOMER, PLACEHOLDERS, REPLAY_CREDENTIALS, schemeIn, withSecrets } from "../fixtures/placeholders.ts";
import { recordedHeaders } from "../fixtures/recorded-headers.ts";
import { jsonOf, pathsIn } from "../json-values.ts";
import { SANDBOX_AT_START } from "../provider/provider-sandbox.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { Scrubber, schemaOf } from "./scrub.ts";

/** Up to `most` records that together fill the most paths, in their original order. */
function mostComplete(records: readonly unknown[], most: number): unknown[] {
  const chosen = new Set<number>();
  const shown = new Set<string>();
  const adds = (record: unknown) => [...pathsIn(record).keys()].filter((path) => !shown.has(path));
  while (chosen.size < Math.min(most, records.length)) {
    const rest = [...records.keys()].filter((at) => !chosen.has(at));
    const best = rest.reduce((one, other) => (adds(records[other]).length > adds(records[one]).length ? other : one));
    chosen.add(best);
    for (const path of adds(records[best])) shown.add(path);
  }
  return [...chosen].sort((a, b) => a - b).map((at) => records[at]);
}

/** Shortens the lists of records in a body, without changing its counts. */
function shortened(body: unknown, most: number): { body: unknown; omitted: string[] } {
  const omitted: string[] = [];
  const shorten = (list: readonly unknown[], path: string): unknown[] => {
    if (list.length <= most || typeof list[0] !== "object") return [...list];
    omitted.push(`${path}: ${most} of ${list.length} records`);
    return mostComplete(list, most);
  };
  if (Array.isArray(body)) return { body: shorten(body, "$"), omitted };
  if (!isRecord(body)) return { body, omitted };
  const pathOf = (name: string) => `$.${isFieldName(name) ? name : "<name>"}`;
  const entries = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? shorten(value, pathOf(name)) : value]);
  return { body: Object.fromEntries(entries), omitted };
}

interface RecordOptions {
  kind: "sandbox" | "live";
  /** The day, as YYYY-MM-DD. */
  date: string;
  pseudonyms: Pseudonyms;
  /** Maximum records to keep per list. */
  records: number;
}

type Json = Record<string, unknown>;

function requestBody(operation: Operation, { requestBody: text }: Exchange, scrubber: Scrubber): Fixture["request"]["body"] {
  if (text === "") return undefined;
  const isForm = operation.contentType?.startsWith("application/x-www-form-urlencoded");
  const fields = isForm ? Object.fromEntries(new URLSearchParams(text)) : (jsonOf(text) as Json);
  return scrubber.request(fields, operation, "request.body") as Fixture["request"]["body"];
}

/** The client's result for a recorded response. */
async function expectation(fixture: Omit<Fixture, "expect">): Promise<Fixture["expect"]> {
  const { status, body, text } = withSecrets(fixture.response);
  const { operation } = fixture;
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: Object.fromEntries(serverNames.map((name) => [name, "https://recorded.example"])),
    ...(operation !== "requestAccessToken" && { authSchemes: { [operation]: "basic" } }),
    jobNumbers: "service",
    retries: 0,
    fetch: async () => new Response(text ?? JSON.stringify(body), { status }),
  });
  try {
    const value = await (fleet[operation] as (input: unknown) => Promise<unknown>)(fixture.call ?? {});
    return { value: withPlaceholders(JSON.parse(JSON.stringify(value))) };
  } catch (error) {
    const { code, errors } = error as FleetError;
    return { error: { code, ...(errors.length > 0 && { errors: JSON.parse(JSON.stringify(errors)) }) } };
  }
}

const withPlaceholders = (value: Fixture["response"]["body"]) =>
  JSON.parse(JSON.stringify(value).replaceAll(withSecrets(PLACEHOLDERS.token), PLACEHOLDERS.token));

/** The scrubbed fixture of one call, and the paths of values of an unexpected kind; undefined if there was no response. */
export async function recordingOf(
  { step, input, exchange }: StepOutcome,
  options: RecordOptions,
): Promise<{ fixture: NamedFixture; unexpected: string[] } | undefined> {
  if (!exchange) return undefined;
  const operation: Operation = operations[step.operation];
  const scrubber = new Scrubber(options.pseudonyms);
  const query = Object.fromEntries(new URL(exchange.url).searchParams);
  const given = scrubber.request(JSON.parse(JSON.stringify(input)) as Json, operation, "call");
  const scheme = schemeIn(exchange.requestHeaders);
  const request = {
    method: operation.method,
    path: pathOf(operation, { ...given, customerId: FIXTURE_CUSTOMER }),
    query: scrubber.request(query, operation, "request.query") as Record<string, string>,
    headers: { ...recordedHeaders(exchange.requestHeaders).headers, ...(scheme !== undefined && CREDENTIAL_HEADERS[scheme]) },
    body: requestBody(operation, exchange, scrubber),
  };
  // To replay a creation, the call must include what the client added to it, such as the job number.
  const call = (operation.effect === "create" ? request.body : given) as Fixture["call"];
  // The sandbox can repeat a call only if it contains no pseudonyms.
  const hasPseudonyms = scrubber.scrubbed.size > 0;
  const parsedBody = jsonOf(exchange.responseBody);
  const { body, omitted } = shortened(parsedBody, options.records);
  const ok = exchange.status >= 200 && exchange.status < 300;
  const scrubbedBody = scrubber.response(body, schemaOf(operation, exchange.status, body));
  const { headers, unexpected } = recordedHeaders(exchange.responseHeaders);
  for (const name of unexpected) scrubber.scrubbed.add(`response.headers.${name}`);
  const fixture: Omit<Fixture, "expect"> = {
    operation: step.operation,
    title: step.title,
    given: options.kind === "sandbox" ? SANDBOX_AT_START : "a live deployment",
    ...(call !== undefined && Object.keys(call).length > 0 && { call }),
    request,
    response: {
      status: exchange.status,
      headers,
      ...(parsedBody === undefined
        ? { text: String(scrubber.response(exchange.responseBody, undefined, "response.text")) }
        : { body: scrubbedBody as Fixture["response"]["body"] }),
    },
    provenance: {
      kind: options.kind,
      date: options.date,
      source: omitted.length > 0 ? `recorded; shortened: ${omitted.join(", ")}` : "recorded",
    },
    reproducible: options.kind === "sandbox" && ok && !step.writes && !hasPseudonyms,
    scrubbed: [...scrubber.scrubbed].sort(),
  };
  const unexpectedPaths = [...scrubber.unexpected, ...unexpected.map((name) => `response.headers.${name}`)];
  const recording = Fixture.parse(JSON.parse(JSON.stringify({ ...fixture, expect: await expectation(fixture) })));
  return { fixture: { ...recording, id: step.name }, unexpected: unexpectedPaths };
}
