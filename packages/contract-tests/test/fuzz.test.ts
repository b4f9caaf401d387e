import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import { run, served } from "./run-command.ts";

// biome-ignore lint/suspicious/noExplicitAny: requests and responses of any shape
type Json = any;

interface Call {
  url: URL;
  query: Record<string, string>;
  sent: Json;
  /** The faithful response to this request, or to a changed one. */
  pass: (change?: { query?: Record<string, string | undefined>; sent?: Json }) => Promise<Response>;
}

const json = (body: Json, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json" }, ...init });
const failing = async (status: number) => json({}, { status });
const changed = async (answer: Promise<Response>, change: (body: Json) => Json) => {
  const response = await answer;
  return response.ok ? json(change(await response.json())) : response;
};

const [LIVE, FAULTS, TACHO, JOB, GROUP] = ["/tracking/live", "/vehicle/faults", "/tacho/activity", "/job/create", "/group"] as const;

const kept = { renamed: new Map<string, string>(), numbers: new Set<string>() };

/** Faults of a service: where, what is expected to be said of it, and the response, if the request is one that it has. */
const PLANTED: [fault: string, path: string, problem: RegExp, respond: (call: Call) => Promise<Response> | undefined][] = [
  [
    "a crash by two filters",
    LIVE,
    /listLivePositions: .* it answers with status 500/,
    ({ query }) => (query["groupIds"] && query["driverIds"] ? failing(500) : undefined),
  ],
  [
    "an undocumented status",
    LIVE,
    /listLivePositions: valid input is expected to be accepted; it answers with status 418/,
    ({ query }) => (query["hideSpeedIfSpeedSensitive"] === "true" && !query["groupIds"] ? failing(418) : undefined),
  ],
  [
    "a filter that is ignored",
    LIVE,
    /listLivePositions: a value requested in vehicleIds is expected at \$\[\*\]\.assetId; it is another value/,
    ({ query, pass }) =>
      query["vehicleIds"] && !query["fromDateTime"] && !query["groupIds"] ? pass({ query: { vehicleIds: undefined } }) : undefined,
  ],
  [
    "a page size of nothing",
    FAULTS,
    /listVehicleFaults: `pageSize` less than 1 is expected to be refused; it is accepted with status 200/,
    ({ query, pass }) => (query["pageSize"] === "0" ? pass({ query: { pageSize: "1" } }) : undefined),
  ],
  [
    "a body that ends early",
    FAULTS,
    /listVehicleFaults: a response as documented is expected; it cannot be read/,
    ({ query, pass }) =>
      query["groupId"] ? pass().then(() => new Response("[{", { headers: { "content-type": "application/json" } })) : undefined,
  ],
  [
    "a period without a start",
    TACHO,
    /queryTachoActivity: `startTime` left out is expected to be refused/,
    ({ sent, pass }) => (sent && sent.startTime === undefined ? pass({ sent: { ...sent, startTime: sent.endTime } }) : undefined),
  ],
  [
    "a word that is none",
    TACHO,
    /queryTachoActivity: `dataContent` a word that is none of its values is expected to be refused/,
    ({ sent, pass }) => (sent?.dataContent === "fuzzed" ? pass({ sent: { ...sent, dataContent: undefined } }) : undefined),
  ],
  [
    "a job number that is taken twice",
    JOB,
    /createJob: a `jobNumber` that exists is expected to be refused/,
    ({ sent, pass }) => {
      const isTaken = kept.numbers.has(sent?.jobNumber);
      kept.numbers.add(sent?.jobNumber);
      return isTaken && sent.status === undefined ? pass({ sent: { ...sent, jobNumber: `${sent.jobNumber}-2` } }) : undefined;
    },
  ],
  [
    "a job that is lost",
    JOB,
    /createJob: the record with its jobNumber is expected to be kept; it was accepted and is gone/,
    ({ sent }) =>
      sent?.notes?.includes("🚚") && !/fuzzed|\{\}/.test(JSON.stringify(sent))
        ? Promise.resolve(json({ job: { ...sent, jobId: "lost" } }))
        : undefined,
  ],
  [
    "a name that is lost",
    GROUP,
    /updateGroup: a name is expected to be kept; it was accepted and is gone/,
    ({ sent, pass }) =>
      sent?.id && sent.name?.length < 200
        ? changed(pass({ sent: { id: sent.id } }), (group) => ({ ...group, name: sent.name }))
        : undefined,
  ],
  [
    "a name that is too long",
    GROUP,
    /updateGroup: `name` more than 255 characters is expected to be refused/,
    ({ sent, pass }) =>
      sent?.name?.length > 255 ? changed(pass({ sent: { id: sent.id } }), (group) => ({ ...group, name: sent.name })) : undefined,
  ],
  [
    "one error instead of a list",
    GROUP,
    /updateGroup: status 400 is expected with a list of errors; its body is something else/,
    ({ sent, pass }) =>
      sent?.id === "" ? pass().then(async (response) => json(((await response.json()) as Json[])[0], { status: 400 })) : undefined,
  ],
];

/** A service over HTTP that has faults. */
async function serviceWith(planted: typeof PLANTED): Promise<Record<string, string>> {
  const sandbox = createSandbox({ seed: 1, vehicles: 10, clock: () => Date.UTC(2026, 10, 20, 10) });
  const origin = new URL(sandbox.env["FLEET_BASE_URL"] ?? "").origin;
  const own = await served(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", origin);
    const isJson = request.headers["content-type"]?.startsWith("application/json");
    const sent = isJson && body !== "" ? JSON.parse(body) : undefined;
    const { "content-length": _, ...received } = request.headers;
    const headers = new Headers(received as Record<string, string>);
    const pass: Call["pass"] = ({ query = {}, sent: other } = {}) => {
      const to = new URL(url);
      for (const [name, value] of Object.entries(query))
        value === undefined ? to.searchParams.delete(name) : to.searchParams.set(name, value);
      const content = other === undefined ? body : JSON.stringify(other);
      return Promise.resolve(
        sandbox.fetch(to.href, { method: request.method ?? "GET", headers, ...(content !== "" && { body: content }) }),
      );
    };
    const call: Call = { url, query: Object.fromEntries(url.searchParams), sent, pass };
    let answer: Response | undefined;
    for (const [, path, , respond] of planted) answer ??= url.pathname.endsWith(path) ? await respond(call) : undefined;
    answer ??= await pass();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  return Object.fromEntries(Object.entries(sandbox.env).map(([name, value]) => [name, value.replace(origin, own)]));
}

const attack = async (env: Record<string, string>, ...more: string[]) => {
  const { code, stdout, stderr } = await run(["fuzz", "--staging", "--host", "127.0.*", "--seed", "7", "--json", ...more], env);
  return { code, stderr, report: code === 2 ? undefined : JSON.parse(stdout) };
};

it("finds each planted fault, with the request that shows it, and nothing else", async () => {
  const limits = "--allow-writes --sequences 200 --max-writes 400 --max-requests 20000".split(" ");
  const { code, report } = await attack(await serviceWith(PLANTED), ...limits);
  const problems: string[] = report.findings.map(({ problem }: Json) => problem);
  const unfound = PLANTED.filter(([, , words]) => !problems.some((problem) => words.test(problem))).map(([fault]) => fault);
  const unplanted = problems.filter((problem) => !PLANTED.some(([, , words]) => words.test(problem)));
  expect({ code, unfound, unplanted }).toEqual({ code: 1, unfound: [], unplanted: [] });
  for (const { curl } of report.findings) {
    expect(curl.at(-1)).toMatch(/^curl -i .*'http:\/\/127\.0\.0\.1:\d+\//);
    expect(curl.join("\n")).not.toMatch(/Basic |Bearer |canary-/);
    // What is found needs no other calls than its own.
    expect(curl.length).toBeLessThanOrEqual(3);
  }
}, 120_000);

describe("a faithful service", () => {
  it("has no problem, and gets the names of its groups back", async () => {
    const env = await serviceWith([]);
    const namesOfGroups = async (of: Record<string, string>) =>
      (await createFleetClient(fleetConfigFromEnv(of)).listLivePositions()).map(({ assetGroupName }) => assetGroupName);
    const before = await namesOfGroups(env);
    const { code, report } = await attack(env, "--allow-writes", "--sequences", "60");
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] });
    expect(report.left.every((one: string) => one.startsWith("job FZ-7-"))).toBe(true);
    expect(await namesOfGroups(env)).toEqual(before);
  });

  it("is not written to unless allowed, and gets the same requests for the same seed", async () => {
    const env = await serviceWith([]);
    const [first, second] = [await attack(env, "--sequences", "20"), await attack(env, "--sequences", "20")];
    expect(first.report.left).toEqual([]);
    expect(first.report.skipped.map(({ operation }: Json) => operation)).toEqual(["updateGroup", "createJob"]);
    expect(first.report.requests).toBe(second.report.requests);
  });
});

it.each<[string, string[], RegExp]>([
  ["without a word that it is not production", ["--host", "127.*"], /say that the deployment is not production with --staging/],
  ["without a pattern of hosts", ["--staging"], /what its hosts look like with --host/],
  ["with a host that does not fit", ["--staging", "--host", "*.staging.example.com"], /nothing was sent: 127\.0\.0\.1 does not fit/],
])("refuses to begin %s", async (_, args, message) => {
  const { code, stderr } = await run(["fuzz", ...args], await serviceWith([]));
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

it.each([
  ...["*.*", "*.com", "*.co.uk", "*.c*m", "127.*", "*e*", "*.example-*-*-*"].map((pattern) => [pattern, "fits too many hosts"] as const),
  ...["*.example.com", "*staging*", "*.qa.x.com", "localhost"].map((pattern) => [pattern, "127.0.0.1 does not fit --host"] as const),
])("the pattern %s: %s", async (pattern, says) => {
  const { code, stderr } = await run(["fuzz", "--staging", "--host", pattern], await serviceWith([]));
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});
