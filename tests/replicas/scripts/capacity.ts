// Measures what one replica carries, with access tokens and Redis: npm run -s capacity -- [customers] [vehicles of each]. Linux only.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Program, startServer } from "@fleetwire/packaging/started-program";
import { openRedis, openSandbox, redisPath, writeTokens } from "../test/setup.ts";

const CALLS = 300;
const AT_ONCE = 8;
const TOKENS = 10_000;
const [CUSTOMERS = 40, VEHICLES = 50] = process.argv.slice(2).map(Number);

/** Processor milliseconds, which other load disturbs little. */
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6,
    0,
  );
}

const memory = (pid: number) => Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);

const CURRENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "capacity", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool and returns the record of its result. */
function call(url: string, agent: Agent, token: string, name: string, args: Arguments): Promise<{ confirmation?: string }> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: CURRENT } });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => {
        const { result } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? "{}") as { result?: { isError?: boolean; structuredContent: object } };
        if (result && !result.isError) resolve(result.structuredContent);
        else reject(new Error(`${name}: HTTP ${response.statusCode}: ${text}`));
      });
    });
    sent.once("error", reject).end(body);
  });
}

const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";
let jobs = 0;

const CASES: Readonly<Record<string, (ask: (name: string, args: Arguments) => ReturnType<typeof call>) => Promise<unknown>>> = {
  locate_vehicle: (ask) => ask("locate_vehicle", { query: "truck 12" }),
  "list_live_positions, 20 rows": (ask) => ask("list_live_positions", { limit: 20 }),
  summarize_fleet: (ask) => ask("summarize_fleet", {}),
  "create_job, preview and confirmation": async (ask) => {
    const args = { address: ADDRESS, jobTitle: `Job ${jobs++}` };
    const { confirmation } = await ask("create_job", args);
    await ask("create_job", { ...args, confirmation });
  },
};

if (redisPath === undefined) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), "fleetwire-capacity-"));
const ends: Pick<Program, "end">[] = [];
try {
  const sandbox = await openSandbox(["--customers", `${CUSTOMERS}`, "--vehicles", `${VEHICLES}`]);
  const redis = await openRedis(folder);
  ends.push(sandbox, redis);
  let reads = 0;
  sandbox.onLine((line) => void (line.includes("/tracking/live ") && reads++));
  const customers = sandbox.customers;
  const tokensFile = join(folder, "tokens.json");
  const tenantNames = customers.map((_, at) => `t${at}`);
  let tokens = writeTokens(tokensFile, tenantNames);
  const secrets = ["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"];
  // Without Fleetwire's prefix, which is for its own variables.
  const variableOf = (name: string, at: number) => `${name.replace("FLEET_", "")}_${at}`;
  const settingsOf = (env: Readonly<Record<string, string>>, at: number) =>
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, secrets.includes(name) ? { env: variableOf(name, at) } : value]));
  const tenants = Object.fromEntries(customers.map((env, at) => [`t${at}`, { settings: settingsOf(env, at) }]));
  writeFileSync(join(folder, "tenants.json"), JSON.stringify({ tenants }));
  const started = await startServer({
    ...Object.fromEntries(customers.flatMap((env, at) => secrets.map((name) => [variableOf(name, at), env[name] ?? ""]))),
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: tokensFile,
    FLEET_TENANTS_FILE: join(folder, "tenants.json"),
    FLEET_REDIS_URL: redis.url,
    FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
    FLEET_CALLER_RATE: "1000000",
  });
  ends.push(started);
  const { ready: url, pid } = started;

  /** Runs calls for one customer or all, and returns the processor milliseconds that each takes of the replica and of Redis. */
  const cost = async (one: (typeof CASES)[string], count: number, ofCustomers = 1): Promise<{ replica: number; redis: number }> => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const before = { replica: processorTime(pid), redis: processorTime(redis.pid()) };
    const next = Array(count).keys();
    const run = async () => {
      for (const at of next) await one((name, args) => call(url, agent, tokens[at % ofCustomers] ?? "", name, args));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    const took = { replica: processorTime(pid) - before.replica, redis: processorTime(redis.pid()) - before.redis };
    agent.destroy();
    return { replica: took.replica / count, redis: took.redis / count };
  };

  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, load average ${loadavg()[0]?.toFixed(1)}`);
  console.log(`memory before the first call: ${memory(pid)} MiB`);
  for (const [name, one] of Object.entries(CASES)) {
    await cost(one, CALLS);
    const { replica, redis: ofRedis } = await cost(one, CALLS);
    console.log(
      `${name}: ${replica.toFixed(1)} ms of processor time, ${Math.round(1_000 / replica)} a second and core; Redis ${ofRedis.toFixed(2)} ms`,
    );
  }
  console.log(`memory with one customer of ${VEHICLES} vehicles: ${memory(pid)} MiB`);
  const { locate_vehicle: locate } = CASES as { locate_vehicle: (typeof CASES)[string] };
  await cost(locate, CUSTOMERS, CUSTOMERS);
  const inTurn = await cost(locate, 3 * CUSTOMERS, CUSTOMERS);
  console.log(`locate_vehicle for ${CUSTOMERS} customers in turn: ${inTurn.replica.toFixed(1)} ms of processor time`);
  console.log(`memory with ${CUSTOMERS} customers of ${VEHICLES} vehicles: ${memory(pid)} MiB`);
  // For twenty seconds after the last question, live views are kept current.
  const before = { time: processorTime(pid), reads };
  await setTimeout(10_000);
  const perRead = (processorTime(pid) - before.time) / (reads - before.reads);
  console.log(`keeping their live views current: ${reads - before.reads} reads in 10 s, ${perRead.toFixed(1)} ms of processor time each`);
  await setTimeout(20_000);
  const idle = memory(pid);
  const agent = new Agent({ keepAlive: true });
  const OPEN = 400;
  // A customer has at most 100 requests at a time.
  await Promise.all(
    Array.from({ length: OPEN }, (_, at) => call(url, agent, tokens[at % CUSTOMERS] ?? "", "locate_vehicle", { query: "truck 12" })),
  );
  console.log(`memory with ${OPEN} calls at a time, and their connections: ${memory(pid)} MiB, ${memory(pid) - idle} MiB more`);
  agent.destroy();
  tokens = writeTokens(tokensFile, [...tenantNames, ...Array(TOKENS).fill("t0")]);
  await setTimeout(2_000);
  const withMany = await cost(locate, CALLS);
  console.log(`locate_vehicle with ${TOKENS} tokens in the file: ${withMany.replica.toFixed(1)} ms of processor time`);
} finally {
  await Promise.all(ends.map(({ end }) => end()));
  rmSync(folder, { recursive: true, force: true });
}
