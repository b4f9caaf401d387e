import type { OperationName } from "@fleetwire/core";
import { type OfferedTool, toolCallOf, toolNameOf } from "../src/checks/tool-call.ts";
import type { NamedFixture } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS } from "../src/fixtures/stand-ins.ts";
import { awkwardCalls } from "./awkward-calls.ts";
import { cannedFetch } from "./canned-fetch.ts";
import { SERVERS } from "./client-outcomes.ts";
import { type Answer, type LinkedServer, linkServer } from "./linked-server.ts";
import type { Outcome } from "./outcome.ts";

/** The usual budget of a result, and one that nothing fits as it is. */
const BUDGETS = [5_000, 200];

const NOW = Date.UTC(2026, 10, 20, 12);

/** Ages at which a vehicle may have been seen, in seconds. */
const AGES = [-3_600, 2, 30, 59, 60, 240, 3_600, 86_399, 86_400, 200_000, -300, -301];

export function environmentOf(budget: number): Record<string, string> {
  return {
    FLEET_CUSTOMER_ID: FIXTURE_CUSTOMER,
    FLEET_CLIENT_ID: REPLAY_CREDENTIALS.clientId,
    FLEET_CLIENT_SECRET: REPLAY_CREDENTIALS.clientSecret,
    FLEET_BASE_URL: SERVERS.base,
    FLEET_API_HOST: SERVERS.apiHost,
    FLEET_JOB_URL: SERVERS.job,
    FLEET_TACHO_URL: SERVERS.tacho,
    FLEET_AUTH_URL: SERVERS.auth,
    FLEET_JOB_NUMBERS: "service",
    FLEET_CONFIRM: "never",
    FLEET_SEAL_KEY: "k".repeat(44),
    FLEET_TIME_ZONE: "UTC",
    FLEET_MAX_RESULT_TOKENS: String(budget),
  };
}

/** A server of its own for each call, for what one has just read serves the next question. */
function linked(fixture: Pick<NamedFixture, "operation" | "response">, budget: number): Promise<LinkedServer> {
  return linkServer(environmentOf(budget), { fetch: cannedFetch(fixture), now: NOW });
}

/** The answer and, where it goes on, what follows it. */
async function answers(call: LinkedServer["call"], name: string, args: Record<string, unknown>, pages = 2): Promise<Answer[]> {
  const first = await call(name, args);
  const { next } = first.structured;
  return next === undefined || pages === 1 ? [first] : [first, ...(await answers(call, name, { ...args, cursor: next }, pages - 1))];
}

async function offered(fixture: NamedFixture): Promise<Map<string, OfferedTool>> {
  const { client } = await linked(fixture, 5_000);
  const { tools } = await client.listTools();
  await client.close();
  return new Map(tools.map((tool) => [tool.name, tool as OfferedTool]));
}

/** What a host gets from each tool whose call a fixture expresses, within the usual budget and within a small one. */
async function* ofOperations(fixtures: readonly NamedFixture[], tools: Map<string, OfferedTool>): AsyncGenerator<Outcome> {
  for (const fixture of fixtures) {
    const expressed = toolCallOf(fixture, tools, fixtures, 0);
    if ("skipped" in expressed || expressed.after) continue;
    let before = "";
    for (const budget of BUDGETS) {
      const { client, call } = await linked(fixture, budget);
      const outcome = await answers(call, toolNameOf(fixture.operation), expressed.arguments);
      await client.close();
      // What fits the small budget too is told once.
      if (JSON.stringify(outcome) !== before) yield [`${fixture.id} within ${budget}`, outcome];
      before = JSON.stringify(outcome);
    }
  }
}

const nested = (depth: number): unknown => (depth === 0 ? "end" : { in: nested(depth - 1) });

/** Records whose values stand at each limit of what is shown, on either side of it. */
const AT_LIMITS: Readonly<Record<string, unknown>> = Object.fromEntries([
  ...[39, 40, 41, 119, 120, 121, 320, 321, 399, 400, 401, 960, 961].map((length) => [`text of ${length}`, "x".repeat(length)]),
  ...[2, 3, 4, 19, 20, 21].flatMap((count) => [
    [`list of ${count}`, Array.from({ length: count }, (_, at) => at)],
    [`objects ${count}`, Array.from({ length: count }, (_, at) => ({ at }))],
    [`fields ${count}`, Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))],
  ]),
  ...[1, 2, 3, 7, 8, 9].map((depth) => [`depth ${depth}`, nested(depth)]),
  ["hostile", "a|b\nc\u202ed\u0000e  f"],
  ["half characters", `${"x".repeat(118)}\ud83d\ude00\udc00`],
  ["empty", { text: "", none: null, list: [], object: {} }],
  [`name of ${"n".repeat(64)}`, 1],
  [`name of ${"n".repeat(65)}`, 1],
]);

/** What tools make of records and refusals that no service is described to give. */
async function* ofAwkwardAnswers(): AsyncGenerator<Outcome> {
  const answered = (operation: OperationName, status: number, body: unknown) =>
    ({ operation, response: { status, text: JSON.stringify(body), headers: {} } }) as Pick<NamedFixture, "operation" | "response">;
  const job = { address: "Lyon" };
  const refusals = [599, 600, 601, 239, 240, 241, 59, 60, 61].map((length) => [
    { errorMessage: `${"word ".repeat(length / 5)}.`.slice(0, length) },
  ]);
  const calls: [string, Record<string, unknown>, Pick<NamedFixture, "operation" | "response">][] = [
    ...Object.entries(AT_LIMITS).flatMap(([name, value]): typeof calls => [
      ["list_jobs", {}, answered("listJobs", 200, [{ [name]: value, other: 1 }])],
      ["create_job", job, answered("createJob", 200, { job: { jobNumber: "N1", [name]: value } })],
    ]),
    ["list_jobs", {}, answered("listJobs", 200, [AT_LIMITS])],
    ["list_jobs", { fields: ["text of 400", "depth 9"] }, answered("listJobs", 200, [AT_LIMITS, AT_LIMITS])],
    ["create_job", job, answered("createJob", 200, { job: AT_LIMITS })],
    ...refusals.map((body): (typeof calls)[number] => ["create_job", job, answered("createJob", 400, body)]),
    ...[401, 403, 404, 409, 429, 500].map((status): (typeof calls)[number] => ["list_jobs", {}, answered("listJobs", status, {})]),
  ];
  for (const [at, [tool, args, fixture]] of calls.entries()) {
    for (const budget of BUDGETS) {
      const { client, call } = await linked(fixture, budget);
      yield [`awkward ${at} ${tool} within ${budget}`, await answers(call, tool, args)];
      await client.close();
    }
  }
}

/** What a host is told where calls, answers or clocks are not as anyone expects. */
async function* ofAwkwardCalls(): AsyncGenerator<Outcome> {
  for (const { name, calls, args = {}, env, now = NOW, fetch, pages = 2, callTimeout } of awkwardCalls()) {
    let before = "";
    for (const budget of BUDGETS) {
      const { client, call } = await linkServer({ ...environmentOf(budget), ...env }, { fetch, now, ...(callTimeout && { callTimeout }) });
      const outcome = calls.includes("://")
        ? await client.readResource({ uri: calls }).catch((error: Error) => error.message)
        : await answers(call, calls, args, pages);
      await client.close();
      if (JSON.stringify(outcome) !== before) yield [`${calls}: ${name} within ${budget}`, outcome];
      before = JSON.stringify(outcome);
    }
  }
}

interface Seen {
  assetName?: unknown;
  date?: unknown;
}

/** What locate_vehicle makes of recorded positions: of each vehicle, and of the first one at many ages and headings. */
async function* ofLocating(fixtures: readonly NamedFixture[]): AsyncGenerator<Outcome> {
  const positions = fixtures.filter(({ operation, response }) => operation === "listLivePositions" && response.status === 200);
  for (const fixture of positions) {
    const records = (Array.isArray(fixture.response.body) ? fixture.response.body : []) as Seen[];
    for (const { assetName } of records.filter((record) => typeof record?.assetName === "string")) {
      const { client, call } = await linked(fixture, 5_000);
      yield [`locate ${fixture.id} ${String(assetName)}`, await call("locate_vehicle", { query: assetName })];
      await client.close();
    }
  }
  const first = positions.find(({ response }) => Array.isArray(response.body) && response.body.length === 1);
  if (!first) throw new Error("there is no fixture of one live position, which ages are told of");
  const [record] = first.response.body as [Record<string, string>];
  for (const [at, age] of AGES.entries()) {
    const date = new Date(NOW - age * 1000).toISOString().replace("Z", at % 2 === 0 ? "Z" : "");
    const fixture = { ...first, response: { ...first.response, body: [{ ...record, date, speed: 50, heading: at * 44 - 20 }] } };
    const { client, call } = await linked(fixture, 5_000);
    yield [`locate one seen ${age} s ago`, await call("locate_vehicle", { query: record["assetName"] })];
    await client.close();
  }
}

export async function* toolOutcomes(fixtures: readonly NamedFixture[]): AsyncGenerator<Outcome> {
  const [any] = fixtures;
  if (!any) throw new Error("there are no fixtures");
  const tools = await offered(any);
  for (const [name, { outputSchema }] of tools) yield [`schema ${name}`, outputSchema];
  yield* ofAwkwardAnswers();
  yield* ofAwkwardCalls();
  yield* ofLocating(fixtures);
  yield* ofOperations(fixtures, tools);
}
