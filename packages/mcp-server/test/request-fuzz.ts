import { once } from "node:events";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { bearer, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { issuerUnderTest, newKey } from "./issuer-under-test.ts";
import { exchange } from "./raw-connection.ts";
import { hostileRequest, seededRandom, type TokenKind } from "./request-generator.ts";
import { start } from "./spawned-bin.ts";
import { tenantSettings } from "./tenants-under-test.ts";

const PUBLIC_URL = "https://fleet.example.com/mcp";

/** Milliseconds after which a request counts as unanswered: more than the server's own limit on requests. */
const UNANSWERED_MS = 40_000;

interface FuzzOptions {
  mode: "token" | "oauth";
  seed: number;
  requests: number;
  /** Requests at a time. */
  lanes: number;
}

export interface FuzzReport {
  /** Responses by status; `none` counts connections that ended without one. */
  statuses: Record<string, number>;
  /** Responses that docs/http.md does not allow, lines of the log that say too much, and vehicles of the other customer, with what reproduces them. */
  problems: string[];
  /** Memory of the server in MiB, at each tenth. */
  memory: number[];
  requestsPerSecond: number;
}

/** The documented reasons of a 5xx: "Refused requests" in docs/http.md. */
const DOCUMENTED_5XX: readonly RegExp[] = [
  /"ready":false/,
  /Already serving \d+ requests/,
  /All \d+ connections are in use/,
  /Access tokens cannot be verified/,
];

/** A token of each kind, for requests to a server that knows the customers north and south. */
async function tokensOf(
  mode: FuzzOptions["mode"],
): Promise<{ env: Record<string, string>; tokens: Record<TokenKind, string>; valid: () => Promise<string> }> {
  const garbage = "canary-token.is.garbage";
  if (mode === "token") {
    const scopes = ["fleet:read"] as const;
    const { file, tokens } = tokensFile({
      north: { scopes: ["fleet:read", "fleet:write"], tenant: "north" },
      south: { scopes, tenant: "south" },
      expired: { scopes, tenant: "north", expires: new Date(Date.now() - 60_000) },
      nobody: { scopes, tenant: "nobody" },
    });
    const { north, south, expired, nobody } = tokens;
    const env = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
    return {
      env,
      tokens: { north, south, expired, nobody, garbage, unsigned: `${north}x`, foreign: north.toUpperCase() },
      valid: async () => north,
    };
  }
  const issuer = await issuerUnderTest();
  const aud = PUBLIC_URL;
  const exp = Math.floor(Date.now() / 1_000) + 7_200;
  const scope = "fleet:read fleet:write";
  const sign = (claims: object, ...more: [] | [Awaited<ReturnType<typeof newKey>>]) => issuer.sign({ aud, exp, scope, ...claims }, ...more);
  const [north, south, expired, nobody, foreign] = await Promise.all([
    sign({ tenant: "north" }),
    sign({ tenant: "south", scope: "fleet:read" }),
    sign({ tenant: "north", exp: exp - 14_400 }),
    sign({ tenant: "nobody" }),
    sign({ tenant: "north" }, await newKey("first")),
  ]);
  const [, payload] = north.split(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  const env = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL };
  return { env, tokens: { north, south, expired, nobody, garbage, unsigned, foreign }, valid: async () => north };
}

/** Sends requests that no client would send to the built server, with authorization on, and checks every response and line of the log. */
export async function fuzzRequests({ mode, seed, requests, lanes }: FuzzOptions): Promise<FuzzReport> {
  const { env, tokens, valid } = await tokensOf(mode);
  const vehicle = (customer: string) => [{ assetId: `${customer}12`, assetName: "Truck 12", date: new Date().toISOString() }];
  const services = Object.fromEntries(
    await Promise.all(
      ["north", "south"].map(async (name) => {
        const script = { listLivePositions: () => ({ body: vehicle(name) }), createJob: () => ({ body: { job: { jobId: "j1" } } }) };
        return [name, await fleetService(script, undefined, `c${name}`)] as const;
      }),
    ),
  );
  const tenants = Object.fromEntries(
    Object.entries(services).map(([name, { origin }]) => [name, { settings: tenantSettings(name, origin) }]),
  );
  const secrets = { ID_NORTH: "id-north", ID_SOUTH: "id-south", SECRET_NORTH: "canary-north", SECRET_SOUTH: "canary-south" };
  const limits = { FLEET_CALLER_RATE: "1000000", FLEET_CALLER_CONCURRENCY: "100" };
  const { child, ended } = start(["http", "--port", "0"], {
    ...env,
    ...secrets,
    ...limits,
    FLEET_TENANTS_FILE: tenantsFile(tenants),
    FLEET_LOG: "info",
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = await readyAt(child);

  const report: FuzzReport = { statuses: {}, problems: [], memory: [], requestsPerSecond: 0 };
  const note = (problem: string) => report.problems.length < 20 && report.problems.push(problem);
  const hidden = ["canary", ...Object.values(tokens).filter((token) => token.length > 20)];
  let rest = "";
  child.stderr.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!line.startsWith("{") || hidden.some((text) => line.includes(text))) note(`log: ${line.slice(0, 300)}`);
  });
  const memory = () => Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024);

  const startedAt = performance.now();
  let sent = 0;
  const lane = async () => {
    while (sent < requests && child.exitCode === null) {
      const at = sent++;
      if (at % Math.ceil(requests / 10) === 0) report.memory.push(memory());
      // Each request has a seed of its own, so that one alone can be repeated.
      const { bytes, then, token } = hostileRequest(seededRandom(seed + at), tokens);
      const { status = "none", body, late = false } = await exchange(url, bytes, { then, ms: UNANSWERED_MS });
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const what = () => `seed ${seed + at}: ${status} ${body.slice(0, 200)} for ${bytes.toString("latin1", 0, 300)}`;
      if (Number(status) >= 500 && !DOCUMENTED_5XX.some((reason) => reason.test(body))) note(what());
      if (then === "wait" && (late || status === "none")) note(what());
      if ((token !== "north" && body.includes("north12")) || (token !== "south" && body.includes("south12"))) note(`foreign: ${what()}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  report.requestsPerSecond = Math.round((1_000 * sent) / (performance.now() - startedAt));

  // It still serves a normal call.
  const { headers, body } = rawCall("locate_vehicle", { query: "truck 12" });
  const { status, text } = await raw(url, { headers: { ...headers, ...bearer(await valid()) }, body }).catch((error) => ({
    status: String(error),
    text: "",
  }));
  if (status !== 200 || !text.includes("north12")) note(`afterwards: ${status} ${text.slice(0, 200)}`);
  report.memory.push(memory());
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  if (code !== 0) note(`the server exited with ${code}`);
  return report;
}
