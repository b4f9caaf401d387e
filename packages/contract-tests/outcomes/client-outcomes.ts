import {
  createFleetClient,
  type DriftReport,
  type FleetClient,
  type FleetClientOptions,
  FleetError,
  missingServers,
  type Operation,
  type OperationName,
  operations,
  type Routes,
  type ServerName,
  serverNames,
} from "@fleetwire/core";
import { samples } from "@fleetwire/core/samples";
import type { NamedFixture } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, REPLAY_TOKEN, withoutSecrets } from "../src/fixtures/stand-ins.ts";
import { awkwardAnswers } from "./awkward-answers.ts";
import { cannedFetch } from "./canned-fetch.ts";
import type { Outcome } from "./outcome.ts";

export const SERVERS = Object.fromEntries(serverNames.map((name) => [name, `https://${name.toLowerCase()}.example/prefix/`])) as Record<
  ServerName,
  string
>;

/** A client of the customer that fixtures have, which makes each call once. */
export function probedClient(options: Partial<FleetClientOptions> = {}): FleetClient {
  return createFleetClient({ customerId: FIXTURE_CUSTOMER, credentials: REPLAY_CREDENTIALS, servers: SERVERS, retries: 0, ...options });
}

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
  const fleet = probedClient({
    fetch: cannedFetch(fixture),
    jobNumbers: "service",
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

/** What goes out for an operation's sample, headers and all. */
async function sentBy(operation: Operation): Promise<unknown> {
  const sent: unknown[] = [];
  const fleet = probedClient({
    userAgent: "fixtures/1",
    jobNumbers: "service",
    fetch: async (url, { method, headers, body } = {}) => {
      sent.push({ url: String(url), method, headers: [...new Headers(headers)].map((pair) => withoutSecrets(pair.join(": "))), body });
      return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 60 });
    },
  });
  await fleet.request(operation, samples[operation.name as OperationName].input).catch(() => undefined);
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
  const fleet = probedClient({
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

/** What a client is told of where its operations are, and how they are authorised. */
const ROUTES: Readonly<Record<string, Routes>> = {
  "no server": { servers: {} },
  "the token service alone": { servers: { auth: "https://auth.example" } },
  "all but the token service": { servers: { ...SERVERS, auth: undefined } as never },
  "no server of groups": { servers: { ...SERVERS, fleet: undefined } as never },
  "other schemes": { servers: SERVERS, authSchemes: { listLivePositions: "bearer", updateGroup: "connect-token", createJob: "basic" } },
  "tokens and no service of them": { servers: { base: "https://base.example" }, authSchemes: { updateGroup: "bearer" } },
};

/** Where an operation's request goes and how it is authorised; what is missing where it goes nowhere. */
async function routeOf(operation: Operation, routes: Routes): Promise<unknown> {
  const sent: string[] = [];
  const fleet = createFleetClient({
    ...routes,
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    retries: 0,
    fetch: async (url, { headers } = {}) => {
      const { authorization, "x-connect-token": token } = Object.fromEntries(new Headers(headers));
      sent.push(`${new URL(String(url)).origin} with ${withoutSecrets(authorization ?? `x-connect-token ${token}`)}`);
      return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 60 });
    },
  });
  const failure = await fleet.request(operation, samples[operation.name as OperationName].input).then(() => [], failureOf);
  return { missing: missingServers(operation, routes), ...(sent.length > 0 ? { sent } : { failure }) };
}

/** Credentials, and words in which a service repeats them. */
const REPEATED: readonly { clientId: string; clientSecret: string; words: string }[] = [
  { clientId: "abc", clientSecret: "abcd", words: "abc abcd abcde ABCD" },
  { clientId: "wxyz", clientSecret: "wxyz12", words: "wxyz wxyz12 wxyz1 12wxyz12wxyz12" },
  { clientId: "id of it", clientSecret: 'p%/ "q\\ü', words: 'p%/ "q\\ü, p%25%2F%20%22q%5C%C3%BC, p%/ \\"q\\\\ü, id%20of%20it, id of it' },
  { clientId: "$&", clientSecret: "*.*.", words: "$& *.*. aabb" },
];

/** What is told of a refusal whose words, and of a field whose name, repeat what must not be shown. */
async function redacted({ words, ...credentials }: (typeof REPEATED)[number]): Promise<unknown> {
  const told: unknown[] = [];
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64");
  for (const status of [400, 200]) {
    const fleet = probedClient({
      credentials,
      onDrift: ({ drift }) => told.push(drift.map(({ path }) => path)),
      fetch: async () => Response.json(status === 400 ? { errorMessage: `${words} ${basic}` } : [{ [words]: 1 }], { status }),
    });
    await fleet.listLivePositions().catch(({ errors }: FleetError) => told.push(errors));
  }
  return told;
}

/** Words of a service, of which one line is shown. */
const WORDS: readonly string[] = [
  "",
  " \n ",
  "a  b\t\r\nc",
  "\u0000a\u200bb\u202ec\ufeff",
  "\u00a0a\u2028",
  "\u{1f69a}".repeat(200),
  `${"m".repeat(299)} n`,
];

/** The header and the address of a call whose customer and credentials are written in another way than those of fixtures. */
async function sentByOthers(): Promise<unknown> {
  const sent: unknown[] = [];
  const fleet = probedClient({
    customerId: "Customer1X",
    credentials: { clientId: "flötte", clientSecret: "geheim€😀" },
    fetch: async (url, { headers } = {}) => {
      sent.push({ url: String(url), authorization: new Headers(headers).get("authorization") });
      return Response.json([]);
    },
  });
  await fleet.listLivePositions();
  return sent;
}

/** What callers of the client see of every fixture, beside the value that the fixture itself holds, and of answers that no fixture has. */
export async function* clientOutcomes(fixtures: readonly NamedFixture[]): AsyncGenerator<Outcome> {
  for (const operation of Object.values<Operation>(operations)) yield [`${operation.name} sends`, await sentBy(operation)];
  yield ["a customer and credentials of other letters", await sentByOthers()];
  for (const [name, answers] of Object.entries(ATTEMPTS))
    for (const jobNumber of [undefined, "N1"])
      yield [`createJob ${jobNumber ?? "with a made number"}: ${name}`, await creationOutcome(answers, jobNumber)];
  for (const [name, routes] of Object.entries(ROUTES))
    for (const operation of Object.values<Operation>(operations)) yield [`${operation.name}, ${name}`, await routeOf(operation, routes)];
  for (const [at, repeated] of REPEATED.entries()) yield [`secrets ${at}`, await redacted(repeated)];
  for (const [at, words] of WORDS.entries()) yield [`words ${at}`, await redacted({ ...REPLAY_CREDENTIALS, words })];
  for (const { operation, name, status, text, headers = {} } of awkwardAnswers()) {
    const call = samples[operation].input;
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
