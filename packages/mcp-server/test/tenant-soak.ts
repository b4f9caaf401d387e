import { onTestFinished } from "vitest";
import { fleetService, type Responder } from "../../tools/test/served-fleet.ts";
import { bearer, READ, tenantSettings, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { rawCall, readyAt } from "./http-under-test.ts";
import { memoryOf, start } from "./spawned-bin.ts";

interface SoakOptions {
  tenants: number;
  vehicles: number;
  /** How many callers send requests at a time. */
  callers: number;
  /** Ends the soak after this many requests, or seconds. */
  requests?: number;
  seconds?: number;
}

/** By how much the later half of what was measured exceeds the earlier half; the first third is warming up. */
export function growthOf(memory: readonly number[]): number {
  const settled = memory.slice(Math.floor(memory.length / 3));
  const half = Math.floor(settled.length / 2);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(settled.slice(half)) / mean(settled.slice(0, half));
}

/** Lets many callers of many customers ask the built server at once, and checks that each sees its own customer's vehicles only. */
export async function soakTenants({ tenants, vehicles, callers, requests = Number.POSITIVE_INFINITY, seconds = 600 }: SoakOptions) {
  const date = new Date().toISOString();
  // A vehicle's id says whose it is, and a customer's credentials are needed for its vehicles.
  const listLivePositions: Responder = ({ url, headers }) => {
    const name = /\/customer\/c(t\d+)\//.exec(url.pathname)?.[1];
    if (headers.authorization !== `Basic ${btoa(`id-${name}:canary-${name}`)}`) return { status: 401 };
    return { body: Array.from({ length: vehicles }, (_, at) => ({ assetId: `${name}v${at}`, assetName: `Truck ${at}`, date })) };
  };
  const { origin } = await fleetService({ listLivePositions }, onTestFinished, "ct\\d+");
  const names = Array.from({ length: tenants }, (_, at) => `t${at}`);
  const { file, tokens } = tokensFile<string>(Object.fromEntries(names.map((tenant) => [tenant, { ...READ, tenant }])));
  const secrets = names.flatMap((name) => [
    [`ID_${name.toUpperCase()}`, `id-${name}`],
    [`SECRET_${name.toUpperCase()}`, `canary-${name}`],
  ]);
  const { child } = start(["http", "--port", "0"], {
    ...Object.fromEntries(secrets),
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: file,
    FLEET_TENANTS_FILE: tenantsFile(Object.fromEntries(names.map((name) => [name, { settings: tenantSettings(name, origin) }]))),
    FLEET_LOG: "info",
    FLEET_CALLER_RATE: "1000000",
  });
  const url = await readyAt(child);

  const report = { statuses: {} as Record<string, number>, foreign: [] as string[], memory: [] as number[] };
  let rest = "";
  child.stderr.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { caller, tenant } = line.startsWith("{") ? JSON.parse(line) : {};
      if (caller !== tenant) report.foreign.push(line);
    }
  });
  const startedAt = performance.now();
  let sent = 0;
  const ask = async () => {
    while (sent < requests && performance.now() - startedAt < seconds * 1_000) {
      const turn = sent++;
      // Steps through the customers in an order that mixes them.
      const name = names[(turn * 7_919) % tenants] ?? "";
      const list = rawCall("list_live_positions", { fields: ["assetId"], limit: 50 });
      const { headers, body } = turn % 3 === 0 ? list : rawCall("locate_vehicle", { query: "truck 12" });
      const all = { "content-type": "application/json", ...headers, ...bearer(tokens[name]) };
      const response = await fetch(url, { method: "POST", headers: all, body });
      const text = await response.text();
      report.statuses[response.status] = (report.statuses[response.status] ?? 0) + 1;
      for (const [id, owner] of text.matchAll(/\b(t\d+)v\d+\b/g)) if (owner !== name) report.foreign.push(`${id} for ${name}`);
    }
  };
  // Each customer's first requests create what the server then keeps.
  const watching = setInterval(() => sent > 4 * tenants && report.memory.push(memoryOf(child.pid)), 2_000);
  await Promise.all(Array.from({ length: callers }, ask));
  clearInterval(watching);
  report.memory.push(memoryOf(child.pid));
  return { ...report, requests: sent };
}
