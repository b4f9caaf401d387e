// Cases for the built client in every runtime: plain ES without Node APIs or a test library.
import { createFleetClient, FleetError, LivePosition, openApiDocument, operations } from "@fleetwire/core";
import { sandboxTools, toolsCases } from "./tools-cases.mjs";

const span = { startTime: new Date(Date.UTC(2026, 10, 19)), endTime: "2026-11-20T01:00:00+01:00" };
const filter = { vehicleIds: ["v1", "v2"] };

function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

async function all(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

async function failure(call) {
  try {
    await call;
  } catch (error) {
    if (error instanceof FleetError) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}

/** Failing calls with their error codes. `retries: 0` keeps the first response. */
const failures = {
  "refused-list": ["rejected", 400],
  "refused-one": ["conflict", 409],
  unauthorized: ["unauthorized", 401],
  forbidden: ["forbidden", 403],
  "not-found": ["notFound", 404],
  busy: ["rateLimited", 429],
  failing: ["upstream", 503],
  teapot: ["contract", 418],
  "no-json": ["contract", 200],
  "other-shape": ["contract", 200],
  redirecting: ["contract"],
  truncated: ["network"],
  reset: ["network"],
};

const cases = {
  "lists live positions": async ({ fleet }) =>
    equal(await fleet.listLivePositions(filter), [{ assetName: "Truck 12", speed: 82.5 }, { assetName: "Łódź ✓" }]),
  "updates a group": async ({ fleet }) =>
    equal(await fleet.updateGroup({ id: "g1", name: "Dépôt" }), { id: "g1", name: "Dépôt", path: "root.g1" }),
  "lists vehicle faults": async ({ fleet }) =>
    equal((await fleet.listVehicleFaults({ startDate: "2026-11-01T00:00Z" })).items, [{ id: "v0" }]),
  "creates a job with a generated number": async ({ fleet }) => {
    const { job } = await fleet.createJob({ address: "Quai Perrache 10" });
    equal([job.address, job.jobNumber.length], ["Quai Perrache 10", 22]);
  },
  "queries tachograph activity": async ({ fleet }) => equal((await fleet.queryTachoActivity(span)).count, 3),
  "lists tire events": async ({ fleet }) => equal(await fleet.listTireEvents({ query: { a: 1, b: ["x", "y"] } }), { whatever: [1] }),
  "lists jobs": async ({ fleet }) => equal(await fleet.listJobs(), "anything"),
  "requests a token": async ({ fleet }) => equal((await fleet.requestAccessToken()).accessToken, "T1"),
  "calls hooks": async ({ fleet }) => {
    const { data, metadata } = await fleet.listLivePositions.withMetadata(filter);
    equal([data.length, metadata.status, metadata.attempts, metadata.responseBytes], [2, 200, 1, 67]);
  },
  "follows the pages of a list": async ({ fleet }) =>
    equal(await all(fleet.listVehicleFaults.iterate({ startDate: "2026-11-01T00:00Z" })), [{ id: "v0" }, { id: "v1" }, { id: "v2" }]),
  "follows the offsets of a list": async ({ fleet }) =>
    equal(
      (await all(fleet.queryTachoActivity.pages(span))).map(({ data }) => data.length),
      [2, 1],
    ),
  "reads a list as it arrives": async ({ fleet }) =>
    equal(await all(fleet.listLivePositions.iterate(filter)), [{ assetName: "Truck 12", speed: 82.5 }, { assetName: "Łódź ✓" }]),
  "stops reading an endless list": async ({ at }) => {
    for await (const { assetName } of at("streaming").listLivePositions.iterate()) return equal(assetName, "Truck 0");
    throw new Error("no record arrived");
  },
  "watches positions until the loop is left": async ({ at }) => {
    for await (const { change, position } of at("streaming").watchPositions())
      return equal([change, position], ["added", { assetId: "v0", assetName: "Truck 0" }]);
    throw new Error("no change arrived");
  },
  "shares one token among calls": async ({ fleet, seen }) => {
    await Promise.all(Array.from({ length: 10 }, () => fleet.listJobs()));
    equal(await seen(), { tokens: 1, calls: 11 });
  },
  "sends nothing for invalid input": async ({ fleet, seen }) => {
    const { code, errors } = await failure(fleet.listLivePositions({ vehicelIds: ["v1"] }));
    equal([code, errors[0].offendingFields, (await seen()).calls], ["input", ["vehicelIds"], 0]);
  },
  "repairs and reports drift": async ({ at }) => {
    const reports = [];
    const positions = await at("drifting", { onDrift: ({ drift }) => reports.push(...drift.map(({ kind }) => kind)) }).listLivePositions();
    equal(positions, [{ altitude: 9, eventType: "flying" }]);
    equal(reports.sort(), ["dropped record", "unknown enum value", "unknown field", "wrong type"]);
  },
  "keeps every digit of a serial number": async ({ at }) =>
    equal(await at("exact").listLivePositions(), [{ serialNumber: "9007199254740993" }, { serialNumber: 42 }]),
  "reports refused fields": async ({ at }) => {
    const { message, errors } = await failure(at("refused-list").updateGroup({ id: "g1" }));
    equal(message, "updateGroup: HTTP 400. The service said: “id: no such group”");
    equal(errors, [{ errorCode: 7, errorMessage: "no such group", offendingFields: ["id"] }]);
  },
  "reports the unknown outcome of a creation": async ({ at }) => {
    const { code, jobNumber } = await failure(
      at("truncated", { jobNumbers: "client" }, "auth").createJob({ address: "a" }, { retries: 0 }),
    );
    equal([code, jobNumber.startsWith("FW-")], ["unknownOutcome", true]);
  },
  "reaches nobody": async ({ base }) => {
    const dead = base("nobody", { servers: { base: "http://127.0.0.1:9" } });
    equal((await failure(dead.listLivePositions({}, { retries: 0 }))).code, "network");
  },
  "aborts before the start": async ({ at }) =>
    equal((await failure(at("silent").listLivePositions({}, { signal: AbortSignal.abort() }))).code, "aborted"),
  "aborts while waiting": async ({ at }) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    equal((await failure(at("silent").listLivePositions({}, { signal: controller.signal }))).code, "aborted");
  },
  "times out before a response starts": async ({ at }) =>
    equal((await failure(at("silent").listLivePositions({}, { timeout: 200, retries: 0 }))).code, "timeout"),
  "times out before a response ends": async ({ at }) =>
    equal((await failure(at("endless").listLivePositions({}, { timeout: 200, retries: 0 }))).code, "timeout"),
  "shows no secret": async ({ at }) => {
    const error = await failure(at("unauthorized").listLivePositions({}, { retries: 0 }));
    equal(/ß\+secret|Y2zDqT/.test(`${error.stack} ${JSON.stringify(error)}`), false);
  },
  "generates no code at run time": async ({ fleet }) => {
    const { Function: original } = globalThis;
    let made = 0;
    globalThis.Function = new Proxy(original, {
      construct: (target, given) => {
        made++;
        return Reflect.construct(target, given);
      },
    });
    try {
      await fleet.listLivePositions(filter);
      await fleet.createJob({ address: "a", resources: [{ name: "photo" }] });
    } finally {
      globalThis.Function = original;
    }
    equal(made, 0);
  },
  "validates values with schemas": () => equal(LivePosition.safeParse({ speed: "fast" }).success, false),
  "writes the OpenAPI document": () => equal(Object.keys(openApiDocument().paths).length, Object.keys(operations).length),
};

for (const [kind, [code, status]] of Object.entries(failures)) {
  cases[`ends ${kind} with ${code}`] = async ({ at }) => {
    const error = await failure(at(kind).listLivePositions({}, { retries: 0 }));
    equal([error.code, status === undefined ? undefined : error.status], [code, status]);
  };
}

/** Runs every case against the service at an origin. Returns the failures, the number of cases, and result texts by tool. */
export async function runCases(origin) {
  const failed = [];
  const texts = {};
  for (const [number, [name, run]] of Object.entries(cases).entries()) {
    const base = (place, { servers, ...options } = {}) => {
      const all = `${origin}/${place}-${number}`;
      return createFleetClient({
        customerId: "c42",
        credentials: { clientId: "clé", clientSecret: "ß+secret" },
        servers: { base: all, apiHost: all, job: all, tacho: all, auth: all, ...servers },
        ...options,
      });
    };
    const seen = async () => (await fetch(`${origin}/good-${number}/seen`)).json();
    const at = (kind, options, healthy) =>
      base(kind, { ...options, ...(healthy && { servers: { [healthy]: `${origin}/good-${number}` } }) });
    try {
      await run({ fleet: base("good"), at, base, seen });
    } catch (error) {
      failed.push(`${name}: ${error.message}`);
    }
  }
  const tools = await sandboxTools(origin);
  for (const [name, run] of Object.entries(toolsCases)) {
    try {
      await run({ tools, texts });
    } catch (error) {
      failed.push(`tools, ${name}: ${error.message}`);
    }
  }
  const total = Object.keys(cases).length + Object.keys(toolsCases).length;
  return { total, passed: total - failed.length, failed, texts };
}
