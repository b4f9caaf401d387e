import { once } from "node:events";
import { seededRandom } from "../../../tests/vitest/seeded-random.ts";
import { BOTH, bearer, customersUnderTest, READ, tokensFile } from "./callers-under-test.ts";
import { exchange, raw, rawCall, readyAt } from "./http-under-test.ts";
import { hostileRequest, type TokenKind } from "./request-generator.ts";
import { memoryOf, start } from "./spawned-bin.ts";

/** Milliseconds after which a request counts as unanswered: more than the server's own limit on requests. */
const UNANSWERED_MS = 40_000;

interface FuzzOptions {
  seed: number;
  requests: number;
  /** Requests at a time. */
  lanes: number;
}

/** The documented reasons of a 5xx: "Refused requests" in docs/http.md. */
const DOCUMENTED_5XX = /"ready":false|Already serving \d+ requests|All \d+ connections are in use|Access tokens cannot be verified/;

/** A token of each kind, for requests to a server that knows the customers north and south. */
function tokensOf(): { file: string; tokens: Record<TokenKind, string> } {
  const { file, tokens } = tokensFile({
    north: { ...BOTH, tenant: "north" },
    south: { ...READ, tenant: "south" },
    expired: { ...READ, tenant: "north", expires: new Date(Date.now() - 60_000) },
    nobody: { ...READ, tenant: "nobody" },
  });
  const { north } = tokens;
  return { file, tokens: { ...tokens, garbage: "canary-token.is.garbage", unsigned: `${north}x`, foreign: north.toUpperCase() } };
}

/** Sends requests that no client would send to the built server, with authorization on, and checks every response and line of the log. */
export async function fuzzRequests({ seed, requests, lanes }: FuzzOptions) {
  const { file, tokens } = tokensOf();
  const { FLEET_CONFIRM: _, ...customers } = (await customersUnderTest({ north: {}, south: {} })).env;
  const limits = { FLEET_CALLER_RATE: "1000000", FLEET_CALLER_CONCURRENCY: "100", FLEET_LOG: "info" };
  const { child } = start(["http", "--port", "0"], { ...customers, ...limits, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });
  const url = await readyAt(child);

  /** Responses that docs/http.md does not allow, lines of the log that say too much, and vehicles of the other customer, with what reproduces them. */
  const problems: string[] = [];
  const statuses: Record<string, number> = {};
  const memory: number[] = [];
  const note = (problem: string) => problems.length < 20 && problems.push(problem);
  const hidden = ["canary", ...Object.values(tokens).filter((token) => token.length > 20)];
  let rest = "";
  child.stderr.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!line.startsWith("{") || hidden.some((text) => line.includes(text))) note(`log: ${line.slice(0, 300)}`);
  });

  let sent = 0;
  const lane = async () => {
    while (sent < requests && child.exitCode === null) {
      const at = sent++;
      if (at % Math.ceil(requests / 10) === 0) memory.push(memoryOf(child.pid));
      // Each request has a seed of its own, so that one alone can be repeated.
      const { bytes, then, token } = hostileRequest(seededRandom(seed + at), tokens);
      const { status = "none", body, late = false } = await exchange(url, bytes, { then, ms: UNANSWERED_MS });
      statuses[status] = (statuses[status] ?? 0) + 1;
      const what = () => `seed ${seed + at}: ${status} ${body.slice(0, 200)} for ${bytes.toString("latin1", 0, 300)}`;
      if (Number(status) >= 500 && !DOCUMENTED_5XX.test(body)) note(what());
      if (then === "wait" && (late || status === "none")) note(what());
      for (const name of ["north", "south"]) if (token !== name && body.includes(`${name}12`)) note(`foreign: ${what()}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));

  // It still serves a normal call.
  const { headers, body } = rawCall("locate_vehicle", { query: "truck 12" });
  const { status, text } = await raw(url, { headers: { ...headers, ...bearer(tokens.north) }, body });
  if (status !== 200 || !text.includes("north12")) note(`afterwards: ${status} ${text.slice(0, 200)}`);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  if (code !== 0) note(`the server exited with ${code}`);
  return { problems, statuses, memory };
}
