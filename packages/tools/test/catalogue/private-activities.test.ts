import { describe, expect, it } from "vitest";
import { createFleetTools } from "../../src/index.ts";
import { driverHoursTool } from "../../src/tools/driver-hours.ts";
import { queryTachoActivity } from "../../src/tools/query-tacho-activity.ts";
import { summarizeDriverActivity } from "../../src/tools/summarize-driver-activity.ts";
import { type Asked, cannedService, NOW, rowsOf, toolsOver } from "../canned-service.ts";

const ROAD = { startLatitude: 51.339701, startLongitude: 12.371101, endLatitude: 51.340702, endLongitude: 12.372102 };
const SECRETS = Object.values(ROAD).map(String);

interface Vehicle {
  assetId?: string;
  assetRegistration?: string;
  driverId?: string;
  privacy?: unknown;
}

const OPEN: Vehicle = { assetId: "v1", assetRegistration: "AB 1", driverId: "p1" };
const OTHER: Vehicle = { assetId: "v2", assetRegistration: "CD 2", driverId: "p2", privacy: false };

const activity = (more: object) => ({
  activity: "DRIVING",
  startTime: "2026-11-20T06:00:00Z",
  endTime: "2026-11-20T07:00:00Z",
  ...ROAD,
  ...more,
});
const inVehicle = (vehicle: Vehicle, more: object = {}) =>
  activity({ assetId: vehicle.assetId, assetRegistration: vehicle.assetRegistration, ...more });
const entry = (driverId: string | undefined, ...activities: object[]) => ({
  ...(driverId && { driverId }),
  driverKey: `DRIVERCARD0${driverId ?? "none"}00`.slice(0, 15),
  activities,
});

/** A service with these vehicles and entries; without vehicles, its live positions cannot be read. */
async function served(vehicles: readonly Vehicle[] | undefined, data: readonly object[], more: object = {}) {
  return cannedService(({ operation }: Asked) =>
    operation === "listLivePositions" ? vehicles : operation === "queryTachoActivity" ? { count: data.length, data, ...more } : undefined,
  );
}

const FIELDS = ["driver", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "placesWithheld"];
const PERIOD = { period: "last 24 hours" };

const PRIVATE = { ...OPEN, privacy: true };

describe("the places of activities", () => {
  it.each<[why: string, vehicles: Vehicle[] | undefined, entries: object[], shown: boolean]>([
    ["of nobody on a private journey", [OPEN, OTHER], [entry("p1", inVehicle(OPEN))], true],
    ["of another vehicle and driver", [PRIVATE, OTHER], [entry("p2", inVehicle(OTHER))], true],
    ["of the vehicle and driver on one", [PRIVATE, OTHER], [entry("p1", inVehicle(OPEN))], false],
    ["of the vehicle's other driver", [PRIVATE, OTHER], [entry("p2", inVehicle(OPEN, { driverCardSlot: 2 }))], false],
    ["of the driver in another vehicle", [PRIVATE, OTHER], [entry("p1", inVehicle(OTHER))], false],
    ["of the vehicle, recognized by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "ab-1" }))], false],
    [
      "of the vehicle, recognized by a registration in letters that look alike",
      [{ ...PRIVATE, assetRegistration: "АВ 1" }, OTHER],
      [entry("p2", activity({ assetRegistration: "AB 1" }))],
      false,
    ],
    ["of another vehicle, recognized by registration", [PRIVATE, OTHER], [entry("p2", activity({ assetRegistration: "CD 2" }))], true],
    [
      "of a private vehicle without a registration",
      [{ ...PRIVATE, assetRegistration: "" }],
      [entry("p2", activity({ assetRegistration: "CD 2" }))],
      false,
    ],
    ["of a private vehicle without an id", [{ ...PRIVATE, assetId: "" }], [entry("p2", activity({ assetId: "v2" }))], false],
    ["of no known vehicle", [PRIVATE, OTHER], [entry("p2", activity({}))], false],
    ["of no known driver", [PRIVATE, OTHER], [entry(undefined, inVehicle(OTHER))], false],
    ["of no known driver, with nobody on one", [OPEN, OTHER], [entry(undefined, inVehicle(OTHER))], true],
    ["with an unreadable flag", [{ ...OPEN, privacy: "ja" }], [entry("p1", inVehicle(OPEN))], false],
    ["while live positions cannot be read", undefined, [entry("p1", inVehicle(OPEN))], false],
  ])("%s are shown: %s", async (_, vehicles, entries, shown) => {
    const { call } = toolsOver(await served(vehicles, entries));
    const { text, structured } = await call(queryTachoActivity, { ...PERIOD, fields: FIELDS });
    for (const secret of SECRETS) expect(text.includes(secret)).toBe(shown);
    expect(rowsOf(structured)[0]?.["startLatitude"]).toBe(shown ? ROAD.startLatitude : undefined);
    const reason = vehicles ? "private journey" : "live positions cannot be read";
    expect(text.includes(`Places withheld in 1 of 1: ${reason}`)).toBe(!shown);
  });

  it("say nothing if they were not asked for", async () => {
    const { call } = toolsOver(await served([PRIVATE], [entry("p1", inVehicle(OPEN))]));
    expect((await call(queryTachoActivity, PERIOD)).text).not.toContain("withheld");
  });

  it("are shown with FLEET_PRIVACY=off, and live positions are not needed", async () => {
    const { call } = toolsOver(await served(undefined, [entry("p1", inVehicle(OPEN))]), { FLEET_PRIVACY: "off" });
    expect((await call(queryTachoActivity, { ...PERIOD, fields: FIELDS })).text).toContain(SECRETS[0]);
  });

  it("are withheld without a tool for positions", async () => {
    const service = await served([PRIVATE], [entry("p1", inVehicle(OPEN))]);
    const { config } = toolsOver(service, { FLEET_TOOLS: "query_tacho_activity" });
    const tools = createFleetTools(config, { now: () => NOW });
    expect(tools.tools.map(({ name }) => name)).toEqual(["query_tacho_activity"]);
    const { text } = await tools.call("query_tacho_activity", { ...PERIOD, fields: FIELDS });
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    expect(text).toContain("Places withheld in 1 of 1");
  });

  it("are not revealed by undocumented fields around them", async () => {
    const near = { near: SECRETS[0] };
    const data = [
      { ...entry("p2", { ...inVehicle(OPEN), ...near }), ...near },
      { ...entry("p2", inVehicle(OTHER)), note: "open" },
    ];
    const { context } = toolsOver(await served([PRIVATE, OTHER], data, near));
    const page = await context.fleet.queryTachoActivity({ startTime: new Date(NOW - 1), endTime: new Date(NOW) });
    expect(JSON.stringify({ ...page, data: page.data.slice(0, 1) })).not.toContain(SECRETS[0]);
    expect(JSON.stringify(page.data[1])).toContain("open");
  });

  it.each([driverHoursTool, summarizeDriverActivity, queryTachoActivity])("appear in no result of $name", async (tool) => {
    const { call } = toolsOver(await served([PRIVATE, OTHER], [entry("p1", inVehicle(OPEN)), entry("p2", inVehicle(OPEN))]));
    const { text, structured } = await call(tool, tool === driverHoursTool ? {} : PERIOD);
    for (const secret of SECRETS) expect(text + JSON.stringify(structured)).not.toContain(secret);
  });
});

describe("an order by places", () => {
  const sort = { "activities.startLatitude": "ASC", "activities.startTime": "DESC" };
  it.each<[why: string, vehicles: Vehicle[] | undefined, env: Record<string, string>, sent: object, says: boolean]>([
    ["reaches the service if nothing is withheld", [OPEN], {}, sort, false],
    ["does not while somebody is on a private journey", [PRIVATE], {}, { "activities.startTime": "DESC" }, true],
    ["does not while live positions cannot be read", undefined, {}, { "activities.startTime": "DESC" }, true],
    ["does with FLEET_PRIVACY=off", [PRIVATE], { FLEET_PRIVACY: "off" }, sort, false],
  ])("%s", async (_, vehicles, env, sent, says) => {
    const service = await served(vehicles, [entry("p1", inVehicle(OPEN))]);
    const { text } = await toolsOver(service, env).call(queryTachoActivity, { ...PERIOD, sort });
    expect(service.asked.find(({ operation }) => operation === "queryTachoActivity")?.fields["sort"]).toEqual(sent);
    expect(text.includes("Not sorted by places")).toBe(says);
  });
});
