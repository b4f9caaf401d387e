import { describe, expect, it } from "vitest";
import type { Reply } from "../fleet-service.ts";
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

describe("names in a job", () => {
  it.each<[Args, Args]>([
    [
      { vehicleName: "truck 1", notes: "x" },
      { vehicleName: "Truck 1", notes: "x" },
    ],
    [{ personName: "ana ruiz" }, { personName: "Ana Ruiz" }],
    [{ personName: "p2" }, { personId: "p2" }],
    [
      { vehicleName: "truck 1", vehicleId: "v1", personId: "p2" },
      { vehicleName: "Truck 1", vehicleId: "v1", personId: "p2" },
    ],
    [
      { personName: "p1", personId: "p1", vehicleId: "v2" },
      { personName: "Ana Ruiz", personId: "p1", vehicleId: "v2" },
    ],
    [{ groupName: "lyon" }, { groupName: "Lyon" }],
    [{ groupName: "Rome" }, { groupName: "Rome" }],
  ])("are sent as the fleet spells them: %j", async (args, spelt) => {
    const { text, sent } = await jobs();
    const result = await text("create_job", { ...PLACE, ...args });
    expect(sent()).toEqual([{ ...PLACE, ...spelt }]);
    const unchecked = "groupName: no vehicle or driver is in a group with this name, so it was not checked.";
    expect(result.includes(unchecked)).toBe(args["groupName"] === "Rome");
  });

  it.each<[Args, string]>([
    [{ vehicleName: "AB 2" }, "vehicleName: “Van 2 (AB 2)” is not a unique name. This call sent nothing. Next: Pass vehicleId v2 instead"],
    [{ vehicleName: "CD 4" }, "vehicleName: “CD 4 (v4)” is not a unique name. This call sent nothing. Next: Pass vehicleId v4 instead"],
    [{ vehicleName: "EF 5" }, "vehicleName: “EF 5” is not a unique name. This call sent nothing. Next: Tell the user"],
    [
      { vehicleName: "truck 1", vehicleId: "v2" },
      "vehicleId is not the id of “Truck 1 (v1)”, which vehicleName names. This call sent nothing. Next: Ask the user which is meant",
    ],
    [{ personName: "ana ruiz", personId: "p2" }, "personId is not the id of “Ana Ruiz (p1)”, which personName names"],
    [{ groupName: "g3" }, "groupName: “North (g3)” is not a unique name, and jobs do not accept a group id"],
  ])("that would be sent as another are rejected: %j", async (args, error) => {
    const { failure, sent } = await jobs();
    expect(await failure("create_job", { ...PLACE, ...args })).toContain(`input: ${error}`);
    expect(sent()).toEqual([]);
  });

  it.each<[Args, object, string]>([
    [{ vehicleName: "car 7" }, { result: "notFound", field: "vehicleName" }, "Car 7 (v7) is sold."],
    [{ vehicleName: "truck 9" }, { result: "notFound", field: "vehicleName" }, ""],
    [{ personName: "bo tanaka" }, { result: "ambiguous", field: "personName" }, ""],
    [{ personName: "Zoe" }, { result: "notFound", field: "personName" }, "For someone who is not driving now, pass personId."],
    [{ groupName: "north" }, { result: "ambiguous", field: "groupName" }, ""],
  ])("that do not identify one are a question: %j", async (args, structured, text) => {
    const { create, sent } = await jobs();
    const result = await create({ ...PLACE, ...args });
    expect([result.structured, result.text]).toEqual([expect.objectContaining(structured), expect.stringContaining(text)]);
    expect(sent()).toEqual([]);
  });

  it("of drivers that are hidden are replaced with ids", async () => {
    const { record, text, failure, sent } = await jobs(undefined, { FLEET_DRIVER_NAMES: "hide" });
    const { items } = await record("list_live_positions", { fields: ["assetId", "driverName"] });
    const nameOf = (vehicle: string) => items.find(({ assetId }: Args) => assetId === vehicle).driverName;
    expect(nameOf("v1")).not.toBe("Ana Ruiz");
    await text("create_job", { ...PLACE, personName: nameOf("v1") });
    expect(sent()).toEqual([{ ...PLACE, personId: "p1" }]);
    expect(await failure("create_job", { ...PLACE, personName: nameOf("v4") })).toContain(
      `personName: the live positions have no id for “${nameOf("v4")}”. This call sent nothing. Next: Tell the user, or pass personId`,
    );
  });

  it("are not checked if the fleet cannot be read, unless drivers' names are hidden", async () => {
    const args = { ...PLACE, vehicleName: "Truck", personName: "Ana" };
    const { text, sent } = await jobs({ status: 403 });
    expect(await text("create_job", args)).toContain("vehicleName, personName: not checked, as the fleet could not be read.");
    expect(sent()).toEqual([args]);
    const hidden = await jobs({ status: 403 }, { FLEET_DRIVER_NAMES: "hide" });
    expect(await hidden.failure("create_job", args)).toMatch(/^forbidden: /);
    expect(await hidden.text("create_job", { ...PLACE, vehicleName: "Truck" })).toContain("vehicleName: not checked");
  });
});

describe("a preview", () => {
  const DRIVER = "and its default driver, if it has one";

  it.each<[Args, string]>([
    [{}, "Assigned to nobody yet."],
    [{ personId: "p1" }, "Assigned to Ana Ruiz (p1)."],
    [{ personId: "p9" }, "Assigned to that driver (not in the live positions)."],
    [{ vehicleId: "v1" }, `Assigned to Truck 1 (v1) ${DRIVER} (current driver: Ana Ruiz, perhaps not the default).`],
    [{ vehicleName: "Truck 1" }, `Assigned to Truck 1 (v1) ${DRIVER} (current driver: Ana Ruiz, perhaps not the default).`],
    [{ vehicleId: "v6" }, `Assigned to Car 6 (v6) ${DRIVER}.`],
    [{ vehicleId: "v7" }, `Assigned to Car 7 (v7), which is sold, ${DRIVER}.`],
    [{ vehicleId: "v9" }, `Assigned to the vehicle (not in the live positions) ${DRIVER}.`],
    [{ vehicleId: "v8" }, `Assigned to Bus 8 (v8) ${DRIVER} (current driver: ${"D".repeat(39)}…, perhaps not the default).`],
    [{ vehicleId: "v1", personId: "p1" }, "Assigned to Truck 1 (v1) and Ana Ruiz (p1), who must be its default driver if it has one."],
    [
      { vehicleName: "Car 6", personName: "Ana Ruiz" },
      "Assigned to Car 6 (v6) and that driver, who must be its default driver if it has one.",
    ],
  ])("says who gets the job: %j", async (args, who) => {
    const { tools } = await jobs();
    expect((await tools.byName.get("create_job")?.preview({ ...PLACE, ...args }))?.text.split("\n")).toContain(who);
  });

  it("names nobody if the fleet cannot be read", async () => {
    const { tools } = await jobs({ status: 403 });
    const preview = await tools.byName.get("create_job")?.preview({ ...PLACE, vehicleId: "v1", personId: "p1" });
    expect(preview?.text).toContain("Assigned to the vehicle and that driver, who must be its default driver if it has one.");
  });

  it.each<[Args, string[]]>([
    [{ address: "Lyon" }, ["Group: root, since none is given.", "The address is not checked; the service geocodes it."]],
    [{ ...PLACE, groupName: "Lyon" }, ["The point is not checked; the service finds its address unless one is given."]],
    [
      { address: "Lyon", groupName: "Lyon", scheduledStartDateTime: "2026-11-20T08:30Z" },
      [
        "scheduledStartDateTime is Fri 2026-11-20 09:30 in Europe/Paris, in the past.",
        "The address is not checked; the service geocodes it.",
      ],
    ],
    [
      { ...PLACE, groupName: "Lyon", arrivalWindowStart: "2026-11-20T09:00Z", arrivalWindowEnd: "2026-11-20T08:30Z" },
      [
        "arrivalWindowStart is Fri 2026-11-20 10:00 in Europe/Paris.",
        "arrivalWindowEnd is Fri 2026-11-20 09:30 in Europe/Paris, in the past.",
        "The arrival window ends before it starts: ask the user which is meant.",
        "The point is not checked; the service finds its address unless one is given.",
      ],
    ],
    [
      { ...PLACE, groupName: "Lyon", arrivalWindowStart: "2026-11-20T09:00Z", arrivalWindowEnd: "2026-11-20T09:00Z" },
      [
        "arrivalWindowStart is Fri 2026-11-20 10:00 in Europe/Paris.",
        "arrivalWindowEnd is Fri 2026-11-20 10:00 in Europe/Paris.",
        "The point is not checked; the service finds its address unless one is given.",
      ],
    ],
  ])("says where and when: %j", async (args, lines) => {
    const { tools } = await jobs();
    const { preview } = recordOf(await tools.byName.get("create_job")?.preview(args));
    expect(preview.slice(preview.indexOf("Assigned to nobody yet.") + 1)).toEqual(lines);
  });
});
