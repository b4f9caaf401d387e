import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { bearer, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { rawCall, readyAt } from "./http-under-test.ts";
import { start } from "./spawned-bin.ts";

interface SoakOptions {
  tenants: number;
  vehicles: number;
  /** How many callers send requests at a time. */
  callers: number;
  /** Ends the soak after this many requests, or seconds. */
  requests?: number;
  seconds?: number;
}

export interface SoakReport {
  requests: number;
  seconds: number;
  /** Responses by HTTP status. */
  statuses: Record<string, number>;
  /** Vehicles in responses to the callers of another customer, and lines of the log that name the wrong customer. */
  foreign: string[];
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Memory of the server in MiB, at intervals. */
  memory: number[];
}

const VEHICLE = /\bc(\d+)v\d+\b/g;

/** A customer's vehicle: its id says whose it is. */
const positionOf = (customer: number, vehicle: number) => ({
  assetId: `c${customer}v${vehicle}`,
  assetName: `Truck ${vehicle}`,
  assetRegistration: `R${customer} ${vehicle}`,
  driverName: `Driver ${customer} ${vehicle}`,
  city: "Lyon",
  date: new Date().toISOString(),
  latitude: 45.7,
  longitude: 4.8,
});

/** A service of many customers, which gives each the positions of its own vehicles if its credentials are right. */
async function manyCustomers(vehicles: number): Promise<string> {
  const server = createServer((incoming, response) => {
    const customer = Number(/\/customer\/c(\d+)\//.exec(incoming.url ?? "")?.[1]);
    const expected = `Basic ${btoa(`id-${customer}:canary-${customer}`)}`;
    if (incoming.headers.authorization !== expected) return response.writeHead(401).end();
    const body = Array.from({ length: vehicles }, (_, vehicle) => positionOf(customer, vehicle));
    return response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const settingsOf = (customer: number, origin: string) => ({
  FLEET_CUSTOMER_ID: `c${customer}`,
  FLEET_CLIENT_ID: { env: `ID_${customer}` },
  FLEET_CLIENT_SECRET: { env: `SECRET_${customer}` },
  FLEET_BASE_URL: origin,
});

/** Posts over a connection that is kept open, as a proxy does. */
function post(url: string, agent: Agent, token: string, { headers, body }: ReturnType<typeof rawCall>) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const options = { method: "POST", agent, headers: { "content-type": "application/json", ...headers, ...bearer(token) } };
    const sent = request(url, options, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on("error", reject).end(body);
  });
}

const quantile = (sorted: readonly number[], share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);

/** Lets many callers of many customers ask the built server at once, and checks that each sees its own customer's vehicles only. */
export async function soakTenants({
  tenants,
  vehicles,
  callers,
  requests = Number.POSITIVE_INFINITY,
  seconds = 600,
}: SoakOptions): Promise<SoakReport> {
  const origin = await manyCustomers(vehicles);
  const customers = [...Array(tenants).keys()];
  const holders = customers.map((at) => [`caller-${at}`, { scopes: ["fleet:read"] as const, tenant: `t${at}` }] as const);
  const { file, tokens } = tokensFile<string>(Object.fromEntries(holders));
  const env = {
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: file,
    FLEET_TENANTS_FILE: tenantsFile(Object.fromEntries(customers.map((at) => [`t${at}`, { settings: settingsOf(at, origin) }]))),
    FLEET_LOG: "info",
    FLEET_CALLER_RATE: "1000000",
    ...Object.fromEntries(
      customers.flatMap((at) => [
        [`ID_${at}`, `id-${at}`],
        [`SECRET_${at}`, `canary-${at}`],
      ]),
    ),
  };
  const { child } = start(["http", "--port", "0"], env);
  const url = await readyAt(child);

  const report: SoakReport = { requests: 0, seconds: 0, statuses: {}, foreign: [], p50: 0, p99: 0, memory: [] };
  let rest = "";
  child.stderr.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { caller, tenant } = line.startsWith("{") ? JSON.parse(line) : {};
      if (caller !== undefined && caller.slice("caller-".length) !== tenant?.slice(1)) report.foreign.push(line);
    }
  });
  const memory = () => Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024);
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const times: number[] = [];
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let sent = 0;
  const ask = async () => {
    while (sent < requests && elapsed() < seconds) {
      const turn = sent++;
      // Steps through the customers in an order that mixes them.
      const at = (turn * 7_919) % tenants;
      const call =
        turn % 3 === 0
          ? rawCall("list_live_positions", { fields: ["assetId"], limit: 50 })
          : rawCall("locate_vehicle", { query: "truck 12" });
      const calledAt = performance.now();
      const { status, text } = await post(url, agent, tokens[`caller-${at}`] ?? "", call);
      times.push(performance.now() - calledAt);
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      for (const [id, owner] of text.matchAll(VEHICLE)) if (Number(owner) !== at) report.foreign.push(`${id} for t${at}`);
    }
  };
  const watching = setInterval(() => report.memory.push(memory()), 5_000);
  await Promise.all(Array.from({ length: callers }, ask));
  clearInterval(watching);
  report.memory.push(memory());
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return { ...report, requests: times.length, seconds: elapsed(), p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}
