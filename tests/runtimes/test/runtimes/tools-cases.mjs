// What the built tools have to do in every runtime alike, against the sandbox: plain ES, nothing of Node, no test library.
import { catalogue, createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";

const NOW = Date.UTC(2026, 10, 20, 9);

const SEAL_KEY = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const JOB = { jobTitle: "Collect 4 pallets", address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" };

const ownCalls = {
  locate_vehicle: [{ query: "truck 12" }, "Truck 12 (DW 6706N): driving, 86 km/h"],
  find_nearest_vehicles: [{ to: "truck 12", limit: 3 }, "Trailer 4 | WI 3911M | 4.79"],
  summarize_fleet: [{}, "By activity: stopped 22, driving 10"],
  list_live_positions: [{ limit: 3 }, "Car 1 | KR 2492F"],
  list_vehicle_faults: [{ limit: 3 }, "Battery potential low"],
  summarize_driver_activity: [{ period: "yesterday" }, "DRIVING"],
  query_tacho_activity: [{ startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z", limit: 3 }, "B PD 1286"],
  list_jobs: [{}, "records"],
  list_tire_events: [{ limit: 2 }, "2 of 22 records"],
  create_job: [JOB, "Nothing was sent: the user must approve."],
  update_group: [{ id: "dthldpkzdw", name: "Pool cars" }, "new name: Pool cars"],
};

const said = { vehicle: "truck 12", driver: "Oksana Duda", group: "Lyon Vans", period: "yesterday" };

/** A call of each tool, and what its text says; of the tools that have none above, with what they require. */
const calls = Object.fromEntries(
  catalogue.map(({ name, inputJsonSchema: { required = [] } }) => [
    name,
    ownCalls[name] ?? [Object.fromEntries(required.map((field) => [field, said[field] ?? "v1"])), ""],
  ]),
);

function holds(text, part) {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}

function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

/** Before anything is written, so that every runtime is told the same. */
const eachTool = {};
for (const [tool, [args, part]] of Object.entries(calls)) {
  eachTool[`${tool} works`] = async ({ tools, told }) => {
    const fleet = tools();
    const { ok, text } = await fleet.call(tool, args);
    holds(text, part);
    equal(ok, true);
    // A preview holds a number that is drawn, or a token that is bound to the sandbox's address.
    if (fleet.byName.get(tool).effect === "read") told[tool] = text;
  };
}

export const toolsCases = {
  ...eachTool,
  "offers every tool that is called here": ({ tools }) =>
    equal(
      tools()
        .tools.map(({ name }) => name)
        .sort(),
      Object.keys(calls).sort(),
    ),
  "goes on with a list where its cursor says": async ({ tools }) => {
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
  "takes a token that another process with the same key issued": async ({ tools }) => {
    const args = { id: "dthldpkzdw", name: "Pool cars" };
    const { structured } = await tools({ sealKey: SEAL_KEY }).call("update_group", args);
    const confirmed = { ...args, confirmation: structured.confirmation };
    equal((await tools({ sealKey: btoa("another key of thirty-two bytes!") }).call("update_group", confirmed)).ok, false);
    equal((await tools({ sealKey: SEAL_KEY }).call("update_group", confirmed)).ok, true);
  },
  "makes the pseudonyms that every process with the same key makes": async ({ tools }) => {
    const { text } = await tools({ driverNames: "hide", sealKey: SEAL_KEY }).call("locate_vehicle", { query: "truck 12" });
    holds(text, "Driver: Driver c02295.");
  },
  "says how a name is meant that fits several": async ({ tools }) => {
    const { ok, structured } = await tools().call("locate_vehicle", { query: "truck" });
    equal([ok, structured.result], [true, "ambiguous"]);
  },
  "says what is wrong with arguments": async ({ tools }) => {
    const { ok, text } = await tools().call("locate_vehicle", { query: 7, nothing: true });
    equal(ok, false);
    holds(text, "nothing");
  },
  "ends when the caller says so": async ({ tools }) => {
    const { ok } = await tools().call("summarize_fleet", {}, { signal: AbortSignal.abort() });
    equal(ok, false);
  },
};

/** Makes tools in front of the sandbox, whose configuration the service tells. */
export async function sandboxTools(origin) {
  const env = await (await fetch(`${origin}/sandbox/env`)).json();
  const config = { ...fleetToolsConfigFromEnv(env), timeZone: "Europe/Paris" };
  return (settings) => createFleetTools({ ...config, ...settings }, { now: () => NOW });
}
