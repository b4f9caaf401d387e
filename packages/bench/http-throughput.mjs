// Measures how many requests a processor core serves over HTTP: requests by the processor time of the server, which other load disturbs little. Linux only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { compared, interleaved, medianOf, processorTime } from "./measure.mjs";
import { BIN, environment, MINIMAL } from "./server-programs.mjs";

const AT_ONCE = 8;
const SDK = "SDK v2, one tool";

const servers = {
  [SDK]: [MINIMAL, "http"],
  "SDK v2, one tool (control)": [MINIMAL, "http"],
  "fleetwire-mcp": [BIN, "http", "--port", "0", "--sandbox"],
};

const CURRENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const params = { "tools/list": {}, "tools/call": { name: "locate_vehicle", arguments: { query: "truck 12" } } };

function requestOf(method, revision) {
  const isCurrent = revision === "2026-07-28";
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...(isCurrent && { "mcp-method": method, ...(method === "tools/call" && { "mcp-name": "locate_vehicle" }) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params[method], ...(isCurrent && { _meta: CURRENT }) } }),
  };
}

const cases = ["tools/call", "tools/list"].flatMap((method) =>
  ["2026-07-28", "2025-11-25"].map((revision) => ({ name: `${method}, ${revision}`, sent: requestOf(method, revision) })),
);

async function startServer(args) {
  // A warm call: no read of the fleet falls into a round.
  const env = { ...environment, FLEET_SNAPSHOT_SECONDS: "9999", FLEET_LOG: "silent" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    printed += chunk;
  });
  const address = () => /http:\S+\/mcp/.exec(printed)?.[0];
  const ended = once(child, "close").then(() => {
    throw new Error(`The server ended: ${printed}`);
  });
  while (address() === undefined) await Promise.race([once(child.stderr, "data"), ended]);
  ended.catch(() => {});
  return { child, url: new URL(address()) };
}

function send(url, agent, { headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers: { ...headers, "content-length": Buffer.byteLength(body) } }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk) => {
          text += chunk;
        })
        .once("end", () =>
          response.statusCode === 200 && text.includes('"result"') && !text.includes('"isError":true')
            ? resolve(JSON.parse(text.replace(/^event: message\ndata: /, "")).result)
            : reject(new Error(`HTTP ${response.statusCode}: ${text}`)),
        );
    });
    sent.once("error", reject).end(body);
  });
}

/** Processor milliseconds of the server for one request. */
async function cost(server, sent, count) {
  const before = processorTime(server.child.pid);
  // Idle connections would be closed while the other servers are measured.
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = count;
  const sender = async () => {
    while (left-- > 0) await send(server.url, agent, sent);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  agent.destroy();
  return (processorTime(server.child.pid) - before) / count;
}

/** Compares the servers in interleaved rounds. `ratio` is the median of the rounds' ratios to the smallest server. */
export async function compareThroughput(rounds = 11, requests = 600, warmUp = 2000) {
  const running = {};
  for (const [name, args] of Object.entries(servers)) running[name] = await startServer(args);
  try {
    const rows = [];
    for (const { name, sent } of cases) {
      const serve = async (server, round) => ({ cost: await cost(server, sent, round < 0 ? warmUp : requests) });
      const taken = await interleaved(running, rounds, serve, 1);
      for (const [program, all] of Object.entries(taken)) {
        // A throughput is the inverse of a cost.
        const inverse = all.map((one) => ({ cost: 1 / one.cost }));
        const base = taken[SDK].map((one) => ({ cost: 1 / one.cost }));
        rows.push({ name, program, perCore: 1000 * medianOf(inverse, "cost"), ...compared(inverse, base, "cost") });
      }
    }
    return rows;
  } finally {
    for (const { child } of Object.values(running)) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    }
  }
}

export const throughputTable = (rows) => ({
  title: "HTTP requests per second and core",
  rows: rows.map(({ name, program, perCore, ratio, spread }) => [
    `${name}, ${program}`,
    { "per second and core": perCore.toFixed(0), "x SDK, one tool": ratio.toFixed(2), "middle half": spread },
  ]),
});
