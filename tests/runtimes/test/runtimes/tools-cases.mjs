// Cases for the built tools in every runtime, against the sandbox: plain ES without Node APIs or a test library.
import { catalogue, createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { toAnthropicTools } from "@fleetwire/tools/anthropic";
import { toJsonSchemaTools } from "@fleetwire/tools/json-schema";
import { toOpenAIAgentsTools } from "@fleetwire/tools/openai-agents";
import { toTanStackTools } from "@fleetwire/tools/tanstack-ai";

const NOW = Date.UTC(2026, 10, 20, 9);

const SEAL_KEY = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const JOB = { jobTitle: "Collect 4 pallets", address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" };

const ownCalls = {
  where_was: [{ vehicle: "truck 12", time: "yesterday 12:00" }, "Truck 12 at "],
  locate_vehicle: [{ query: "truck 12" }, "Truck 12 (DW 6706N): driving, 86 km/h"],
  find_nearest_vehicles: [{ to: "truck 12", limit: 3 }, "Truck 19 | KR 8441X | 78.6"],
  summarize_fleet: [{}, "By activity: stopped 22, driving 10"],
  list_live_positions: [{ limit: 3 }, "Car 1 | "],
  list_vehicle_faults: [{ limit: 3 }, "3 of "],
  summarize_driver_activity: [{ period: "yesterday" }, "Without tachograph activities: "],
  query_tacho_activity: [{ startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z", limit: 3 }, "driver | startTime"],
  list_jobs: [{}, "jobs"],
  list_tire_events: [{ limit: 2 }, "2 of 22 events"],
  create_job: [JOB, "Nothing was sent: the user must approve."],
  update_group: [{ id: "dthldpkzdw", name: "Pool cars" }, "new name: Pool cars"],
};

const ARGUMENTS = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans", period: "yesterday" };

/** A call of each tool with a part of its text; tools not listed above get their required arguments. */
const calls = Object.fromEntries(
  catalogue.map(({ name, inputJsonSchema: { required = [] } }) => [
    name,
    ownCalls[name] ?? [Object.fromEntries(required.map((field) => [field, ARGUMENTS[field] ?? "v1"])), ""],
  ]),
);

function holds(text, part) {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}

function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

/** Runs before any write, so that every runtime gets the same texts. */
const eachTool = {};
for (const [tool, [args, part]] of Object.entries(calls)) {
  eachTool[`${tool} works`] = async ({ tools, texts }) => {
    const fleet = tools();
    const { ok, text } = await fleet.call(tool, args);
    holds(text, part);
    equal(ok, true);
    // Previews hold a random number, or a token bound to the sandbox's address.
    if (fleet.byName.get(tool).effect === "read") texts[tool] = text;
  };
}

export const toolsCases = {
  ...eachTool,
  "offers every tool called here": ({ tools }) =>
    equal(
      tools()
        .tools.map(({ name }) => name)
        .sort(),
      Object.keys(calls).sort(),
    ),
  "continues a list with its cursor": async ({ tools }) => {
    const fleet = tools();
    const ids = async (cursor) => {
      const { structured } = await fleet.call("list_live_positions", { limit: 2, fields: ["assetId"], ...(cursor && { cursor }) });
      return [structured.next, JSON.stringify(structured)];
    };
    const [next, first] = await ids();
    const [, second] = await ids(next);
    equal([typeof next, first === second], ["string", false]);
  },
  "sends a write once, with the token of its preview": async ({ tools }) => {
    const fleet = tools();
    const { structured } = await fleet.call("create_job", JOB);
    equal(structured.result, "confirmationNeeded");
    const confirmed = { ...JOB, confirmation: structured.confirmation };
    const [one, other] = await Promise.all([fleet.call("create_job", confirmed), fleet.call("create_job", confirmed)]);
    equal([one.ok, other.ok].sort(), [false, true]);
    holds(one.ok ? one.text : other.text, "Job created.");
    const forged = await fleet.call("create_job", { ...confirmed, address: "Paris" });
    holds(forged.text, "does not match");
  },
  "accepts a token from another process with the same key": async ({ tools }) => {
    const args = { id: "dthldpkzdw", name: "Pool cars" };
    const { structured } = await tools({ sealKey: SEAL_KEY }).call("update_group", args);
    const confirmed = { ...args, confirmation: structured.confirmation };
    equal((await tools({ sealKey: btoa("another key of thirty-two bytes!") }).call("update_group", confirmed)).ok, false);
    equal((await tools({ sealKey: SEAL_KEY }).call("update_group", confirmed)).ok, true);
  },
  "creates the same pseudonyms as any process with the same key": async ({ tools }) => {
    const { text } = await tools({ driverNames: "hide", sealKey: SEAL_KEY }).call("locate_vehicle", { query: "truck 12" });
    holds(text, "Driver: Driver c02295b785.");
  },
  "finds a town on a map that is loaded on demand": async ({ tools }) => {
    const { text } = await tools({}, { gazetteer: () => import("@fleetwire/tools/gazetteer") }).call("find_nearest_vehicles", {
      to: "Kassel",
    });
    holds(text, "from Kassel, Germany.");
  },
  "returns candidates for an ambiguous name": async ({ tools }) => {
    const { ok, structured } = await tools().call("locate_vehicle", { query: "truck" });
    equal([ok, structured.result], [true, "ambiguous"]);
  },
  "reports invalid arguments": async ({ tools }) => {
    const { ok, text } = await tools().call("locate_vehicle", { query: 7, nothing: true });
    equal(ok, false);
    holds(text, "nothing");
  },
  "gives agent frameworks the same tools": async ({ tools, texts }) => {
    const fleet = tools();
    const query = { query: "truck 12" };
    const [inAnthropic] = toAnthropicTools(fleet, { ToolError: Error });
    const [inOpenAI] = toOpenAIAgentsTools(fleet, { strict: true });
    const [inTanStack] = toTanStackTools(fleet).tools;
    const { text } = await toJsonSchemaTools(fleet).call("locate_vehicle", query);
    const outputs = [];
    for await (const output of toAiSdkTools(fleet).tools.locate_vehicle.execute(query, { toolCallId: "1", messages: [] }))
      outputs.push(output);
    const others = [await inAnthropic.run(query), await inOpenAI.invoke({}, JSON.stringify(query), {}), await inTanStack.execute(query)];
    equal([text, outputs.at(-1).text, ...others], Array(5).fill(texts.locate_vehicle));
  },
  aborts: async ({ tools }) => {
    const { ok } = await tools().call("summarize_fleet", {}, { signal: AbortSignal.abort() });
    equal(ok, false);
  },
};

/** Creates tools for the sandbox, with the environment from the service. */
export async function sandboxTools(origin) {
  const env = await (await fetch(`${origin}/sandbox/env`)).json();
  const config = { ...fleetToolsConfigFromEnv(env), timeZone: "Europe/Paris" };
  return (settings, options) => createFleetTools({ ...config, ...settings }, { now: () => NOW, ...options });
}
