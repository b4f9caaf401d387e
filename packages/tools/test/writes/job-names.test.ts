import { describe, expect, it } from "vitest";
import type { Reply } from "../served-fleet.ts";
import { type Args, PLACE, recordOf, servedWrites } from "./served-writes.ts";

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetGroupId: "g1", assetGroupName: "Lyon", driverId: "p1", driverName: "Ana Ruiz" },
  { assetId: "v2", assetName: "Van 2", assetRegistration: "AB 2", driverId: "p2", driverName: "Bo Tanaka" },
  { assetId: "v3", assetName: "Van 2", driverId: "p3", driverName: "Bo Tanaka" },
  { assetId: "v4", assetName: "", assetRegistration: "CD 4", driverName: "Kim Oh", driverGroupId: "g2", driverGroupName: "Crew" },
  { assetRegistration: "EF 5", assetGroupId: "g3", assetGroupName: "North", driverId: "p5" },
  { assetId: "v6", assetGroupId: "g4", assetGroupName: "North", assetName: "Car 6" },
  { assetId: "v8", assetName: "Bus 8", driverName: "D".repeat(80) },
];
const SOLD = { assetId: "v7", assetName: "Car 7", status: "SOLD" };

const jobs = (reply?: Reply, env: Record<string, string> = {}) =>
  servedWrites({
    script: {
      listLivePositions: ({ url }) =>
        reply ?? { body: [...FLEET, ...(url.searchParams.get("showAllVehicleStatus") === "true" ? [SOLD] : [])] },
    },
    env: { FLEET_CONFIRM: "never", FLEET_JOB_NUMBERS: "service", FLEET_TIME_ZONE: "Europe/Paris", ...env },
  });

const hidden = (reply?: Reply) => jobs(reply, { FLEET_DRIVER_NAMES: "hide" });

describe("names in a job", () => {
  it.each<[string, Args, Args?]>([
    ["a vehicle", { vehicleName: "TRUCK-01", notes: "x" }, { vehicleName: "Truck 1", notes: "x" }],
    ["a driver", { personName: "ruiz, ana" }, { personName: "Ana Ruiz" }],
    ["a group", { groupName: "lyon" }, { groupName: "Lyon" }],
    ["an unknown group, unchecked", { groupName: "Rome" }],
  ])("are sent as the fleet spells them: %s", async (_, args, spelt = args) => {
    const { text, sent } = await jobs();
    const result = await text("create_job", { ...PLACE, ...args });
    expect(sent()).toEqual([{ ...PLACE, ...spelt }]);
    const unchecked = "groupName: no vehicle or driver is in a group with this name, so it was not checked.";
    expect(result.includes(unchecked)).toBe(args["groupName"] === "Rome");
  });

  const AMBIGUOUS = "is not a unique name. This call sent nothing. Next:";
  it.each<[Args, string]>([
    [{ vehicleName: "AB 2" }, `vehicleName: “Van 2 (AB 2)” ${AMBIGUOUS} Pass vehicleId v2 instead`],
    [
      { vehicleName: "truck 1", vehicleId: "v2" },
      "vehicleId is not the id of “Truck 1 (v1)”, which vehicleName names. This call sent nothing.",
    ],
    [{ personName: "ana ruiz", personId: "p2" }, "personId is not the id of “Ana Ruiz (p1)”, which personName names"],
    [{ groupName: "g3" }, "groupName: “North (g3)” is not a unique name, and jobs do not accept a group id"],
  ])("that would be sent as another are rejected: %j", async (args, error) => {
    const { failure, sent } = await jobs();
    expect(await failure("create_job", { ...PLACE, ...args })).toContain(`input: ${error}`);
    expect(sent()).toEqual([]);
  });

  it.each<[Args, RegExp]>([
    [{ vehicleName: "car 7" }, /^No vehicle matches "car 7"\. Car 7 \(v7\) is sold\./],
    [{ vehicleName: "truk 1" }, /^No vehicle matches "truk 1"\. Did you mean Truck 1 \(v1\).*\?/],
    // A group, even of one vehicle, is not that vehicle.
    [{ vehicleName: "lyon" }, /^No vehicle matches "lyon"\. Did you mean Truck 1 \(v1\).*\?/],
    [{ personName: "Zoe" }, /^No driver matches "Zoe"\..* For someone who is not driving now, pass personId\.$/],
    [{ groupName: "north" }, /^2 groups match "north"\. Which one: /],
  ])("that do not identify one for certain are a question: %j", async (args, asked) => {
    const { question, sent } = await jobs();
    const text = await question("create_job", { ...PLACE, ...args });
    expect(text).toMatch(asked);
    expect(text).toContain("Nothing was sent. Ask the user, then call again");
    expect(sent()).toEqual([]);
  });

  it("are not checked if the fleet cannot be read, unless drivers' names are hidden", async () => {
    const args = { ...PLACE, vehicleName: "Truck", personName: "Ana" };
    const { text, sent } = await jobs({ status: 403 });
    for (const dryRun of [true, false])
      expect(await text("create_job", { ...args, dryRun })).toContain(
        "vehicleName, personName: not checked, as the fleet could not be read.",
      );
    expect(sent()).toEqual([args]);
    const fleet = await hidden({ status: 403 });
    expect(await fleet.failure("create_job", args)).toMatch(/^forbidden: /);
    expect(await fleet.text("create_job", { ...PLACE, vehicleName: "Truck" })).toContain("vehicleName: not checked");
  });
});

describe("a preview", () => {
  const DRIVER = "and its default driver, if it has one";
  const ANA = `Truck 1 (v1) ${DRIVER} (current driver: Ana Ruiz, perhaps not the default).`;
  const MUST = "who must be its default driver if it has one.";

  it.each<[Args, string, Reply?]>([
    [{}, "nobody yet."],
    [{ personId: "p1" }, "Ana Ruiz (p1)."],
    [{ vehicleName: "Truck 1" }, ANA],
    [{ vehicleId: "v7" }, `Car 7 (v7), which is sold, ${DRIVER}.`],
    [{ vehicleId: "v8" }, `Bus 8 (v8) ${DRIVER} (current driver: ${"D".repeat(39)}…, perhaps not the default).`],
    [{ vehicleId: "v1", personId: "p1" }, `Truck 1 (v1) and Ana Ruiz (p1), ${MUST}`],
    [{ vehicleId: "v1", personId: "p1" }, `the vehicle and that driver, ${MUST}`, { status: 403 }],
  ])("says who gets the job: %j is assigned to %s", async (args, who, reply) => {
    const { tools } = await jobs(reply);
    const preview = await tools.byName.get("create_job")?.preview({ ...PLACE, ...args });
    expect(preview?.text.split("\n")).toContain(`Assigned to ${who}`);
  });

  const IN_LYON = { ...PLACE, groupName: "Lyon" };
  const GEOCODED = "The address is not checked; the service geocodes it.";
  const POINT = "The point is not checked; the service finds its address unless one is given.";
  const window = (start: string, end: string) => ({ arrivalWindowStart: `2026-11-20T${start}Z`, arrivalWindowEnd: `2026-11-20T${end}Z` });
  const at = (field: string, time: string) => `${field} is Fri 2026-11-20 ${time} in Europe/Paris`;
  const [START, END] = [at("arrivalWindowStart", "10:00"), at("arrivalWindowEnd", "10:00")];
  const ENDED = `${at("arrivalWindowEnd", "09:30")}, in the past.`;

  it.each<[Args, string[]]>([
    [{ address: "Lyon" }, ["Group: root, since none is given.", GEOCODED]],
    [{ ...IN_LYON, scheduledStartDateTime: "2026-11-20T08:30Z" }, [`${at("scheduledStartDateTime", "09:30")}, in the past.`, POINT]],
    [
      { ...IN_LYON, ...window("09:00", "08:30") },
      [`${START}.`, ENDED, "The arrival window ends before it starts: ask the user which is meant.", POINT],
    ],
    [{ ...IN_LYON, ...window("09:00", "09:00") }, [`${START}.`, `${END}.`, POINT]],
  ])("says where and when: %j", async (args, lines) => {
    const { tools } = await jobs();
    const { preview } = recordOf(await tools.byName.get("create_job")?.preview(args));
    expect(preview.slice(preview.indexOf("Assigned to nobody yet.") + 1)).toEqual(lines);
  });
});
