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
  const { code, message, operation, status, errors, advice, retryAfter } = error;
  return { code, message: withoutSecrets(message), operation, status, errors, advice, retryAfter };
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

const taken = { status: 409, body: [{ errorMessage: "taken", offendingFields: ["jobNumber"] }] };

/** What a creation's attempts get, one after the other; `lost` is no answer at all. */
const ATTEMPTS: Readonly<Record<string, readonly ("lost" | { status: number; body: unknown })[]>> = {
  "created after a lost answer": ["lost", { status: 200, body: { job: { jobNumber: "<number>" } } }],
  "another number after a lost answer": ["lost", { status: 200, body: { job: { jobNumber: "N2" } } }],
  "the number taken after a lost answer": ["lost", taken],
  "the number taken at once": [taken],
  "lost for good": ["lost", "lost"],
  "refused after a lost answer": ["lost", { status: 400, body: [{ errorMessage: "wrong", offendingFields: ["address"] }] }],
};

const MADE_NUMBER = /FW-\d{8}-\w{10}/g;

/** What is known of a job whose attempts went so, and what went out, under a number of the caller's and under one that is made. */
async function creationOutcome(answers: (typeof ATTEMPTS)[string], jobNumber: string | undefined): Promise<unknown> {
  const sent: string[] = [];
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers: SERVERS,
    retries: 1,
    random: () => 0,
    fetch: async (url, { body } = {}) => {
      if (!String(url).includes(operations.createJob.path))
        return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 60 });
      const answer = answers[sent.push(String(body)) - 1];
      if (answer === undefined || answer === "lost") throw new TypeError("lost");
      const { jobNumber: number } = JSON.parse(String(body)) as { jobNumber: string };
      return new Response(JSON.stringify(answer.body).replaceAll("<number>", number), { status: answer.status });
    },
  });
  const seen = await fleet
    .createJob({ address: "Lyon", ...(jobNumber !== undefined && { jobNumber }) })
    .catch((error: FleetError) => ({ ...failureOf(error), jobNumber: error.jobNumber }));
  return JSON.parse(JSON.stringify({ sent, seen }).replaceAll(MADE_NUMBER, "<made number>"));
}

/** What callers of the client see of every fixture, beside the value that the fixture itself holds, and of answers that no fixture has. */
export async function* clientOutcomes(fixtures: readonly NamedFixture[]): AsyncGenerator<Outcome> {
  for (const operation of Object.values<Operation>(operations)) yield [`${operation.name} sends`, await sentBy(operation)];
  for (const [name, answers] of Object.entries(ATTEMPTS))
    for (const jobNumber of [undefined, "N1"])
      yield [`createJob ${jobNumber ?? "with a made number"}: ${name}`, await creationOutcome(answers, jobNumber)];
  for (const { operation, name, status, text, headers = {} } of awkwardAnswers()) {
    const call = operations[operation].example?.input ?? {};
    const seen = await bothOutcomes({
      operation,
      call: call as NonNullable<NamedFixture["call"]>,
      response: { status, text, headers },
    });
    yield [`${operation} ${status} ${name}`, seen];
  }
  for (const fixture of fixtures) {
    const { value: _, ...seen } = await bothOutcomes(fixture);
    if (seen.drift.length > 0 || seen.failure !== undefined || seen.strict !== undefined) yield [fixture.id, seen];
  }
}
