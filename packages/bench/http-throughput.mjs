// Measures how many requests a processor core serves over HTTP: requests by the processor time of the server, which other load disturbs little. Linux only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { machine, median } from "./measure.mjs";
import { BIN, environment, MINIMAL, processorTime } from "./server-programs.mjs";

const REQUESTS = 600;
const WARM_UP = 600;
const AT_ONCE = 8;
const ROUNDS = 11;

const servers = {
  "SDK v2, one tool": [MINIMAL, "http"],
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
  while (address() === undefined) await once(child.stderr, "data");
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
            ? resolve()
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

/** Compares the servers in interleaved rounds. `throughput` is the median of the rounds' ratios to the smallest server. */
export async function compareThroughput(rounds = ROUNDS, requests = REQUESTS, warmUp = WARM_UP) {
  const running = await Promise.all(Object.entries(servers).map(async ([name, args]) => ({ name, server: await startServer(args) })));
  try {
    const rows = [];
    for (const { name, sent } of cases) {
      const taken = Object.fromEntries(running.map((one) => [one.name, []]));
      for (const { server } of running) await cost(server, sent, warmUp);
      for (let round = 0; round < rounds; round++) {
        for (const one of round % 2 ? running : running.toReversed()) taken[one.name].push(await cost(one.server, sent, requests));
      }
      const [minimal] = Object.values(taken);
      for (const [program, costs] of Object.entries(taken)) {
        const ratios = costs.map((value, round) => minimal[round] / value).sort((a, b) => a - b);
        rows.push({
          name,
          program,
          perCore: 1000 / median(costs),
          throughput: median(ratios),
          spread: `${ratios[ratios.length >> 2].toFixed(2)} to ${ratios[(ratios.length * 3) >> 2].toFixed(2)}`,
        });
      }
    }
    return rows;
  } finally {
    for (const { server } of running) {
      server.child.kill();
      if (server.child.exitCode === null && server.child.signalCode === null) await once(server.child, "close");
    }
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(`${machine()}\n\nRequests a second and core over HTTP`);
  const rows = (await compareThroughput()).map(({ name, program, perCore, throughput, spread }) => ({
    request: name,
    server: program,
    "a second and core": perCore.toFixed(0),
    "x SDK": throughput.toFixed(2),
    "middle half": spread,
  }));
  console.table(rows);
}
