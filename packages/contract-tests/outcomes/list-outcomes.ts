import { operations, serverVariables } from "@fleetwire/core";
import { operationTool, writeTool } from "../../tools/src/catalogue/operation-tool.ts";
import { REPLAY_TOKEN } from "../src/fixtures/stand-ins.ts";
import { operationAt } from "../src/replay/request-path.ts";
import { linkServer } from "./linked-server.ts";
import { documentedListings, type Listing } from "./listings.ts";
import type { Outcome } from "./outcome.ts";
import { environmentOf } from "./tool-outcomes.ts";
import { undocumentedListings } from "./undocumented-listings.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

/** So that pseudonyms are the same each time. */
const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

const never = async () => {
  throw new Error("it is never called");
};
const NOTHING = { outputSchema: {}, run: never, plan: never, send: never };

/** A service that answers each operation with one body after the other, the last one again and again, and keeps what it is asked. */
function scripted(bodies: Listing["answers"]): { fetch: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const counts = new Map<string, number>();
  return {
    asked,
    fetch: async (address, init) => {
      const { pathname, searchParams } = new URL(String(address));
      const name = operationAt(init?.method ?? "GET", pathname)?.name ?? "";
      if (name === "requestAccessToken") return Response.json({ success: true, accessToken: REPLAY_TOKEN, expires_in: 3600 });
      asked.push(`${name} ${searchParams} ${init?.body ?? ""}`.trim());
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const answers = bodies[name as keyof typeof bodies] ?? [];
      const answer = answers[Math.min(count, answers.length - 1)];
      return typeof answer === "function" ? answer() : Response.json(answer);
    },
  };
}

/** What a host gets of a list up to its end, and what the service is asked for it. */
async function outcomeOf({ tool, args = {}, answers: bodies, env, budget = 5_000, pages = 3 }: Listing): Promise<unknown> {
  const { fetch, asked } = scripted(bodies);
  const { client } = await linkServer({ ...environmentOf(budget), FLEET_SEAL_KEY: SEAL_KEY, ...env }, { fetch, now: NOW });
  const answers: unknown[] = [];
  const progress: unknown[] = [];
  let cursor = args["cursor"];
  for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page++) {
    const given = cursor === undefined ? args : { ...args, cursor };
    const onprogress = (told: unknown) => progress.push(told);
    const { isError, content, structuredContent } = await client.callTool({ name: tool, arguments: given }, { onprogress });
    const text = (content as { text?: string }[])[0]?.text?.split("\n");
    const { items, ...structured } = (structuredContent ?? {}) as { items?: unknown[]; next?: string };
    // A row a line is easier to review.
    answers.push({ isError, text, items: items?.map((item) => JSON.stringify(item)), ...structured });
    cursor = structured.next;
  }
  await client.close();
  return JSON.parse(JSON.stringify({ asked, answers, progress: progress.length > 0 ? progress : undefined }));
}

/** What tools say of themselves, and which of them there are where a server of the service is not configured. */
async function* ofTools(): AsyncGenerator<Outcome> {
  const { fetch } = scripted({});
  for (const missing of [undefined, ...Object.values(serverVariables).filter((name) => name !== "FLEET_BASE_URL")]) {
    const env = { ...environmentOf(5_000), ...(missing && { [missing]: "" }) };
    const { client } = await linkServer(env, { fetch, now: NOW });
    const { tools } = await client.listTools();
    await client.close();
    if (missing) yield [`without ${missing}`, tools.map(({ name }) => name).join(" ")];
    else
      for (const { name, title, description, annotations, inputSchema } of tools)
        yield [`tool ${name}`, { title, description, annotations, inputSchema }];
  }
}

const REFUSED_TOOLS = {
  "of what is no tool": () => operationTool(operations.requestAccessToken, NOTHING),
  "of what writes": () => operationTool(operations.createJob, NOTHING),
  "of what reads": () => writeTool(operations.listJobs, NOTHING),
};

/** What is said to whoever makes a tool of another kind of operation. */
function* ofRefusedTools(): Generator<Outcome> {
  for (const [name, make] of Object.entries(REFUSED_TOOLS)) {
    try {
      make();
    } catch (error) {
      yield [`a tool ${name}`, String(error)];
    }
  }
}

export async function* listOutcomes(): AsyncGenerator<Outcome> {
  yield* ofTools();
  yield* ofRefusedTools();
  for (const listing of [...documentedListings(), ...undocumentedListings()])
    yield [`${listing.tool}: ${listing.name}`, await outcomeOf(listing)];
}
