import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Operation, operations } from "@fleetwire/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Exchange, startPrism, type Violation } from "./prism-proxy.ts";

const sandbox = fileURLToPath(new URL("../../../packages/sandbox", import.meta.url));

/** The sandbox's test files are named after the operations. */
const ruleTests = [
  ...Object.keys(operations).map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
  "authentication",
];

/** Runs the sandbox's tests and returns their distinct exchanges. */
async function ruleTestTraffic(folder: string): Promise<Exchange[]> {
  const file = join(folder, "traffic.jsonl");
  await promisify(execFile)(join(sandbox, "../../node_modules/.bin/vitest"), ["run", ...ruleTests], {
    cwd: sandbox,
    env: { ...process.env, SANDBOX_TRAFFIC: file },
  });
  const lines = new Set((await readFile(file, "utf8")).trim().split("\n"));
  return [...lines].map((line) => JSON.parse(line) as Exchange);
}

/** Whether Prism can handle an exchange: broken percent-encoding and invalid JSON crash it. */
function isReadable({ path, requestBody, requestHeaders }: Exchange): boolean {
  try {
    decodeURIComponent(path);
    if (requestBody !== "" && requestHeaders["content-type"]?.startsWith("application/json")) JSON.parse(requestBody);
    return true;
  } catch {
    return false;
  }
}

const matchesAnOperation = ({ method, path }: Exchange) =>
  Object.values(operations).some((operation) => {
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
    return operation.method === method && pattern.test(path);
  });

const inResponse = ({ location }: Violation) => location[0] === "response";

let folder: string;
let prism: Awaited<ReturnType<typeof startPrism>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleetwire-"));
  prism = await startPrism();
});

afterAll(async () => {
  await prism.stop();
  await rm(folder, { recursive: true });
});

/** Requests that the document does not allow but the sandbox accepts by choice. */
const LENIENT: Record<string, string> = {
  "request.query.fromdatetime": "a date-time without a zone is UTC",
  "request.body.driverKeys.0": "a driver key that is too short matches no driver, like any unknown one",
};

/** Whether the sandbox accepted a request; a refusal can have status 200. */
function isAccepted({ method, path, status, responseBody }: Exchange): boolean {
  if (status >= 400) return false;
  const operation = Object.values<Operation>(operations).find(
    (candidate) => candidate.method === method && candidate.path === path.split("?")[0],
  );
  return operation?.effect !== "create" || JSON.parse(responseBody).errors === undefined;
}

describe("Prism over the sandbox's traffic", () => {
  it("finds no violation in the sandbox's tests", { timeout: 240_000 }, async () => {
    const traffic = (await ruleTestTraffic(folder)).filter((exchange) => isReadable(exchange) && matchesAnOperation(exchange));
    const objections: string[] = [];
    const lenient = new Set<string>();
    for (const exchange of traffic) {
      // The tests send invalid requests on purpose: only their responses are checked, and accepted requests must be valid.
      const violations = (await prism.check(exchange)).filter((violation) => isAccepted(exchange) || inResponse(violation));
      for (const { location, message } of violations) {
        const where = location.join(".");
        if (where in LENIENT) lenient.add(where);
        else objections.push(`${exchange.method} ${exchange.path} ${exchange.status}: ${where} ${message}`);
      }
    }
    expect(objections).toEqual([]);
    expect([...lenient].sort()).toEqual(Object.keys(LENIENT).sort());
    expect(traffic.length).toBeGreaterThan(100);
  });

  const good: Exchange = {
    method: "GET",
    path: "/public/v1/customer/c1/tracking/live?vehicleIds=v1,v2",
    requestHeaders: { authorization: "Basic YTpi" },
    requestBody: "",
    status: 200,
    responseHeaders: { "content-type": "application/json" },
    responseBody: JSON.stringify([{ speed: 1 }]),
  };
  const group = { ...good, method: "PUT", path: "/public/v1/customer/c1/group", requestBody: JSON.stringify({ id: "a" }) };
  const json = { ...good.requestHeaders, "content-type": "application/json;charset=UTF-8" };

  it.each([
    ["nothing in a good exchange", good, undefined],
    ["a field of the wrong type", { ...good, responseBody: JSON.stringify([{ speed: "1" }]) }, "response"],
    ["an undocumented enum value", { ...good, responseBody: JSON.stringify([{ eventType: "flying" }]) }, "response"],
    ["a response of another shape", { ...good, responseBody: "{}" }, "response"],
    ["missing credentials", { ...good, requestHeaders: {} }, "request"],
    ["a 400 that is not a list", { ...group, requestHeaders: json, status: 400, responseBody: "{}" }, "response"],
    ["a group without id", { ...group, requestHeaders: json, requestBody: "{}", responseBody: JSON.stringify({ id: "a" }) }, "request"],
  ] as const)("reports %s", async (_, exchange, where) => {
    const violations = await prism.check(exchange);
    expect(violations.map(({ location }) => location[0])).toEqual(where === undefined ? [] : expect.arrayContaining([where]));
  });
});
