import { readFileSync } from "node:fs";
import { createFleetClient } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { createFleetTools, type FleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { type RawPosition, type RawSandbox, rawSandbox } from "./raw-sandbox.ts";

// A Friday afternoon: some vans are charging, and most of the fleet is on its way home.
const NOW = Date.parse("2026-11-20T16:00:00Z");

let raw: RawSandbox;
let fleet: RawPosition[];
let tools: FleetTools;

beforeAll(async () => {
  raw = rawSandbox(NOW);
  fleet = await raw.positions();
  const config = fleetToolsConfigFromEnv({ ...raw.sandbox.env, FLEET_TIME_ZONE: "Europe/Paris", FLEET_CONFIRM: "never" });
  const now = () => NOW;
  const client = createFleetClient({ ...config, fetch: raw.sandbox.fetch, now });
  tools = createFleetTools(config, { fleet: client, now, gazetteer: () => import("@fleetwire/tools/gazetteer") });
});

const named = (name: string): RawPosition => {
  const found = fleet.find(({ assetName }) => assetName === name);
  if (!found) throw new Error(`the sandbox has no ${name}`);
  return found;
};

const names = (rows: { assetName?: string }[]) => rows.map(({ assetName }) => assetName);
const sameMembers = (actual: unknown[], expected: unknown[]) => expect(actual.toSorted()).toEqual(expected.toSorted());

/** The angle between two points as vectors, unlike how the tools compute distances. */
function kilometres(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
  const vector = ({ latitude, longitude }: typeof a) => {
    const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)] as const;
  };
  const [p, q] = [vector(a), vector(b)];
  return 2 * 6371.0088 * Math.asin(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) / 2);
}

const open = () => fleet.filter(({ privacy }) => !privacy);

/** How long the driver in the questions did something, in hours and minutes. */
async function timeOf(activity: string, from: number, to = NOW): Promise<string> {
  const [startTime, endTime] = [from, to].map((time) => new Date(time).toISOString().slice(0, 19));
  const { data } = await raw.tacho({ startTime, endTime, limit: 500 });
  const spells = data.find(({ driverId }) => driverId === named("Truck 5").driverId)?.activities.filter((own) => own.activity === activity);
  const lengths = (spells ?? []).map(({ startTime, endTime }) => {
    const until = Math.min(endTime === undefined ? NOW : Date.parse(endTime), to);
    return Math.max(0, until - Math.max(Date.parse(startTime), from));
  });
  const minutes = Math.floor(lengths.reduce((sum, length) => sum + length, 0) / 60_000);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
type Structured = any;

interface Question {
  asked: string;
  tool: string;
  args: () => Record<string, unknown>;
  /** Compares the result with facts from the sandbox's plain HTTP responses. */
  facts: (structured: Structured, text: string) => Promise<void> | void;
}

// Their names do not depend on the hour: many vehicles of the sandbox change drivers, and British registrations depend on the vehicle's age.
const TRUCK_19 = "KR 8441X";
const DRIVER = "Beata Krawczyk";

const QUESTIONS: Question[] = [
  {
    asked: "Where is truck 12?",
    tool: "locate_vehicle",
    args: () => ({ query: "truck 12" }),
    facts: ({ vehicle }, text) => {
      const { formattedAddress, latitude, driverName, eventType, date } = named("Truck 12");
      expect(vehicle).toMatchObject({ formattedAddress, driverName, eventType, date: expect.stringMatching(/\+0[12]:00$/) });
      expect(vehicle.latitude).toBeCloseTo(latitude, 4);
      expect(Date.parse(vehicle.date)).toBe(Date.parse(date));
      for (const fact of [formattedAddress, driverName ?? "", eventType]) expect(text).toContain(fact);
    },
  },
  {
    asked: `Where is ${DRIVER}'s truck right now?`,
    tool: "locate_vehicle",
    args: () => ({ query: `${DRIVER}'s truck` }),
    facts: ({ vehicle }) => {
      const own = fleet.filter(({ driverName, assetType }) => driverName === DRIVER && assetType === "TRUCK");
      expect(own.map(({ assetId }) => assetId)).toEqual([vehicle.assetId]);
    },
  },
  {
    asked: "Où est le camion 112, s'il te plaît ?",
    tool: "locate_vehicle",
    args: () => ({ query: "le camion 112" }),
    facts: ({ vehicle }) => expect(vehicle.assetId).toBe(named("Truck 112").assetId),
  },
  {
    asked: "Where is number 12?",
    tool: "locate_vehicle",
    args: () => ({ query: "number 12" }),
    facts: ({ result, candidates, question }) => {
      expect(result).toBe("ambiguous");
      sameMembers(names(candidates), names(fleet.filter(({ assetName }) => / 12$/.test(assetName))));
      expect(question).toMatch(/\?$/);
    },
  },
  {
    asked: "Who is nearest to the Lyon depot?",
    tool: "find_nearest_vehicles",
    args: () => ({ to: "the Lyon depot" }),
    facts: ({ items, total }) => {
      const inside = open().filter(({ locationName }) => locationName === "Lyon Depot");
      const mean = (part: "latitude" | "longitude") => inside.reduce((sum, position) => sum + position[part], 0) / inside.length;
      const depot = { latitude: mean("latitude"), longitude: mean("longitude") };
      const expected = open()
        .filter(({ assetType }) => assetType !== "TRAILER")
        .toSorted((a, b) => kilometres(depot, a) - kilometres(depot, b));
      expect(names(items)).toEqual(names(expected.slice(0, 5)));
      expect(total).toBe(expected.length);
      for (const [at, { km }] of items.entries()) expect(Math.abs(km - kilometres(depot, expected[at] as RawPosition))).toBeLessThan(0.06);
    },
  },
  {
    asked: "Which moving vehicles are closest to truck 12?",
    tool: "find_nearest_vehicles",
    args: () => ({ to: "truck 12", moving: true, limit: 3 }),
    facts: ({ items }) => {
      const from = named("Truck 12");
      const moving = open().filter(
        ({ eventType, speed, assetId }) => (eventType === "driving" || Number(speed ?? 0) > 5) && assetId !== from.assetId,
      );
      expect(names(items)).toEqual(names(moving.toSorted((a, b) => kilometres(from, a) - kilometres(from, b)).slice(0, 3)));
    },
  },
  {
    asked: "Which vans are charging?",
    tool: "summarize_fleet",
    args: () => ({ type: "van", list: "charging" }),
    facts: ({ items, total }) => {
      const charging = fleet.filter(({ assetType, electricCharging }) => assetType === "VAN" && electricCharging);
      expect(charging.length).toBeGreaterThan(1);
      sameMembers(names(items), names(charging));
      expect(total).toBe(charging.length);
    },
  },
  {
    asked: "How is the fleet doing?",
    tool: "summarize_fleet",
    args: () => ({}),
    facts: ({ vehicles, counts, concerns }) => {
      expect(vehicles).toBe(fleet.length);
      const driving = fleet.filter(({ eventType }) => eventType === "driving").length;
      expect(counts.activity.most).toContainEqual(["driving", driving]);
      expect(concerns.activeFaults.total).toBe(
        fleet.filter(({ activeFaultCodes }) => (activeFaultCodes as string[] | undefined)?.length).length,
      );
      expect(concerns.silent.total).toBe(fleet.filter(({ date }) => NOW - Date.parse(date) > 86_400_000).length);
    },
  },
  {
    asked: "Who has less than a third of the tank left?",
    tool: "summarize_fleet",
    args: () => ({ list: "lowFuel", fuelBelow: 33 }),
    facts: ({ items }) => {
      const low = fleet.filter(({ fuelLevelPercentage: level }) => level !== undefined && level < 33);
      expect(low.length).toBeGreaterThan(0);
      const byLevel = (a: RawPosition, b: RawPosition) => (a.fuelLevelPercentage ?? 0) - (b.fuelLevelPercentage ?? 0);
      expect(names(items)).toEqual(names(low.toSorted(byLevel)));
    },
  },
  {
    asked: `Any faults on ${TRUCK_19} this week?`,
    tool: "list_vehicle_faults",
    args: () => ({ vehicle: TRUCK_19, period: "this week" }),
    facts: async ({ items }) => {
      // The week in Paris, from Monday.
      const week = "startDate=2026-11-15T23:00:00&endDate=2026-11-22T23:00:00";
      const facts = await raw.faults(`?vehicleId=${named("Truck 19").assetId}&${week}`);
      expect(named("Truck 19").assetRegistration).toBe(TRUCK_19);
      expect(facts.items).toHaveLength(1);
      sameMembers(
        items.map(({ code }: { code: string }) => code),
        facts.items.flatMap(({ faults }) => faults.map(({ code }) => code)),
      );
    },
  },
  {
    asked: `What did ${DRIVER} do yesterday?`,
    tool: "summarize_driver_activity",
    args: () => ({ driver: DRIVER.toLowerCase(), period: "yesterday" }),
    facts: async ({ items }) => {
      const [start, end] = [Date.parse("2026-11-18T23:00:00Z"), Date.parse("2026-11-19T23:00:00Z")];
      expect(items).toHaveLength(1);
      const { driving, work, availability } = items[0];
      for (const [activity, shown] of Object.entries({ DRIVING: driving, WORK: work, AVAILABILITY: availability }))
        expect(shown ?? "0:00").toBe(await timeOf(activity, start, end));
    },
  },
  {
    asked: `How long may ${DRIVER} still drive?`,
    tool: "driver_hours",
    args: () => ({ driver: DRIVER }),
    facts: async ({ items: [own] }) => {
      // One shift a day in the sandbox.
      expect(own.drivenToday).toBe(await timeOf("DRIVING", Date.parse("2026-11-20T00:00:00Z")));
      expect(own.drivenWeek).toBe(await timeOf("DRIVING", Date.parse("2026-11-16T00:00:00Z")));
      expect(own.drivenFortnight).toBe(await timeOf("DRIVING", Date.parse("2026-11-09T00:00:00Z")));
    },
  },
  {
    asked: "Create a job for truck 12 at Quai Perrache 10 in Lyon",
    tool: "create_job",
    args: () => ({ vehicleName: "truck 12", address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: "Collect 4 pallets" }),
    facts: async ({ job }) => {
      const { jobs } = await raw.jobs();
      expect(jobs.filter(({ jobNumber }) => jobNumber === job.jobNumber)).toMatchObject([
        { vehicleName: "Truck 12", jobTitle: "Collect 4 pallets" },
      ]);
    },
  },
  {
    asked: "Move van 7 to the Lyon vans",
    tool: "update_group",
    args: () => ({ group: "Lyon vans", vehicles: ["van 7"] }),
    facts: async () => {
      const before = fleet.filter(({ assetGroupName }) => assetGroupName === "Lyon Vans");
      const after = (await raw.positions()).filter(({ assetGroupName }) => assetGroupName === "Lyon Vans");
      expect(named("Van 7").assetGroupName).not.toBe("Lyon Vans");
      sameMembers(names(after), [...names(before), "Van 7"]);
    },
  },
  {
    asked: "What is the VIN of van 7?",
    tool: "locate_vehicle",
    args: () => ({ query: "VIN of van 7" }),
    facts: ({ vehicle }, text) => {
      expect(vehicle.assetVin).toBe(named("Van 7")["assetVin"]);
      expect(text).toContain(`VIN: ${vehicle.assetVin}`);
    },
  },
  {
    asked: "Which truck is nearest to Kassel?",
    tool: "find_nearest_vehicles",
    args: () => ({ to: "Kassel", type: "truck", limit: 1 }),
    facts: ({ items }) => {
      const kassel = { latitude: 51.316, longitude: 9.498 };
      const trucks = open().filter(({ assetType }) => assetType === "TRUCK");
      const [nearest] = trucks.toSorted((a, b) => kilometres(kassel, a) - kilometres(kassel, b));
      expect(names(items)).toEqual([nearest?.assetName]);
      expect(Math.abs(items[0].km - kilometres(kassel, nearest as RawPosition))).toBeLessThan(3);
    },
  },
  {
    asked: "Who near Lyon can take a load, two hours of driving away?",
    tool: "find_nearest_vehicles",
    args: () => ({ to: "Lyon", driveHours: 2 }),
    facts: ({ items }) => {
      expect(items.length).toBeGreaterThan(0);
      for (const { assetName, why } of items) {
        const { assetType, fuelLevelPercentage = 100 } = named(assetName);
        expect(assetType).not.toBe("TRAILER");
        if (fuelLevelPercentage < 20) expect(why).toContain("battery");
        expect(why).toMatch(/^\d+ km, (.*driving left|driving time unknown|no driver), ./);
      }
    },
  },
  {
    asked: "Which three vehicles have the most kilometres?",
    tool: "list_live_positions",
    args: () => ({ sort: "-odometer", limit: 3 }),
    facts: ({ items }) => {
      const most = fleet.toSorted((a, b) => Number(b["odometer"] ?? 0) - Number(a["odometer"] ?? 0)).slice(0, 3);
      expect(names(items)).toEqual(names(most));
    },
  },
  {
    asked: "How many vehicles are in each country?",
    tool: "list_live_positions",
    args: () => ({ count: "country" }),
    facts: (_, text) => {
      const countries = new Map<unknown, number>();
      for (const { country } of open()) countries.set(country, (countries.get(country) ?? 0) + 1);
      for (const [country, vehicles] of countries) expect(text).toContain(`${country} | ${vehicles}`);
    },
  },
  {
    asked: "Welche Fahrzeuge sind in Italien?",
    tool: "list_live_positions",
    args: () => ({ where: "country=Italien" }),
    facts: ({ items }) => sameMembers(names(items), names(open().filter(({ country }) => country === "Italy"))),
  },
];

/** The rows of a list, each with its values by column. */
function withItems(structured: Structured): Structured {
  const { columns, rows } = structured;
  if (!rows) return structured;
  return {
    ...structured,
    items: rows.map((row: unknown[]) => Object.fromEntries(row.map((value, at) => [columns[at], value ?? undefined]))),
  };
}

const PAGE = readFileSync(new URL("../../../docs/server.md", import.meta.url), "utf8");

/** A question's row in the table of docs/server.md: its tool and its maximum cost in tokens. */
function statedRow(asked: string): { tool: string; text: number; record: number } {
  const line = PAGE.split("\n").find((row) => row.startsWith(`| ${asked} `));
  const [tool = "", , text, record] = (line ?? "")
    .split("|")
    .slice(2)
    .map((part) => part.trim());
  return { tool: tool.replaceAll("`", ""), text: Number(text), record: Number(record) };
}

const inSteps = (tokens: number) => Math.ceil((tokens + 5) / 25) * 25;

describe("everyday questions take one call, and the result has the service's facts", () => {
  const table: string[] = [];

  it.each(QUESTIONS)("$asked", async ({ asked, tool, args, facts }) => {
    const { ok, text, structured } = await tools.call(tool, args());
    // Hosts show a model one of the two.
    const costs = [text, JSON.stringify(structured)].map((shown) => inSteps(countTokens(shown)));
    table.push(`| ${asked} | \`${tool}\` | 1 | ${costs.join(" | ")} |`);
    expect(ok, text).toBe(true);
    await facts(withItems(structured), text);
  });

  it("at the cost stated in docs/server.md", () => {
    console.log(["| question | tool | calls | text | record |", ...table].join("\n"));
    for (const row of table) {
      const [asked = "", tool, , text, record] = row
        .split("|")
        .slice(1)
        .map((part) => part.trim());
      const reported = statedRow(asked);
      expect([asked, reported.tool]).toEqual([asked, tool?.replaceAll("`", "")]);
      // Costs vary slightly with random numbers in the result.
      for (const [most, now] of [
        [reported.text, text],
        [reported.record, record],
      ] as const)
        expect(Math.abs(most - Number(now)), row).toBeLessThanOrEqual(25);
    }
  });
});

describe("every name in the questions is one in the sandbox that `--sandbox` starts", () => {
  it.each(["2026-11-20T16:00:00Z", "2026-11-29T22:30:00Z", "2026-11-25T03:00:00Z"])("at %s", async (time) => {
    const now = () => Date.parse(time);
    const sandbox = createSandbox({ clock: now, rhythm: "nonstop" });
    const config = fleetToolsConfigFromEnv(sandbox.env);
    const client = createFleetClient({ ...config, fetch: sandbox.fetch, now });
    const live = createFleetTools(config, { fleet: client, now, gazetteer: () => import("@fleetwire/tools/gazetteer") });
    const refused: string[] = [];
    for (const { asked, tool, args } of QUESTIONS.filter((question) => question.asked !== "Where is number 12?")) {
      const { ok, text, structured } = await live.call(tool, args());
      if (!ok || ["notFound", "ambiguous"].includes((structured as Structured).result)) refused.push(`${asked} ${text}`);
    }
    expect(refused).toEqual([]);
  });
});
