import { readFileSync } from "node:fs";
import { createFleetClient } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { serverUnderTest } from "./server-under-test.ts";

const MOST_TOKENS = 2_900;

it("what a model sees of the tools costs at most 2,900 tokens (o200k) in total", async () => {
  const { client } = await serverUnderTest();
  const { tools } = await client.listTools();
  const shown = tools.map(({ name, description = "", inputSchema }) => JSON.stringify({ name, description, inputSchema }));
  expect(shown.reduce((total, definition) => total + countTokens(definition), 0)).toBeLessThanOrEqual(MOST_TOKENS);
});

/** The tools, with the sandbox at a fixed time. */
function sandboxAt(time: string, shape: { vehicles?: number; rhythm?: "nonstop" } = {}) {
  const now = () => Date.parse(time);
  const sandbox = createSandbox({ seed: 1, clock: now, ...shape });
  const config = fleetToolsConfigFromEnv({ ...sandbox.env, FLEET_TIME_ZONE: "Europe/Paris", FLEET_CONFIRM: "never" });
  const fleet = createFleetClient({ ...config, fetch: sandbox.fetch, now });
  return createFleetTools(config, { fleet, now, gazetteer: () => import("@fleetwire/tools/gazetteer") });
}

// A Friday afternoon: some vans are charging, and most of the fleet is on its way home.
const FRIDAY = "2026-11-20T16:00:00Z";

it("a row costs at most 25 tokens (o200k) by default, 35 in hours, or 50 if its fields are undocumented, in the text and in the record", async () => {
  const tools = sandboxAt(FRIDAY, { vehicles: 50 });
  for (const jobTitle of ["Collect 4 pallets", "Deliver parcels", "Service visit", "Empty the container", "Collect 2 pallets"])
    await tools.call("create_job", { jobTitle, address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" });
  const most = {
    list_live_positions: 25,
    list_vehicle_faults: 25,
    driver_hours: 35,
    query_tacho_activity: 30,
    list_jobs: 50,
    list_tire_events: 50,
  };
  for (const [tool, max] of Object.entries(most)) {
    const { text, structured } = await tools.call(tool, {});
    const { rows } = structured as { rows: unknown[][] };
    const lines = text.split("\n").slice(2, 2 + rows.length);
    const perRow = [lines.join("\n"), JSON.stringify(rows)].map((shown) => countTokens(shown) / rows.length);
    expect(Math.max(...perRow), tool).toBeLessThanOrEqual(max);
  }
});

// Of each name in the questions, the sandbox has one at any hour: many of its vehicles change drivers, and British registrations depend on their age.
const DRIVER = "Beata Krawczyk";

/** The questions in docs/server.md, with the arguments that a model gives. The evaluation compares such answers with the truth. */
const QUESTIONS: Record<string, Record<string, unknown>> = {
  "Where is truck 12?": { query: "truck 12" },
  "Where is Beata Krawczyk's truck right now?": { query: `${DRIVER}'s truck` },
  "Où est le camion 112, s'il te plaît ?": { query: "le camion 112" },
  "Where is number 12?": { query: "number 12" },
  "Who is nearest to the Lyon depot?": { to: "the Lyon depot" },
  "Which moving vehicles are closest to truck 12?": { to: "truck 12", moving: true, limit: 3 },
  "Which vans are charging?": { type: "van", where: "electricCharging=true" },
  "How is the fleet doing?": {},
  "Who has less than a third of the tank left?": { where: "fuelLevelPercentage<33" },
  "Any faults on KR 8441X this week?": { vehicle: "KR 8441X", period: "this week" },
  "What did Beata Krawczyk do yesterday?": { driver: DRIVER.toLowerCase(), period: "yesterday" },
  "How long may Beata Krawczyk still drive?": { driver: DRIVER },
  "What is the VIN of van 7?": { query: "VIN of van 7" },
  "Which truck is nearest to Kassel?": { to: "Kassel", type: "truck", limit: 1 },
  "Who near Lyon can take a load, two hours of driving away?": { to: "Lyon", driveHours: 2 },
  "Which three vehicles have the most kilometres?": { sort: "-odometer", limit: 3 },
  "How many vehicles are in each country?": { count: "country" },
  "Welche Fahrzeuge sind in Italien?": { where: "country=Italien" },
  "Create a job for truck 12 at Quai Perrache 10 in Lyon": {
    vehicleName: "truck 12",
    address: "Quai Perrache 10, 69002 Lyon, France",
    jobTitle: "Collect 4 pallets",
  },
  "Move van 7 to the Lyon vans": { group: "Lyon vans", vehicles: ["van 7"] },
};

const PAGE = readFileSync(new URL("../../../docs/server.md", import.meta.url), "utf8");
const STATED = [...PAGE.matchAll(/^\| (.+?) +\| `(\w+)` +\| 1 +\| (\d+) +\| (\d+) +\|$/gm)].map(
  ([, asked = "", tool = "", ...costs]) => [asked, tool, costs.map(Number)] as const,
);

describe("the example questions in docs/server.md", () => {
  it("take one call each, at the cost stated", async () => {
    expect(STATED.map(([asked]) => asked)).toEqual(Object.keys(QUESTIONS));
    const tools = sandboxAt(FRIDAY, { vehicles: 50 });
    for (const [asked, tool, costs] of STATED) {
      const { ok, text, structured } = await tools.call(tool, QUESTIONS[asked] ?? {});
      expect(ok, `${asked} ${text}`).toBe(true);
      // Hosts show a model one of the two. Costs vary slightly with random numbers in the result.
      for (const [at, shown] of [text, JSON.stringify(structured)].entries()) {
        const now = Math.ceil((countTokens(shown) + 5) / 25) * 25;
        expect(Math.abs((costs[at] ?? 0) - now), `${asked} now costs ${now}`).toBeLessThanOrEqual(25);
      }
    }
  });

  it("name only what is in the sandbox that --sandbox starts, on a Sunday night too", async () => {
    const tools = sandboxAt("2026-11-29T22:30:00Z", { rhythm: "nonstop" });
    for (const [asked, tool] of STATED.filter(([question]) => question !== "Where is number 12?")) {
      const { ok, text, structured } = await tools.call(tool, QUESTIONS[asked] ?? {});
      expect(ok && !["notFound", "ambiguous"].includes(String(structured["result"])), `${asked} ${text}`).toBe(true);
    }
  });
});
