import { describe, expect, it } from "vitest";
import { readFleet } from "../../src/fleet/fleet-reader.ts";
import type { NameQuestion } from "../../src/names/name-question.ts";
import { checkedJobNames } from "../../src/tools/job-names.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetGroupId: "g1", assetGroupName: "Lyon", driverId: "p1", driverName: "Ana Ruiz" },
  { assetId: "v2", assetName: "Van 2", assetRegistration: "AB 2", driverId: "p2", driverName: "Bo Tanaka" },
  { assetId: "v3", assetName: "Van 2", driverId: "p3", driverName: "Bo Tanaka" },
  { assetId: "v4", assetName: "", assetRegistration: "CD 4", driverName: "Kim Oh", driverGroupId: "g2", driverGroupName: "Crew" },
  { assetRegistration: "EF 5", assetGroupId: "g3", assetGroupName: "North", driverId: "p5" },
  { assetId: "v6", assetGroupId: "g4", assetGroupName: "North" },
];
const SOLD = { assetId: "v7", assetName: "Truck 7", status: "SOLD" };

const contextFor = async (env: Record<string, string> = {}, fleet: unknown = FLEET) => {
  const service = await cannedService(({ operation, fields }) => {
    if (operation !== "listLivePositions" || fleet === undefined) return undefined;
    return fields["showAllVehicleStatus"] ? [...FLEET, SOLD] : fleet;
  });
  return toolsOver(service, env).context;
};

it.each<[Record<string, unknown>, Record<string, unknown>, string[]]>([
  [{ address: "Lyon" }, { address: "Lyon" }, []],
  [{ vehicleName: "" }, { vehicleName: "" }, []],
  [{ vehicleName: "truck 1", notes: "x" }, { vehicleName: "Truck 1", notes: "x" }, []],
  [{ personName: "ana ruiz" }, { personName: "Ana Ruiz" }, []],
  [{ personName: "p2" }, { personId: "p2" }, []],
  [{ vehicleName: "truck 1", vehicleId: "v1", personId: "p2" }, { vehicleName: "Truck 1", vehicleId: "v1", personId: "p2" }, []],
  [{ personName: "p1", personId: "p1", vehicleId: "v2" }, { personName: "Ana Ruiz", personId: "p1", vehicleId: "v2" }, []],
  [{ groupName: "lyon" }, { groupName: "Lyon" }, []],
  [{ groupName: "Rome" }, { groupName: "Rome" }, ["groupName: no vehicle or driver is in a group with this name, so it was not checked."]],
])("names in a job are spelt as in the fleet: %j", async (args, spelt, unchecked) => {
  const checked = await checkedJobNames(args, await contextFor());
  expect([checked.args, checked.unchecked]).toEqual([spelt, unchecked]);
  expect(checked.fleet === undefined).toBe(
    Object.values(spelt).every((value) => value === "Lyon" || value === "") && !("groupName" in spelt),
  );
});

describe("a name that does not identify one thing", () => {
  it.each<[Record<string, unknown>, string, string]>([
    [{ vehicleName: "AB 2" }, "vehicleName: “Van 2 (AB 2)” is not a unique name", "Pass vehicleId v2 instead"],
    [{ vehicleName: "CD 4" }, "vehicleName: “CD 4 (v4)” is not a unique name", "Pass vehicleId v4 instead"],
    [{ vehicleName: "EF 5" }, "vehicleName: “EF 5” is not a unique name", "Tell the user"],
    [
      { vehicleName: "truck 1", vehicleId: "v2" },
      "vehicleId is not the id of “Truck 1 (v1)”, which vehicleName names",
      "Ask the user which is meant, and pass only one of them",
    ],
    [
      { personName: "ana ruiz", personId: "p2" },
      "personId is not the id of “Ana Ruiz (p1)”, which personName names",
      "Ask the user which is meant, and pass only one of them",
    ],
    [{ groupName: "g3" }, "groupName: “North (g3)” is not a unique name, and jobs do not accept a group id", "Tell the user"],
  ])("%j is rejected", async (args, summary, advice) => {
    await expect(checkedJobNames(args, await contextFor())).rejects.toMatchObject({ code: "input", summary, advice });
  });

  it.each<[Record<string, unknown>, object]>([
    [{ vehicleName: "truck 7" }, { result: "notFound", field: "vehicleName", remark: "Truck 7 (v7) is sold." }],
    [{ vehicleName: "truck 9" }, { result: "notFound", field: "vehicleName" }],
    [{ personName: "bo tanaka" }, { result: "ambiguous", field: "personName" }],
    [{ personName: "Zoe" }, { result: "notFound", field: "personName", alternative: "For someone who is not driving now, pass personId." }],
    [{ groupName: "north" }, { result: "ambiguous", field: "groupName" }],
  ])("%j is a question", async (args, unresolved) => {
    const error = await checkedJobNames(args, await contextFor()).catch((reason: unknown) => reason);
    expect((error as NameQuestion).unresolved).toMatchObject(unresolved);
  });
});

describe("hidden names of drivers", () => {
  it("are replaced with ids", async () => {
    const context = await contextFor({ FLEET_DRIVER_NAMES: "hide" });
    const fleet = await readFleet(context);
    const name = fleet.positions.find(({ driverId }) => driverId === "p1")?.driverName ?? "";
    expect(name).not.toBe("Ana Ruiz");
    expect((await checkedJobNames({ personName: name }, context)).args).toEqual({ personId: "p1" });
    const kim = fleet.positions.find(({ assetId }) => assetId === "v4")?.driverName ?? "";
    await expect(checkedJobNames({ personName: kim }, context)).rejects.toMatchObject({
      summary: `personName: the live positions have no id for “${kim}”`,
      advice: "Tell the user, or pass personId",
    });
  });
});

it("names are not checked if the fleet cannot be read, unless drivers' names are hidden", async () => {
  const args = { vehicleName: "Truck", personName: "Ana" };
  expect(await checkedJobNames(args, await contextFor({}, null))).toEqual({
    args,
    unchecked: ["vehicleName, personName: not checked, as the fleet could not be read."],
  });
  const hidden = await contextFor({ FLEET_DRIVER_NAMES: "hide" }, null);
  await expect(checkedJobNames(args, hidden)).rejects.toThrow();
  expect((await checkedJobNames({ vehicleName: "Truck" }, hidden)).unchecked).toHaveLength(1);
});
