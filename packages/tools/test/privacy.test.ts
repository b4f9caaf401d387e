import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "./canned-fleet.ts";
import { servedFleet } from "./served-fleet.ts";

const PRIVATE: Position = {
  ...{ assetId: "v77", assetName: "Van 77", assetRegistration: "PR11 VAT", date: "2026-11-20T08:30:00Z" },
  ...{ eventType: "driving", privacy: true, driverName: "Petra Privat" },
};

/** Every field that would reveal where the journey leads. */
const WHEREABOUTS: Position = {
  ...{ latitude: 48.13743, longitude: 11.57549, heading: 133, speed: 87.3 },
  ...{ road: "Marienplatz", roadNumber: "8b", city: "Munich", postCode: "80331", country: "Germany", division: "Bavaria" },
  ...{ formattedAddress: "Marienplatz 8b, 80331 Munich, Germany" },
  ...{ locationName: "Holiday home", locationGroupName: "Homes", locationId: "loc4711" },
};

const fleet = [...cannedFleet(), { ...PRIVATE, ...WHEREABOUTS }];
const wordsOf = (result: unknown) => JSON.stringify(result).match(/[\p{L}\p{N}.]+/gu) ?? [];
const secrets = Object.values(WHEREABOUTS).flatMap((value) => wordsOf(String(value)));

const serve = (env: Record<string, string> = {}, positions: readonly object[] = fleet) =>
  servedFleet({ script: { listLivePositions: () => ({ body: positions }) }, env: { FLEET_MAX_RESULT_TOKENS: "50000", ...env } });

describe("a private journey", () => {
  it("is found by locate_vehicle, with its whereabouts withheld", async () => {
    const { call, record } = await serve();
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(result.text).toBe(
      "Van 77 (PR11 VAT): driving. 2026-11-20 08:30 in UTC, 4 min ago. Driver: Petra Privat. Id: v77. On a private journey: whereabouts withheld.",
    );
    expect((await record("locate_vehicle", { query: "van 77" })).vehicle).toEqual({ ...PRIVATE, age: "4 min ago" });
    for (const word of secrets) expect(wordsOf(result)).not.toContain(word);
  });

  it("has its whereabouts withheld by list_live_positions, whatever fields are requested", async () => {
    const { record } = await serve();
    const args = { fields: ["assetName", "privacy", ...Object.keys(WHEREABOUTS)], limit: 500 };
    const { items, note } = await record("list_live_positions", args);
    const named = (name: string) => items.find(({ assetName }: Position) => assetName === name);
    expect(named("Van 77")).toEqual({ assetName: "Van 77", privacy: true });
    expect(named("Van 12")).toMatchObject({ city: expect.any(String), speed: expect.any(Number) });
    expect(note).toContain("Whereabouts on private journeys are withheld");
  });

  it("cannot be found by searching for its place", async () => {
    const { question } = await serve();
    for (const query of ["Marienplatz", "Munich", "Holiday home", "loc4711"])
      expect(await question("locate_vehicle", { query })).toMatch(/^No vehicle/);
  });

  it("is shown if FLEET_PRIVACY is off, and speeds of speed-sensitive groups are then requested", async () => {
    const { text, record, service } = await serve({ FLEET_PRIVACY: "off" });
    expect(await text("locate_vehicle", { query: "van 77" })).toMatch(
      /87 km\/h, heading SE, at Holiday home, Marienplatz 8b, 80331 Munich/,
    );
    const { items, note } = await record("list_live_positions", { fields: ["assetName", ...Object.keys(WHEREABOUTS)], limit: 500 });
    expect(items).toContainEqual({ assetName: "Van 77", ...WHEREABOUTS, direction: "SE" });
    expect(note).not.toContain("withheld");
    const requested = (requests: typeof service) => [
      ...new Set(requests.of("listLivePositions").map(({ url }) => url.searchParams.get("hideSpeedIfSpeedSensitive"))),
    ];
    const respecting = await serve();
    await respecting.text("locate_vehicle", { query: "van 77" });
    expect([requested(service), requested(respecting.service)]).toEqual([["false"], ["true"]]);
  });
});
