// Measures how many requests a processor core serves over HTTP: requests by the processor time of the server, which other load disturbs little. Linux only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { machine, median, printTable, ratios, spread } from "./measure.mjs";
import { BIN, environment, MINIMAL, processorTime, SAME_TOOLS } from "./server-programs.mjs";

const REQUESTS = 600;
const WARM_UP = 2000;
const AT_ONCE = 8;
const ROUNDS = 11;

const servers = {
  "SDK v2, one tool": [MINIMAL, "http"],
  "SDK v2, one tool (control)": [MINIMAL, "http"],
  "fleetwire-mcp": [BIN, "http", "--port", "0", "--sandbox"],
};
const SAME = "SDK v2, the same tools";

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

/** Starts a server, and passes it a message if it waits for one. */
async function startServer(args, message) {
  // A warm call: no read of the fleet falls into a round.
  const env = { ...environment, FLEET_SNAPSHOT_SECONDS: "9999", FLEET_LOG: "silent" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe", ...(message ? ["ipc"] : [])] });
  if (message) child.send(message);
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

/** Starts a server with the tools of another, and with a constant result: that of a call to the other. */
async function startSameTools({ url }) {
  const agent = new Agent();
  const [result, { tools }] = await Promise.all(
    ["tools/call", "tools/list"].map((method) => send(url, agent, requestOf(method, "2025-11-25"))),
  );
  agent.destroy();
  return startServer([SAME_TOOLS], { tools, result });
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

/** Compares the servers in interleaved rounds. `throughput` is the median of the rounds' ratios to the smallest server, `toSame` of those to one with the same tools. */
export async function compareThroughput(rounds = ROUNDS, requests = REQUESTS, warmUp = WARM_UP) {
  const running = await Promise.all(Object.entries(servers).map(async ([name, args]) => ({ name, server: await startServer(args) })));
  const { server: ours } = running.find(({ name }) => name === "fleetwire-mcp");
  running.push({ name: SAME, server: await startSameTools(ours) });
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
        const toMinimal = ratios(minimal, costs);
        rows.push({
          name,
          program,
          perCore: 1000 / median(costs),
          throughput: median(toMinimal),
          spread: spread(toMinimal),
          toSame: median(ratios(taken[SAME], costs)),
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

export const throughputTable = (rows) => ({
  title: "HTTP requests per second and core",
  rows: rows.map(({ name, program, perCore, throughput, toSame, ...more }) => [
    `${name}, ${program}`,
    {
      "per second and core": perCore.toFixed(0),
      "x SDK, one tool": throughput.toFixed(2),
      "middle half": more.spread,
      "x SDK, the same tools": toSame.toFixed(2),
    },
  ]),
});

if (process.argv[1] === new URL(import.meta.url).pathname) {
  console.log(machine());
  printTable(throughputTable(await compareThroughput()));
}
