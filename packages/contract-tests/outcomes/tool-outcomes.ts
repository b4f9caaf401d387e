import { type OfferedTool, toolCallOf, toolNameOf } from "../src/checks/tool-call.ts";
import type { NamedFixture } from "../src/fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS } from "../src/fixtures/stand-ins.ts";
import { cannedFetch } from "./canned-fetch.ts";
import { SERVERS } from "./client-outcomes.ts";
import { type Answer, type LinkedServer, linkServer } from "./linked-server.ts";
import type { Outcome } from "./outcomes.ts";

/** The usual budget of a result, and one that nothing fits as it is. */
const BUDGETS = [5_000, 200];

const NOW = Date.UTC(2026, 10, 20, 12);

/** Ages at which a vehicle may have been seen, in seconds. */
const AGES = [-3_600, 2, 30, 59, 60, 240, 3_600, 86_399, 86_400, 200_000];

function environmentOf(budget: number): Record<string, string> {
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
    FLEET_TIME_ZONE: "UTC",
    FLEET_MAX_RESULT_TOKENS: String(budget),
  };
}

/** A server of its own for each call, for what one has just read serves the next question. */
function linked(fixture: NamedFixture, budget: number): Promise<LinkedServer> {
  return linkServer(environmentOf(budget), { fetch: cannedFetch(fixture), now: NOW });
}

/** The answer and, where it goes on, what follows it. */
async function answers(call: LinkedServer["call"], name: string, args: Record<string, unknown>): Promise<Answer[]> {
  const first = await call(name, args);
  const { next } = first.structured;
  return next === undefined ? [first] : [first, await call(name, { ...args, cursor: next })];
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
  yield* ofLocating(fixtures);
  yield* ofOperations(fixtures, tools);
}
