import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cannedFleet, HOSTILE_TEXTS, type Position } from "../canned-fleet.ts";
import { NOW, servedFleet } from "../served-fleet.ts";

const MAX_TOKENS = 150;
const tokens = (value: unknown) => JSON.stringify(value).length / 4;

const serve = (fleet: readonly Position[], env: Record<string, string> = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }) }, env });

async function ask(query: string, fleet: readonly Position[], env?: Record<string, string>) {
  const { text, structured } = await (await serve(fleet, env)).call("locate_vehicle", { query });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  return { text, structured: structured as any, size: (JSON.stringify(text) + JSON.stringify(structured)).length / 4 + 50 };
}

const truck12 = (more: Record<string, unknown> = {}): Position => {
  const truck = cannedFleet().find(({ assetName }) => assetName === "Truck 12");
  return { ...truck, eventType: "driving", speed: 72.6, heading: 245, ...more } as Position;
};

describe("the result of locate_vehicle", () => {
  it("is readable text, and a record", async () => {
    const { text, structured } = await ask("truck 12", [truck12({ locationName: "Dresden yard" })]);
    expect(text).toBe(
      "Truck 12 (KX21 ABC): driving, 73 km/h, heading SW, at Dresden yard, Calle de Méndez Álvaro 77, 28045 Madrid, España, at 40.39518, -3.67841. " +
        "2026-11-20 08:30 in UTC, 4 min ago. Driver: Carla Conti. Id: v1011.",
    );
    expect(structured).toEqual({
      result: "found",
      vehicle: {
        ...{ assetId: "v1011", assetName: "Truck 12", assetRegistration: "KX21 ABC", eventType: "driving", speed: 72.6, heading: 245 },
        ...{ latitude: 40.39518, longitude: -3.67841, formattedAddress: "Calle de Méndez Álvaro 77, 28045 Madrid, España" },
        ...{ locationName: "Dresden yard", date: "2026-11-20T08:30:00Z", driverName: "Carla Conti", age: "4 min ago" },
      },
    });
  });

  it("has every fact in text and record, each within 150 tokens, for every vehicle", async () => {
    const { call } = await serve(cannedFleet());
    for (const { assetId, assetName, driverName, city } of cannedFleet()) {
      const { text, structured } = await call("locate_vehicle", { query: assetId });
      expect(structured).toMatchObject({
        result: "found",
        matchedBy: "id",
        vehicle: { assetId, age: expect.stringMatching(/ago|just now/) },
      });
      const facts = [assetName, driverName, ...(text.includes("private journey") ? [] : [city]), "Found by id"];
      for (const fact of facts) expect(text).toContain(fact);
      expect(Math.max(text.length / 4, tokens(structured))).toBeLessThanOrEqual(MAX_TOKENS);
    }
  });

  it.each(["truck", "keller", "12", "truck 500"])("stays within 150 tokens as a question, too: %s", async (query) => {
    const { text, structured } = await ask(query, cannedFleet());
    expect(structured.result).not.toBe("found");
    expect(text.length / 4).toBeLessThanOrEqual(MAX_TOKENS);
    // The record says what to do next too: some hosts show nothing else.
    expect(tokens(structured)).toBeLessThanOrEqual(215);
    for (const { assetName, assetRegistration, driverName } of structured.candidates)
      expect(text).toContain(`${assetName} (${assetRegistration}), driver ${driverName}`);
  });
});

describe("the age of a position", () => {
  // Not UTC, since a time without a zone would be right by chance there.
  beforeEach(() => void vi.stubEnv("TZ", "America/New_York"));
  afterEach(() => void vi.unstubAllEnvs());

  it.each<[string, unknown, string]>([
    ["now", "2026-11-20T08:34:00Z", "2026-11-20 08:34 in UTC, just now"],
    ["seconds", "2026-11-20T08:33:20Z", "40 s ago"],
    ["a minute", "2026-11-20T08:32:59Z", "1 min ago"],
    ["an hour", "2026-11-20T06:34:01Z", "1 h ago"],
    ["days", "2026-11-10T08:34:00Z", "10 days ago"],
    ["no time zone, so UTC", "2026-11-20 08:30:00", "2026-11-20 08:30 in UTC, 4 min ago"],
    ["an offset", "2026-11-20T10:30:00.123+02:00", "2026-11-20 08:30 in UTC, 3 min ago"],
    ["a clock ahead of ours", "2026-11-20T08:35:10Z", "2026-11-20 08:35 in UTC, just now"],
    ["a day ahead", "2026-11-21T08:34:00Z", "2026-11-21 08:34 in UTC, in the future"],
    ["day or month first", "11/12/2026 08:30", "time 11/12/2026 08:30."],
    ["an impossible time", "2026-13-45T99:00:00Z", "time 2026-13-45T99:00:00Z."],
    ["null", null, "time not reported"],
  ])("%s: %s", async (_, date, expected) => {
    expect(new Date(NOW).getHours()).toBe(3);
    expect((await ask("truck 12", [truck12({ date })])).text).toContain(expected);
  });
});

describe("a record with few fields", () => {
  it.each<[string, Position, string]>([
    ["only a name", { assetName: "Truck 12" }, "Truck 12: activity unknown, place not reported. time not reported. No driver known."],
    ["only a registration", { assetRegistration: "truck 12" }, "truck 12: activity unknown, place not reported."],
    ["only an id", { assetId: "truck12" }, "truck12: activity unknown"],
    ["only a driver", { driverName: "Truck 12" }, "Vehicle without a name: activity unknown"],
    ["a city", { assetName: "Truck 12", city: "Lyon", country: "France" }, "Truck 12: activity unknown, Lyon, France."],
    ["a point", { assetName: "Truck 12", latitude: 45.7, longitude: -0.00001 }, "activity unknown, at 45.70000, -0.00001."],
    ["a heading while stopped", { assetName: "Truck 12", speed: 0, heading: 90 }, "activity unknown, 0 km/h, place"],
    ["a negative heading", { assetName: "Truck 12", speed: 30, heading: -90 }, "30 km/h, heading W,"],
    ["an empty address", { assetName: "Truck 12", formattedAddress: "", city: "Lyon" }, "activity unknown, Lyon."],
    ["empty strings", { assetName: "Truck 12", driverName: "", locationName: "\u200b", assetId: " " }, "reported. No driver known."],
    ["an event named like an Object member", { assetName: "Truck 12", eventType: "constructor" as "ping" }, "Truck 12: constructor,"],
    ["an undocumented event", { assetName: "Truck 12", eventType: "towing" as "ping" }, "Truck 12: towing,"],
  ])("%s", async (_, position, expected) => {
    const { text, structured } = await ask("truck 12", [position]);
    expect(text).toContain(expected);
    expect(JSON.stringify(structured)).not.toContain("null");
  });

  it("an empty id, shared with another vehicle", async () => {
    const fleet = ["Truck 12", "Truck 13"].map((assetName) => ({ assetId: "", assetName, date: "2026-11-20T08:30:00Z" }));
    for (const { assetName } of fleet) expect((await ask(assetName, fleet)).text).toContain(`${assetName}: `);
  });

  it("null in every field, and wrong types", async () => {
    const empty = Object.fromEntries(Object.keys(truck12()).map((field) => [field, null]));
    const { text } = await ask("truck 12", [{ ...empty, assetName: "Truck 12", speed: "fast", latitude: "x" } as unknown as Position]);
    expect(text).toBe("Truck 12: activity unknown, place not reported. time not reported. No driver known.");
  });
});

const FIELDS = ["assetName", "assetRegistration", "formattedAddress", "locationName", "driverName", "eventType", "date"];
const SMALL = { FLEET_MAX_RESULT_TOKENS: "200" };
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

it.each(Object.entries(HOSTILE_TEXTS))("hostile text is shown safely, and fits: %s", async (_, hostile) => {
  const record = truck12({ assetId: "v12", ...Object.fromEntries(FIELDS.map((field) => [field, hostile])) });
  for (const [env, most] of [[{}, 600] as const, [SMALL, 200] as const]) {
    const { text, structured, size } = await ask("v12", [record], env);
    expect(text).not.toMatch(UNSAFE);
    expect(JSON.stringify(structured)).not.toMatch(/\\[nrbtfu]/);
    expect(structured).toMatchObject({ result: "found", vehicle: { assetId: "v12" } });
    expect(size).toBeLessThanOrEqual(most);
  }
  const more = { assetRegistration: hostile, locationName: hostile, driverName: `Truck ${hostile}` };
  const fleet = Array.from({ length: 9 }, (_, index) => truck12({ ...more, assetId: `v${index}` }));
  for (const query of ["truck 12", "no such thing"]) {
    const { structured, size, text } = await ask(query, fleet, SMALL);
    expect(structured.result).not.toBe("found");
    expect(text).not.toMatch(UNSAFE);
    expect(size).toBeLessThanOrEqual(200);
  }
});

it("no candidate fits the budget, so the registration is asked for", async () => {
  const long = "𒀀".repeat(60);
  const fleet = Array.from({ length: 9 }, (_, at) =>
    truck12({ assetId: `${at}${long}`, assetName: `Truck 12 ${long}`, assetRegistration: long, driverName: long }),
  );
  const { text, structured } = await ask("truck 12", fleet, SMALL);
  expect(text).toBe('9 vehicles match "truck 12". What is the registration? Ask the user, then call again with it as query.');
  expect(structured).toMatchObject({ result: "ambiguous", field: "query", total: 9, candidates: [] });
  const unknown = await ask(`truck 13 ${long}`, fleet, SMALL);
  expect(unknown.text).toMatch(/^No vehicle matches "truck 13 .+"\. What is the registration\? Ask/u);
  expect((await ask("truck ".repeat(660), cannedFleet())).size).toBeLessThanOrEqual(400);
});
