import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createFleetClient, fleetConfigFromEnv, operations } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { seededRandom } from "../../vitest/seeded-random.ts";
import { SEAL_KEY } from "./hosts.ts";
import { type CallResult, DID_NOT_END, httpServer, type Revision, type RunningServer, stdioServer } from "./killed-server.ts";

const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";

/** Faults of creations; the slow ones leave time for a kill. */
const FAULTS =
  "latency=120@0.5 slow-body=200@0.4 500@0.04 503=0@0.04 429=0@0.03 reset-before@0.04 reset-after@0.06 cut-body@0.04 truncated-json@0.03"
    .split(" ")
    .map((fault) => `createJob:${fault}`)
    .join(",");

/** The job is created immediately, but the response is slow. */
const SLOW_RESPONSE = "createJob:slow-body=400";

const KILL_WITHIN_MS = 400;
const LONGEST_WAIT_MS = 10_000;
const QUIET_MS = 30;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!(await isSo()) && performance.now() < end) await wait(5);
}

/** A service that outlives the killed servers. Its faults can change while its address stays the same. */
async function openLab(seed: number) {
  const sandbox = createSandbox({ seed, vehicles: 5, maxJobs: 100_000, maxStoredBytes: 2 ** 30 });
  const { origin, env } = await sandbox.listen();
  const audit = createFleetClient({ ...fleetConfigFromEnv(env), fetch: sandbox.fetch });
  let inFlight = 0;
  const gateway = createServer((incoming, outgoing) => {
    inFlight++;
    if (incoming.url?.includes(operations.createJob.path)) lab.creations++;
    const headers = { ...incoming.headers, ...(lab.faults !== "" && { "x-sandbox-fault": lab.faults }) };
    const onward = request(new URL(incoming.url ?? "/", origin), { method: incoming.method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      // As in a real service, work continues after the caller has left.
      response.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy()).on("close", () => inFlight--);
    outgoing.on("error", () => onward.destroy());
    incoming.on("error", () => onward.end()).pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const own = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const lab = {
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll(origin, own)])),
    faults: "",
    /** Number of creation requests received. */
    creations: 0,
    /** Numbers of the existing jobs by title. */
    jobsNow: async () => {
      const found = new Map<string, string[]>();
      const PAGE = 1_000;
      for (let skip = 0; ; skip += PAGE) {
        const { jobs } = (await audit.listJobs({ query: { skip, limit: PAGE } })) as { jobs: { jobNumber: string; jobTitle: string }[] };
        for (const { jobTitle, jobNumber } of jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
        if (jobs.length < PAGE) return found;
      }
    },
    /** Resolves when no request is in flight, including abandoned ones. */
    idle: async () => {
      do await wait(QUIET_MS);
      while (inFlight > 0);
    },
    close: async () => {
      gateway.closeAllConnections();
      gateway.close();
      await sandbox.close();
    },
  };
  return lab;
}

type Lab = Awaited<ReturnType<typeof openLab>>;
type Report = "created" | "inferred" | "unknown" | "confirmationNeeded" | "refused";

/** One requested job, and the caller's results by call. */
interface RequestedJob {
  title: string;
  results: (CallResult | undefined)[];
  /** How the last call has to be reported, if known. */
  must?: readonly Report[];
}

const NUMBER = /FW-\d{8}-[0-9A-Z]{10}/;
const textOf = ({ text, structured }: CallResult) => text + JSON.stringify(structured);

function reportOf(result: CallResult): Report {
  const text = textOf(result);
  if (result.structured["result"] === "confirmationNeeded") return "confirmationNeeded";
  if (text.includes("unknownOutcome")) return "unknown";
  if (result.isError || !NUMBER.test(text)) return "refused";
  return /inferred/i.test(text) ? "inferred" : "created";
}

/** Jobs by the last report about them, those without one, and how many of these exist. */
const noCounts = () => ({
  requested: 0,
  created: 0,
  inferred: 0,
  unknown: 0,
  confirmationNeeded: 0,
  refused: 0,
  withoutResult: 0,
  existing: 0,
});
type Counts = ReturnType<typeof noCounts>;

/** Compares the callers' results and the log with the existing jobs. */
function compare(requested: readonly RequestedJob[], stderr: string, jobs: ReadonlyMap<string, string[]>) {
  const counts = { ...noCounts(), requested: requested.length };
  const faults: string[] = [];
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  const log = lines
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ tool, jobNumber }) => tool === "create_job" && jobNumber);
  const announced = new Set(log.filter(({ msg }) => msg === "sending").map(({ jobNumber }) => jobNumber));
  for (const { title, results, must } of requested) {
    const numbers = jobs.get(title) ?? [];
    const exists = numbers.length > 0;
    const found = (what: string) => faults.push(`${title}: ${what}`);
    if (numbers.length > 1) found(`exists ${numbers.length} times`);
    for (const result of results) {
      if (!result) continue;
      const [number = ""] = NUMBER.exec(textOf(result)) ?? [];
      const report = reportOf(result);
      if ((report === "created" || report === "inferred") && !numbers.includes(number)) found(`reported as ${report}, but does not exist`);
      if (report === "refused" && exists) found(`reported as refused, but exists: ${result.text.slice(0, 200)}`);
      if (report === "unknown" && number === "") found("unknown, without its number");
      if (exists && report !== "refused" && /no job was created/i.test(textOf(result))) found('"No job was created", but it exists');
    }
    const final = results.at(-1);
    const last = final && reportOf(final);
    if (must && (last === undefined || !must.includes(last)))
      found(`${last ?? "no result"} instead of ${must.join(" or ")}: ${final?.text.slice(0, 200)}`);
    counts[last ?? "withoutResult"]++;
    if (last !== undefined || !exists) continue;
    counts.existing++;
    if (!numbers.every((number) => announced.has(number))) found("exists, but no caller got a result and its number is not in the log");
  }
  const all = new Set([...jobs.values()].flat());
  for (const { jobNumber = "", msg, outcome } of log) {
    if (msg !== "sent" || outcome === "unknownOutcome") continue;
    if (all.has(jobNumber) !== (outcome === "created" || outcome === "inferred")) faults.push(`the log says ${outcome} for ${jobNumber}`);
  }
  if (stderr.includes(DID_NOT_END)) faults.push(DID_NOT_END);
  return { counts, faults };
}

type Start = (env: Record<string, string>, revision: Revision) => Promise<RunningServer>;
type End = Parameters<RunningServer["end"]>[0];

interface Round {
  lab: Lab;
  /** Starts a server in front of the lab's service. */
  start: (env: Record<string, string>) => Promise<RunningServer>;
  callers: number;
  random: () => number;
  title: () => string;
}

type RunRound = (round: Round) => Promise<{ requested: RequestedJob[]; stderr: string }>;

/** Several concurrent callers; the process ends at a random moment, or some callers leave. */
const killed =
  (end: End | "callers leave"): RunRound =>
  async ({ lab, start, callers, random, title }) => {
    lab.faults = FAULTS;
    const before = lab.creations;
    const server = await start({ FLEET_CONFIRM: "never" });
    const calls = Array.from({ length: callers }, () => {
      const jobTitle = title();
      return { title: jobTitle, ...server.call({ address: ADDRESS, jobTitle }) };
    });
    // Some are killed before sending, most while sending.
    if (random() < 0.85) await until(() => lab.creations > before);
    await wait(random() * KILL_WITHIN_MS);
    if (end === "callers leave") for (const { leave } of calls.filter(() => random() < 0.7)) leave();
    const ended = end === "callers leave" ? undefined : server.end(end);
    const results = await Promise.all(calls.map(({ result }) => result));
    // Abandoned work finishes before the process ends.
    if (!ended) await lab.idle();
    const stderr = await (ended ?? server.end("SIGTERM"));
    return { requested: calls.map((call, at) => ({ title: call.title, results: [results[at]] })), stderr };
  };

/** The process ends during a confirmed creation; a new one gets the same call with the same token. */
const restarted =
  (end: End, key: Record<string, string>, must?: RequestedJob["must"]): RunRound =>
  async ({ lab, start, random, title }) => {
    const env = { FLEET_CONFIRM: "auto", ...key };
    const args = { address: ADDRESS, jobTitle: title() };
    lab.faults = SLOW_RESPONSE;
    const before = await start(env);
    const preview = await before.call(args).result;
    const confirmed = { ...args, confirmation: preview?.structured["confirmation"] };
    const lost = before.call(confirmed);
    if (random() < 0.7) await until(async () => (await lab.jobsNow()).has(args.jobTitle));
    await wait(random() * 100);
    const output = await before.end(end);
    const first = await lost.result;
    lab.faults = "";
    const after = await start(env);
    const again = await after.call(confirmed).result;
    const stderr = output + (await after.end("SIGTERM"));
    return { requested: [{ title: args.jobTitle, results: [preview, first, again], ...(must && { must }) }], stderr };
  };

const withKey = { FLEET_SEAL_KEY: SEAL_KEY };
const BOTH: readonly Start[] = [stdioServer, httpServer];

const WAYS: Readonly<Record<string, readonly [starts: readonly Start[], round: RunRound]>> = {
  SIGKILL: [BOTH, killed("SIGKILL")],
  SIGTERM: [BOTH, killed("SIGTERM")],
  "end of stdin": [[stdioServer], killed("end of stdin")],
  "callers leave": [BOTH, killed("callers leave")],
  "SIGKILL, started again": [BOTH, restarted("SIGKILL", withKey, ["created", "inferred"])],
  "SIGTERM, started again": [BOTH, restarted("SIGTERM", withKey, ["created", "inferred"])],
  "SIGKILL, no key": [BOTH, restarted("SIGKILL", {})],
};

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];

interface KillOptions {
  /** Rounds per way of killing. */
  rounds: number;
  /** Concurrent callers per round. */
  callers: number;
  seed: number;
  /** Concurrent ways. */
  atOnce: number;
  /** Only these ways. */
  ways?: readonly string[];
}

/** Kills servers during creations, and returns what was requested by way, and the faults: none if every job is accounted for and every report is true. */
export async function kill({ rounds, callers, seed, atOnce, ways: only }: KillOptions) {
  const rows: Record<string, Counts> = {};
  const faults: string[] = [];
  // Each over stdio in one revision and over HTTP in the other.
  const all = Object.entries(WAYS).flatMap(([way, [starts, round]], at) =>
    starts.map((start, other) => ({ way, start, revision: REVISIONS[(at + other) % 2] ?? "2026-07-28", round })),
  );
  const due = all.filter(({ way }) => only === undefined || only.includes(way));
  const next = due.entries();
  const run = async () => {
    for (const [at, { way, start, revision, round }] of next) {
      const lab = await openLab(seed + at);
      try {
        const random = seededRandom(seed + at);
        let titles = 0;
        const title = () => `Job ${titles++}`;
        const started = (env: Record<string, string>) => start({ ...lab.env, ...env }, revision);
        const requested: RequestedJob[] = [];
        let stderr = "";
        for (let done = 0; done < rounds; done++) {
          const one = await round({ lab, callers, random, title, start: started });
          requested.push(...one.requested);
          stderr += `${one.stderr}\n`;
        }
        await lab.idle();
        const compared = compare(requested, stderr, await lab.jobsNow());
        const name = `${start === stdioServer ? "stdio" : "HTTP"} ${revision} ${way}`;
        rows[name] = compared.counts;
        faults.push(...compared.faults.map((fault) => `${name}: ${fault}`));
      } finally {
        await lab.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  console.table(rows);
  return { rows: Object.values(rows), faults };
}
