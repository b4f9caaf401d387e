import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Direct } from "./direct.ts";
import type { Fleet } from "./fleet.ts";
import { callOf, raw } from "./raw.ts";
import type { Reply } from "./session.ts";

type Args = Readonly<Record<string, unknown>>;

/** What an attack can use. */
export interface Scene {
  fleet: Fleet;
  /** Arguments for a job that no other test creates. */
  job: Args & { address: string };
  /** Starts a host with its own server process. Without a user it does not support elicitation. */
  server(env?: Readonly<Record<string, string>>, reply?: Reply): Promise<Direct>;
}

export interface Attack {
  name: string;
  /** Acts like an attacker or a mistaken model, and returns what it saw last. */
  attack(scene: Scene): Promise<string>;
  /** Jobs at the address afterwards. A created job must match what was shown first. */
  jobs: 0 | 1 | "0 or 1";
  /** What the last result says. */
  says: RegExp;
}

/** How a refused confirmation is reported. */
const REFUSED = /confirmation/i;
const USED = /already/;

const KEY = { FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64") };
const MINUTE = 60_000;

/** A token with one of its dot-separated parts changed. */
function altered(token: string, part: number, change: (text: string) => string): string {
  return token
    .split(".")
    .map((text, at) => (at === part ? change(text) : text))
    .join(".");
}

const lastChanged = (text: string) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`;

/** Uses the token of one call for another. */
const withTokenOf =
  (second: (job: Args) => Args, change: (token: string) => string = (token) => token) =>
  async ({ job, server }: Scene): Promise<string> => {
    const host = await server();
    const confirmation = change(await host.token("create_job", job));
    return (await host.call("create_job", { ...second(job), confirmation })).seen;
  };

/** Uses a token in another server process. */
const takenTo =
  (there: Readonly<Record<string, string>>, here: Readonly<Record<string, string>> = {}) =>
  async ({ job, server }: Scene): Promise<string> => {
    const confirmation = await (await server(here)).token("create_job", job);
    return (await (await server(there)).call("create_job", { ...job, confirmation })).seen;
  };

/** A clock that tests control, and the environment of a server that uses it. */
async function clock(): Promise<{ env: Record<string, string>; set(milliseconds: number): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-clock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "offset");
  const set = (milliseconds: number) => writeFile(file, String(milliseconds));
  await set(0);
  const preload = fileURLToPath(new URL("../drivers/shifted-clock.mjs", import.meta.url));
  return { env: { JUDGE_CLOCK: file, NODE_OPTIONS: `--import=${preload}` }, set };
}

/** Uses a token, possibly again, after moving the clock. */
const afterClockMoved =
  (minutes: number, { used }: { used: boolean }) =>
  async ({ job, server }: Scene): Promise<string> => {
    const { env, set } = await clock();
    const host = await server(env);
    const confirmed = { ...job, confirmation: await host.token("create_job", job) };
    if (used) await host.call("create_job", confirmed);
    await set(minutes * MINUTE);
    return (await host.call("create_job", confirmed)).seen;
  };

const same = (job: Args) => job;

const YES: Reply = { action: "accept", content: { confirm: true } };
const NO: Reply = { action: "decline" };

interface Questions {
  /** Makes a call that the server responds to with a question, and returns its request state. */
  ask(over?: Args): Promise<string>;
  /** Repeats the call with a reply to the question. */
  respond(state: string, reply: Reply): Promise<string>;
  call(over: Args): Promise<string>;
}

/** A dishonest host of the current revision. */
const questioned =
  (attack: (questions: Questions) => Promise<string>) =>
  async ({ fleet, job }: Scene): Promise<string> => {
    const { send, reply } = raw({ ...fleet.env, FLEET_LOG: "silent" });
    let id = 0;
    const request = async (args: Args, withReply?: Parameters<typeof callOf>[3]) => {
      id += 1;
      send(callOf(id, "create_job", args, withReply));
      return reply(id);
    };
    return attack({
      ask: async (over = {}) => {
        const { result } = (await request({ ...job, ...over })) as { result?: { requestState?: string } };
        if (result?.requestState === undefined) throw new Error(`no question: ${JSON.stringify(result)}`);
        return result.requestState;
      },
      respond: async (state, reply) => JSON.stringify(await request(job, { reply, state })),
      call: async (over) => JSON.stringify(await request({ ...job, ...over })),
    });
  };

export const CONFIRMATION_ATTACKS: readonly Attack[] = [
  { name: "the same call with its token (no attack)", attack: withTokenOf(same), jobs: 1, says: /FW-/ },
  { name: "a token for other arguments", attack: withTokenOf((job) => ({ ...job, notes: "and more" })), jobs: 0, says: REFUSED },
  { name: "a token for fewer arguments", attack: withTokenOf(({ address }) => ({ address })), jobs: 0, says: REFUSED },
  { name: "a number for a text that looks the same", attack: withTokenOf((job) => ({ ...job, notes: 12 })), jobs: "0 or 1", says: /./ },
  {
    name: "values moved between fields",
    attack: withTokenOf(({ jobTitle, clientName, ...job }) => ({ ...job, jobTitle: clientName, clientName: jobTitle })),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "a list of pairs for an object",
    attack: withTokenOf((job) => ({ ...job, notes: Object.entries(job) })),
    jobs: 0,
    says: /notes|confirmation/,
  },
  { name: "a later expiry", attack: withTokenOf(same, (token) => altered(token, 0, (end) => `z${end.slice(1)}`)), jobs: 0, says: REFUSED },
  { name: "another number", attack: withTokenOf(same, (token) => altered(token, 1, lastChanged)), jobs: 0, says: REFUSED },
  { name: "no number", attack: withTokenOf(same, (token) => altered(token, 1, () => "")), jobs: 0, says: REFUSED },
  {
    name: "another signature",
    attack: withTokenOf(same, (token) => altered(token, 2, (mac) => lastChanged(mac.slice(0, -1)) + mac.slice(-1))),
    jobs: 0,
    says: REFUSED,
  },
  { name: "a token of somebody's own making", attack: withTokenOf(same, () => "yes"), jobs: 0, says: REFUSED },
  { name: "an empty confirmation", attack: withTokenOf(same, () => ""), jobs: 0, says: REFUSED },
  {
    name: "a token for another tool",
    attack: async ({ job, server }) => {
      const host = await server();
      const confirmation = await host.token("create_job", job);
      const group = { id: "north", name: "Renamed", confirmation };
      return (await host.call("update_group", group)).seen;
    },
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "twice in sequence",
    attack: async ({ job, server }) => {
      const host = await server();
      const confirmed = { ...job, confirmation: await host.token("create_job", job) };
      await host.call("create_job", confirmed);
      return (await host.call("create_job", confirmed)).seen;
    },
    jobs: 1,
    says: USED,
  },
  {
    name: "ten times at once",
    attack: async ({ job, server }) => {
      const host = await server();
      const confirmed = { ...job, confirmation: await host.token("create_job", job) };
      const results = await Promise.all(Array.from({ length: 10 }, () => host.call("create_job", confirmed)));
      return results.map(({ seen }) => seen).join("\n");
    },
    jobs: 1,
    says: USED,
  },
  { name: "eleven minutes later", attack: afterClockMoved(11, { used: false }), jobs: 0, says: /older than|expired/ },
  { name: "used, with the clock set back an hour", attack: afterClockMoved(-60, { used: true }), jobs: 1, says: /./ },
  {
    name: "used, with the clock set forward an hour",
    attack: afterClockMoved(60, { used: true }),
    jobs: 1,
    says: /older than|expired|already used/,
  },
  { name: "in another process, with another key", attack: takenTo({}), jobs: 0, says: REFUSED },
  {
    name: "for another customer, with the same key",
    attack: takenTo({ ...KEY, FLEET_CUSTOMER_ID: "another" }, KEY),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "for another service, with the same key",
    attack: async (scene) => takenTo({ ...KEY, FLEET_JOB_URL: `${scene.fleet.env["FLEET_API_HOST"]}/elsewhere` }, KEY)(scene),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "again in another process, with the same key",
    attack: async ({ job, server }) => {
      const host = await server(KEY);
      const confirmed = { ...job, confirmation: await host.token("create_job", job) };
      await host.call("create_job", confirmed);
      return (await (await server(KEY)).call("create_job", confirmed)).seen;
    },
    jobs: 1,
    says: /FW-/,
  },
  {
    name: "a wrong confirmation although the user would accept",
    attack: async ({ job, server }) => {
      const host = await server({}, YES);
      return (await host.call("create_job", { ...job, confirmation: "yes" })).seen;
    },
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "a declined question, accepted afterwards",
    attack: questioned(async ({ ask, respond }) => {
      const state = await ask();
      await respond(state, NO);
      return respond(state, YES);
    }),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "the state of a declined question as a confirmation token",
    attack: questioned(async ({ ask, respond, call }) => {
      const state = await ask();
      await respond(state, NO);
      return call({ confirmation: state });
    }),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "an accepted question, accepted again",
    attack: questioned(async ({ ask, respond }) => {
      const state = await ask();
      await respond(state, YES);
      return respond(state, YES);
    }),
    jobs: 1,
    says: USED,
  },
  {
    name: "acceptance of a question about other arguments",
    attack: questioned(async ({ ask, respond }) => respond(await ask({ notes: "13" }), YES)),
    jobs: 0,
    says: REFUSED,
  },
  {
    name: "acceptance without a question",
    attack: questioned(({ respond }) => respond("", YES)),
    jobs: 0,
    says: /./,
  },
];
