import { operations } from "@fleetwire/core";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { REPLAY_TOKEN } from "../src/fixtures/stand-ins.ts";
import { type Answer, linkServer } from "./linked-server.ts";
import type { Outcome } from "./outcome.ts";
import { environmentOf } from "./tool-outcomes.ts";
import { FLEET, GROUPS, JOBS, type Probe, type Written } from "./write-probes.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

const DONE = {
  create_job: { body: { job: { jobId: "j1", jobNumber: "N1", personName: "Anna Keller", vehicleName: "Truck 1" } } },
  update_group: { body: { id: "north", name: "North", parentId: "root", path: "root.north", vehicleIds: ["v9"], personIds: [] } },
} satisfies Record<string, Written>;

const GRANTED = { success: true, accessToken: REPLAY_TOKEN, token_type: "bearer", expires_in: 3600 };

const answer = ({ body, status = 200 }: Written) => Response.json(body, { status });

/** A service that answers writes in turn and notes what it was asked. */
function service({ answers = [], refused, ...probe }: Probe, done: Written): { fetch: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const left = [...answers];
  const fleet = "fleet" in probe ? probe.fleet : FLEET;
  const answering: typeof fetch = async (url, { method = "GET", body } = {}) => {
    const { pathname, search } = new URL(String(url));
    if (pathname.endsWith(operations.requestAccessToken.path)) return refused ? answer(refused) : Response.json(GRANTED);
    asked.push([method, `${pathname}${search}`, ...(body ? [String(body)] : [])].join(" "));
    if (method === "GET") return fleet ? Response.json(fleet) : new Response("[]", { status: 503 });
    return answer((left.length > 1 ? left.shift() : left[0]) ?? done);
  };
  return { fetch: answering, asked };
}

// What is made at random, or with a key that each start makes anew.
const masked = (text: string) =>
  text.replace(/FW-\d{8}-[0-9A-Z]{10}/g, "<NUMBER>").replace(/[0-9a-z]{6,12}\.(<NUMBER>|[A-Z0-9-]{0,40})\.[\w-]{22}/g, "<CONFIRMATION>");

/** Answers to a call and to those that follow it with the confirmation, and what the service and the person were asked. */
async function outcomeOf(tool: keyof typeof DONE, probe: Probe, budget: number): Promise<unknown> {
  const { fetch, asked } = service(probe, DONE[tool]);
  const { env, person, retries = 0, args, confirmed = [] } = probe;
  const questions: string[] = [];
  const ask = (reply: ElicitResult) => (question: string) => {
    questions.push(question);
    return reply;
  };
  const { client, call } = await linkServer(
    { ...environmentOf(budget), FLEET_SNAPSHOT_SECONDS: "0", ...env },
    { fetch, now: NOW, retries, ...(person && { person: ask(person) }) },
  );
  const answers: (Answer | string)[] = [await call(tool, args).catch((error: Error) => error.message)];
  const [first] = answers;
  const confirmation = typeof first === "object" ? first.structured["confirmation"] : undefined;
  for (const others of confirmation === undefined ? [] : confirmed) answers.push(await call(tool, { ...args, ...others, confirmation }));
  await client.close();
  return JSON.parse(masked(JSON.stringify({ answers, asked, ...(questions.length > 0 && { questions }) })));
}

/** What hosts see of both writes: as a tool, and what becomes of calls, with all that is sent. */
export async function* writeOutcomes(): AsyncGenerator<Outcome> {
  const { client } = await linkServer(environmentOf(5_000), { fetch, now: NOW });
  const { tools } = await client.listTools();
  await client.close();
  for (const { outputSchema: _, ...tool } of tools)
    if (["create_job", "update_group", "locate_vehicle"].includes(tool.name)) yield [`tool ${tool.name}`, tool];
  for (const [tool, probes] of [
    ["create_job", JOBS],
    ["update_group", GROUPS],
  ] as const) {
    for (const [name, probe] of Object.entries(probes)) {
      let before = "";
      for (const budget of probe.budgets ?? [5_000]) {
        const outcome = await outcomeOf(tool, probe, budget);
        if (JSON.stringify(outcome) !== before) yield [`${tool}: ${name} within ${budget}`, outcome];
        before = JSON.stringify(outcome);
      }
    }
  }
}
