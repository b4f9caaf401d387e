import { createFleetClient, type DriftReport, FleetError, type Operation, operations, type ServerName, serverNames } from "@fleetwire/core";
import type { NamedFixture } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, REPLAY_TOKEN, withoutSecrets } from "../src/fixtures/stand-ins.ts";
import { awkwardAnswers } from "./awkward-answers.ts";
import { cannedFetch } from "./canned-fetch.ts";
import type { Outcome } from "./outcomes.ts";

export const SERVERS = Object.fromEntries(serverNames.map((name) => [name, `https://${name.toLowerCase()}.example/prefix/`])) as Record<
  ServerName,
  string
>;

/** A failure in all that a caller sees of it. */
export function failureOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof FleetError)) throw error;
  const { code, message, operation, status, errors, advice } = error;
  return { code, message: withoutSecrets(message), operation, status, errors, advice };
}

type Answered = Pick<NamedFixture, "operation" | "call" | "response">;

interface Seen {
  drift: DriftReport[];
  failure?: unknown;
  value?: unknown;
}

/** What a caller of the client is told: the value, or the failure in words, and how the answer drifted. */
async function outcomeOf(fixture: Answered, validation: "tolerant" | "strict"): Promise<Seen> {
  const drift: DriftReport[] = [];
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: SERVERS,
    fetch: cannedFetch(fixture),
    jobNumbers: "service",
    retries: 0,
    validation,
    onDrift: (report) => drift.push(report),
  });
  const method = fleet[fixture.operation] as (input: unknown) => Promise<unknown>;
  try {
    return { value: await method(fixture.call ?? {}), drift };
  } catch (error) {
    return { drift, failure: failureOf(error) };
  }
}

/** The same in strict mode where that makes a difference. */
async function bothOutcomes(fixture: Answered): Promise<Seen & { strict?: unknown }> {
  const seen = await outcomeOf(fixture, "tolerant");
  const strict = await outcomeOf(fixture, "strict");
  return JSON.stringify(strict.failure) === JSON.stringify(seen.failure) ? seen : { ...seen, strict: strict.failure ?? "none" };
}

/** What goes out for an operation's example, headers and all. */
async function sentBy(operation: Operation): Promise<unknown> {
  const sent: unknown[] = [];
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: SERVERS,
    userAgent: "fixtures/1",
    jobNumbers: "service",
    retries: 0,
    fetch: async (url, { method, headers, body } = {}) => {
      sent.push({ url: String(url), method, headers: [...new Headers(headers)].map((pair) => withoutSecrets(pair.join(": "))), body });
      return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 60 });
    },
  });
  await fleet.request(operation, operation.example?.input ?? {}).catch(() => undefined);
  return sent;
}

/** What callers of the client see of every fixture, beside the value that the fixture itself holds, and of answers that no fixture has. */
export async function* clientOutcomes(fixtures: readonly NamedFixture[]): AsyncGenerator<Outcome> {
  for (const operation of Object.values<Operation>(operations)) yield [`${operation.name} sends`, await sentBy(operation)];
  for (const { operation, name, status, text } of awkwardAnswers()) {
    const call = operations[operation].example?.input ?? {};
    const seen = await bothOutcomes({
      operation,
      call: call as NonNullable<NamedFixture["call"]>,
      response: { status, text, headers: {} },
    });
    yield [`${operation} ${status} ${name}`, seen];
  }
  for (const fixture of fixtures) {
    const { value: _, ...seen } = await bothOutcomes(fixture);
    if (seen.drift.length > 0 || seen.failure !== undefined || seen.strict !== undefined) yield [fixture.id, seen];
  }
}
