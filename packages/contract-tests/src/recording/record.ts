import { createFleetClient, type FleetError, type Operation, operations, pathOf, serverNames } from "@fleetwire/core";
import type { Exchange } from "../deployment/observed-client.ts";
import type { StepOutcome } from "../deployment/run-plan.ts";
import { Fixture, type NamedFixture } from "../fixtures/fixture.ts";
import { CREDENTIAL_HEADERS, FIXTURE_CUSTOMER, PLACEHOLDERS, REPLAY_CREDENTIALS, schemeIn, withSecrets } from "../fixtures/placeholders.ts";
import { SANDBOX_AT_START } from "../provider/states.ts";
import { recordedHeaders } from "./headers.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { Scrubber, schemaOf } from "./scrub.ts";
import { shortened } from "./shorten.ts";

export interface RecordOptions {
  kind: "sandbox" | "live";
  /** The day, as YYYY-MM-DD. */
  date: string;
  pseudonyms: Pseudonyms;
  /** Maximum records to keep per list. */
  records: number;
}

type Json = Record<string, unknown>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requestBody(operation: Operation, { requestBody: text }: Exchange, scrubber: Scrubber): Fixture["request"]["body"] {
  if (text === "") return undefined;
  const isForm = operation.contentType?.startsWith("application/x-www-form-urlencoded");
  const fields = isForm ? Object.fromEntries(new URLSearchParams(text)) : (parsed(text) as Json);
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

/** A fixture, and the paths of values of an unexpected kind. */
export interface Recording {
  fixture: NamedFixture;
  unexpected: string[];
}

/** The scrubbed fixture of one call, or undefined if there was no response. */
export async function recordingOf({ step, input, exchange }: StepOutcome, options: RecordOptions): Promise<Recording | undefined> {
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
  const parsedBody = parsed(exchange.responseBody);
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
        ? { text: scrubber.text(exchange.responseBody, "response.text") }
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
  const unexpectedPaths = [...scrubber.unexpected.map(({ path }) => path), ...unexpected.map((name) => `response.headers.${name}`)];
  const recording = Fixture.parse(JSON.parse(JSON.stringify({ ...fixture, expect: await expectation(fixture) })));
  return { fixture: { ...recording, id: step.name }, unexpected: unexpectedPaths };
}
