import { createFleetClient, type FleetError, type Operation, operations, pathOf, serverNames } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type { StepOutcome } from "../deployment/run-plan.ts";
import { Fixture, isFieldName, type NamedFixture } from "../fixtures/fixture.ts";
import {
  CREDENTIAL_HEADERS,
  FIXTURE_CUSTOMER,
  PLACEHOLDERS,
  REPLAY_CREDENTIALS,
  recordedHeaders,
  schemeIn,
  withSecrets,
} from "../fixtures/placeholders.ts";
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
  const shorten = (list: unknown, path: string): unknown => {
    if (!Array.isArray(list) || list.length <= most || typeof list[0] !== "object") return list;
    omitted.push(`${path}: ${most} of ${list.length} records`);
    return mostComplete(list, most);
  };
  if (!isRecord(body)) return { body: shorten(body, "$"), omitted };
  const entries = Object.entries(body).map(([name, value]) => [name, shorten(value, `$.${isFieldName(name) ? name : "<name>"}`)]);
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
    return { value: JSON.parse(JSON.stringify(value).replaceAll(withSecrets(PLACEHOLDERS.token), PLACEHOLDERS.token)) };
  } catch (error) {
    const { code, errors } = error as FleetError;
    return { error: { code, ...(errors.length > 0 && { errors: JSON.parse(JSON.stringify(errors)) }) } };
  }
}

/** The scrubbed fixture of one call, and the paths of values that were replaced although their fields may be kept; undefined if there was no response. */
export async function recordingOf(
  { step, input, exchange }: StepOutcome,
  { kind, date, pseudonyms, records }: RecordOptions,
): Promise<{ fixture: NamedFixture; unexpected: string[] } | undefined> {
  if (!exchange) return undefined;
  const operation: Operation = operations[step.operation];
  const scrubber = new Scrubber(pseudonyms);
  const ofRequest = (fields: Json, path: string) => scrubber.request(fields, operation, path);
  const given = ofRequest(JSON.parse(JSON.stringify(input)) as Json, "call");
  const scheme = schemeIn(exchange.requestHeaders);
  const isForm = operation.contentType?.startsWith("application/x-www-form-urlencoded");
  const sent = isForm ? Object.fromEntries(new URLSearchParams(exchange.requestBody)) : (jsonOf(exchange.requestBody) as Json);
  const request = {
    method: operation.method,
    path: pathOf(operation, { ...given, customerId: FIXTURE_CUSTOMER }),
    query: ofRequest(Object.fromEntries(new URL(exchange.url).searchParams), "request.query"),
    headers: { ...recordedHeaders(exchange.requestHeaders).headers, ...(scheme !== undefined && CREDENTIAL_HEADERS[scheme]) },
    body: exchange.requestBody === "" ? undefined : ofRequest(sent, "request.body"),
  };
  // To replay a creation, the call must include what the client added to it, such as the job number.
  const call = operation.effect === "create" ? request.body : given;
  // The sandbox can repeat a call only if it contains no pseudonyms.
  const hasPseudonyms = scrubber.scrubbed.size > 0;
  const { status, responseBody } = exchange;
  const parsedBody = jsonOf(responseBody);
  const { body, omitted } = shortened(parsedBody, records);
  const scrubbedBody = scrubber.response(body, schemaOf(operation, status, body));
  const scrubbedText = parsedBody === undefined ? scrubber.response(responseBody, undefined, "response.text") : undefined;
  const { headers, unexpected } = recordedHeaders(exchange.responseHeaders);
  for (const name of unexpected) scrubber.scrubbed.add(`response.headers.${name}`);
  // Written as JSON, which leaves out what is undefined.
  const fixture = JSON.parse(
    JSON.stringify({
      operation: step.operation,
      title: step.title,
      given: kind === "sandbox" ? SANDBOX_AT_START : "a live deployment",
      call: call !== undefined && Object.keys(call).length > 0 ? call : undefined,
      request,
      response: { status, headers, body: scrubbedBody, text: scrubbedText },
      provenance: { kind, date, source: omitted.length > 0 ? `recorded; shortened: ${omitted.join(", ")}` : "recorded" },
      reproducible: kind === "sandbox" && status >= 200 && status < 300 && !step.writes && !hasPseudonyms,
      scrubbed: [...scrubber.scrubbed].sort(),
    }),
  ) as Omit<Fixture, "expect">;
  const recording = Fixture.parse({ ...fixture, expect: await expectation(fixture) });
  return {
    fixture: { ...recording, id: step.name },
    unexpected: [...scrubber.unexpected, ...unexpected.map((name) => `response.headers.${name}`)],
  };
}
