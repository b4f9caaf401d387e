// Cases for the built client and tools in every runtime, against a sandbox: plain ES without Node APIs or a test library.
import { createFleetClient, FleetError, fleetConfigFromEnv, openApiDocument, operations } from "@fleetwire/core";
import { catalogue, createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";

/** As in the sandbox, since the vehicles move with it. */
const NOW = Date.UTC(2026, 10, 20, 9);
const SEAL_KEY = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const JOB = { jobTitle: "Collect 4 pallets", address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" };
const GROUP = { id: "dthldpkzdw", name: "Dépôt" };
const SPAN = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };
const ONCE = { retries: 0 };

function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

function holds(text, part) {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}

async function failure(call) {
  const error = await call.then(
    () => new Error("the call did not fail"),
    (error) => error,
  );
  if (error instanceof FleetError) return error;
  throw error;
}

const countOf = async (items) => {
  let count = 0;
  for await (const _ of items) count++;
  return count;
};

const withFault = (fault) => (input, init) => {
  const headers = new Headers(init?.headers);
  if (fault) headers.set("x-sandbox-fault", fault);
  return fetch(input, { ...init, headers });
};

/** The code of a read by the fault of its only response. */
const FAILURES = {
  "429=0": "rateLimited",
  500: "upstream",
  "503=0": "upstream",
  redirect: "contract",
  "reset-before": "network",
  "reset-after": "network",
  "cut-body": "network",
  "truncated-json": "contract",
  "invalid-json": "contract",
};

/** A client whose service sends one text and nothing more. */
const responding = (client, text) => {
  const body = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        if (text.endsWith("]")) controller.close();
      },
    });
  return client("", { fetch: async () => new Response(body(), { headers: { "content-type": "application/json" } }) });
};

const clientCases = {
  "lists live positions": async (client) =>
    equal((await client().listLivePositions()).filter(({ assetName }) => assetName === "Truck 12").length, 1),
  "updates a group": async (client) => equal((await client().updateGroup(GROUP)).name, GROUP.name),
  "creates a job with a generated number": async (client) => equal((await client().createJob(JOB)).job.jobNumber.length, 22),
  "infers a job after a lost response": async (client) => {
    const faults = ["reset-after", ""];
    const losing = client("", { fetch: (input, init) => withFault(String(input).endsWith("/create") ? faults.shift() : "")(input, init) });
    equal((await losing.createJob(JOB)).inferred, true);
  },
  "reports the unknown outcome of a creation": async (client) => {
    const { code, jobNumber } = await failure(client("createJob:truncated-json").createJob(JOB, ONCE));
    equal([code, jobNumber.startsWith("FW-")], ["unknownOutcome", true]);
  },
  "follows the pages of a list": async (client) =>
    equal(await countOf(client().listVehicleFaults.iterate({ pageSize: 7 })), (await client().listVehicleFaults()).pagination.totalItems),
  "reads a list as it arrives": async (client) =>
    equal(await countOf(client().listLivePositions.iterate()), (await client().listLivePositions()).length),
  "stops reading an endless list": async (client) => {
    for await (const { assetName } of responding(client, '[{"assetName":"Łódź"},').listLivePositions.iterate())
      return equal(assetName, "Łódź");
  },
  "keeps every digit of a serial number": async (client) =>
    equal(await responding(client, '[{"serialNumber":9007199254740993}]').listLivePositions(), [{ serialNumber: "9007199254740993" }]),
  "reaches nobody": async (_, env) => {
    const dead = createFleetClient(fleetConfigFromEnv({ ...env, FLEET_BASE_URL: "http://127.0.0.1:9" }));
    equal((await failure(dead.listLivePositions({}, ONCE))).code, "network");
  },
  "aborts while waiting": async (client) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    equal((await failure(client("latency=5000").listLivePositions({}, { signal: controller.signal }))).code, "aborted");
  },
  "times out before a response starts": async (client) =>
    equal((await failure(client("latency=5000").listLivePositions({}, { timeout: 200, ...ONCE }))).code, "timeout"),
  "times out before a response ends": async (client) =>
    equal((await failure(client("stalled-body").listLivePositions({}, { timeout: 200, ...ONCE }))).code, "timeout"),
  "generates no code at run time": async (client) => {
    const { Function: original } = globalThis;
    let made = 0;
    globalThis.Function = new Proxy(original, {
      construct: (target, given) => {
        made++;
        return Reflect.construct(target, given);
      },
    });
    try {
      await client().listLivePositions();
      await client().createJob({ ...JOB, resources: [{ name: "photo" }] });
    } finally {
      globalThis.Function = original;
    }
    equal(made, 0);
  },
  "writes the OpenAPI document": () => equal(Object.keys(openApiDocument().paths).length, Object.keys(operations).length),
};

for (const [fault, code] of Object.entries(FAILURES))
  clientCases[`ends a read with ${code} after ${fault}`] = async (client) =>
    equal((await failure(client(`listLivePositions:${fault}`).listLivePositions({}, ONCE))).code, code);

/** Calls with a part of their text; other tools get their required arguments. */
const CALLS = {
  where_was: [{ vehicle: "truck 12", time: "yesterday 12:00" }, "Truck 12 at "],
  locate_vehicle: [{ query: "truck 12" }, "Truck 12 (DW 6706N): driving, 86 km/h"],
  find_nearest_vehicles: [{ to: "truck 12", limit: 3 }, "Truck 19 | KR 8441X | 78.6"],
  summarize_fleet: [{}, "By activity: stopped 22, driving 10"],
  list_live_positions: [{ limit: 3 }, "Car 1 | "],
  query_tacho_activity: [{ ...SPAN, limit: 3 }, "driver | startTime"],
  list_tire_events: [{ limit: 2 }, "2 of 22 events"],
  create_job: [JOB, "Nothing was sent: the user must approve."],
  update_group: [GROUP, "new name: Dépôt"],
};
const ARGUMENTS = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans", period: "yesterday" };

/** They get a function that creates tools, and the texts of reads so far: those of the same clock are the same in every runtime. */
const toolCases = {};
for (const { name, inputJsonSchema } of catalogue) {
  const required = (inputJsonSchema.required ?? []).map((field) => [field, ARGUMENTS[field] ?? "v1"]);
  const [args, part] = CALLS[name] ?? [Object.fromEntries(required), ""];
  toolCases[`${name} works`] = async (tools, texts) => {
    const fleet = tools();
    const { ok, text } = await fleet.call(name, args);
    holds(text, part);
    equal(ok, true);
    // Previews hold a random number, or a token bound to the sandbox's address.
    if (fleet.byName.get(name).effect === "read") texts[name] = text;
  };
}

Object.assign(toolCases, {
  "sends a write once, with the token of its preview": async (tools) => {
    const fleet = tools();
    const { structured } = await fleet.call("create_job", JOB);
    const confirmed = { ...JOB, confirmation: structured.confirmation };
    const both = await Promise.all([fleet.call("create_job", confirmed), fleet.call("create_job", confirmed)]);
    equal(both.map(({ ok }) => ok).sort(), [false, true]);
    holds(both.map(({ text }) => text).join(), "Job created.");
    holds((await fleet.call("create_job", { ...confirmed, address: "Paris" })).text, "does not match");
  },
  "accepts a token from another process with the same key": async (tools) => {
    const { structured } = await tools({ sealKey: SEAL_KEY }).call("update_group", GROUP);
    const confirmed = { ...GROUP, confirmation: structured.confirmation };
    equal((await tools({ sealKey: btoa("another key of thirty-two bytes!") }).call("update_group", confirmed)).ok, false);
    equal((await tools({ sealKey: SEAL_KEY }).call("update_group", confirmed)).ok, true);
  },
  "creates the same pseudonyms as any process with the same key": async (tools) => {
    const { text } = await tools({ driverNames: "hide", sealKey: SEAL_KEY }).call("locate_vehicle", { query: "truck 12" });
    holds(text, "Driver: Driver c02295b785.");
  },
  "finds a town on a map that is loaded on demand": async (tools) => {
    const { text } = await tools({}, { gazetteer: () => import("@fleetwire/tools/gazetteer") }).call("find_nearest_vehicles", {
      to: "Kassel",
    });
    holds(text, "from Kassel, Germany.");
  },
  aborts: async (tools) => equal((await tools().call("summarize_fleet", {}, { signal: AbortSignal.abort() })).ok, false),
});

/** Runs every case against a service, whose environment is given. Returns the failures, the number of cases, and result texts by tool. */
export async function runCases(env) {
  const client = (fault = "", options = {}) =>
    createFleetClient({
      ...fleetConfigFromEnv(env),
      fetch: withFault(fault),
      ...options,
    });
  const config = { ...fleetToolsConfigFromEnv(env), timeZone: "Europe/Paris" };
  const tools = (settings, options) => createFleetTools({ ...config, ...settings }, { now: () => NOW, ...options });
  const texts = {};
  const failed = [];
  const attempt = async (name, run) => {
    try {
      await run();
    } catch (error) {
      failed.push(`${name}: ${error.message}`);
    }
  };
  for (const [name, run] of Object.entries(toolCases)) await attempt(name, () => run(tools, texts));
  for (const [name, run] of Object.entries(clientCases)) await attempt(name, () => run(client, env));
  return { total: Object.keys(clientCases).length + Object.keys(toolCases).length, failed, texts };
}
