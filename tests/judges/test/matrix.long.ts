import { afterAll, beforeAll, expect, it } from "vitest";
import { HOSTS, type Way } from "./hosts.ts";
import { type Fleet, folderWith, overStdio, type Served, serveHttp, startFleet } from "./programs.ts";
import type { Reply } from "./session.ts";

/** Matches a confirmation token. */
const TOKEN = /(?<![\w.-])[0-9a-z]{6,12}\.[A-Z0-9-]{0,40}\.[\w-]{22,}/;
const CREATED = /FW-\d{8}-\w{10}/;

/** What the user replies or whether the call has the token of the first; how many jobs there are then, and what the model sees. */
type Step = readonly [name: string, how: Reply | "confirmed" | undefined, jobs: 0 | 1, shows: RegExp];

const ASKED: readonly Step[] = [
  ["accept", { action: "accept", content: { confirm: true } }, 1, CREATED],
  // The host may reject the user's content itself.
  ["accept without a yes", { action: "accept", content: { confirm: "no" } }, 0, /declined|nothing was sent|[Ii]nvalid|not match/],
  ["decline", { action: "decline" }, 0, /declined/],
  ["cancel", { action: "cancel" }, 0, /cancelled/],
];

/** Calls with the same arguments. */
const CONFIRMED: readonly Step[] = [
  ["first call", undefined, 0, /[Nn]othing was sent/],
  ["with confirmation", "confirmed", 1, CREATED],
  ["again with it", "confirmed", 1, /already|inferred/i],
];

/** Without a session, older hosts over HTTP cannot be asked during a call. */
const isAsked = ({ elicitation, revision, transport }: Way) =>
  elicitation !== "none" && (revision === "2026-07-28" || transport === "stdio");

function stepsOf(way: Way): readonly Step[] {
  if (!isAsked(way)) return CONFIRMED;
  if (way.elicitation === "user") return ASKED;
  return [[way.elicitation, undefined, 0, way.elicitation === "declines" ? /declined/ : /cancelled/]];
}

let fleet: Fleet;
let served: Served;
beforeAll(async () => {
  fleet = await startFleet();
  served = await serveHttp(fleet.env);
});
const outcomes: object[] = [];
afterAll(async () => {
  await Promise.all([served.stop(), fleet.stop()]);
  console.table(outcomes);
});

const CELLS = HOSTS.flatMap((host) => host.ways.map((way) => ({ name: host.name, ...way, host, way })));

it.each(CELLS)("$name, revision $revision over $transport, elicitation: $elicitation", async ({ name, host, way }) => {
  const folder = await folderWith();
  const server = way.transport === "http" ? { url: served.url } : overStdio({ ...fleet.env, ...host.env });
  const session = await host.open({ server, revision: way.revision, elicits: way.elicitation === "user", folder });
  const row: Record<string, unknown> = { name, ...way };
  outcomes.push(row);
  try {
    for (const [query, ...shows] of [
      ["truck 12", /Truck 12/, /DW 6706N/, /5\d\.\d\d/],
      ["truck", /22/, /Truck 1\b/, /Truck 4\b/],
    ] as const) {
      const { seen, thrown } = await session.call("locate_vehicle", { query });
      expect({ thrown, seen }).toEqual({ seen: expect.any(String), thrown: false });
      for (const pattern of shows) expect(seen).toMatch(pattern);
    }
    let confirmation: string | undefined;
    for (const [step, how, jobs, shows] of stepsOf(way)) {
      const reply = typeof how === "object" ? how : undefined;
      if (reply) await session.reply(reply);
      const address = `${name} ${outcomes.length}, ${isAsked(way) ? step : "confirmed"}, Lyon`;
      const args = { address, vehicleName: "Truck 12", ...(how === "confirmed" && { confirmation }) };
      const { seen, questions } = await session.call("create_job", args);
      const created = (await fleet.jobsWith("address", address)).length;
      expect({ step, created, seen }).toEqual({ step, created: jobs, seen: expect.stringMatching(shows) });
      if (reply) expect(questions).toEqual([expect.stringContaining(address)]);
      const isPreview = step === "first call";
      expect(TOKEN.test(seen)).toBe(isPreview);
      if (isPreview) confirmation = TOKEN.exec(seen)?.[0];
      row[step] = created;
    }
  } finally {
    await session.close();
  }
});
