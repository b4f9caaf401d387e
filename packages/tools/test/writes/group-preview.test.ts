import { operations } from "@fleetwire/core";
import { expect, it } from "vitest";
import { groupPreview } from "../../src/tools/group-preview.ts";
import { updateGroup } from "../../src/tools/update-group.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

const FLEET = [
  {
    assetId: "v1",
    assetName: "Truck 1",
    assetGroupId: "g1",
    assetGroupName: "Lyon",
    driverId: "p1",
    driverName: "Ana",
    driverGroupId: "g2",
    driverGroupName: "Crew",
  },
  {
    assetId: "v2",
    assetName: "N".repeat(50),
    assetGroupId: "g1",
    assetGroupName: "Lyon",
    driverId: "p2",
    driverGroupId: "g1",
    driverGroupName: "Lyon",
  },
  { assetId: "v3", assetRegistration: "AB 3", assetGroupId: "g3", assetGroupName: "" },
  { assetName: "Crane", assetGroupId: "g1", assetGroupName: "Lyon", driverName: "Kim" },
];
const KNOWN = "Members are known from live positions only: others may leave too.";
const LONG = `${"N".repeat(39)}… (v2)`;
const MANY = Array.from({ length: 30 }, (_, at) => `x${at}`);

const linesFor = async (input: Parameters<typeof groupPreview>[0], fleet: unknown = FLEET) => {
  const service = await cannedService(({ operation }) => (operation === "listLivePositions" ? fleet : undefined));
  return groupPreview(input, toolsOver(service).context);
};

it("a preview says which vehicles are sold", async () => {
  const sold = { assetId: "v7", assetName: "Car 7", assetGroupId: "g1", status: "SOLD" };
  const lines = await linesFor({ id: "g1", vehicleIds: ["v1", "v7"] }, [FLEET[0], sold]);
  expect(lines[1]).toBe("vehicles, list to send (2): Truck 1 (v1), Car 7, sold (v7)");
});

it.each<[string, Parameters<typeof groupPreview>[0], unknown[]]>([
  ["a new name", { id: "g1", name: "Metz" }, ["group: Lyon (g1)", { field: "new name", value: "Metz" }]],
  ["a new parent", { id: "g2", parentId: "g1" }, ["group: Crew (g2)", "new parent: Lyon (g1)"]],
  ["a group without a name", { id: "g3" }, ["group: g3"]],
  [
    "vehicles that join and leave",
    { id: "g1", vehicleIds: ["v1", "v3", "v9"] },
    [
      "group: Lyon (g1)",
      "vehicles, list to send (3): Truck 1 (v1), AB 3 (v3), v9",
      "vehicles joining (2): AB 3 (v3), v9",
      `vehicles leaving if the list replaces the current one (1): ${LONG}`,
      KNOWN,
    ],
  ],
  [
    "the same vehicles",
    { id: "g1", vehicleIds: ["v2", "v1"] },
    [
      "group: Lyon (g1)",
      `vehicles, list to send (2): ${LONG}, Truck 1 (v1)`,
      "vehicles leaving if the list replaces the current one (0): none known",
      KNOWN,
    ],
  ],
  [
    "nobody",
    { id: "g1", personIds: [] },
    ["group: Lyon (g1)", "persons, list to send (0): empty", "persons leaving if the list replaces the current one (1): p2 (p2)", KNOWN],
  ],
  [
    "drivers by name",
    { id: "g2", personIds: ["p2"] },
    [
      "group: Crew (g2)",
      "persons, list to send (1): p2 (p2)",
      "persons joining (1): p2 (p2)",
      "persons leaving if the list replaces the current one (1): Ana (p1)",
      KNOWN,
    ],
  ],
  [
    "a list of more than 30",
    { id: "g2", personIds: ["p1", ...MANY] },
    [
      "group: Crew (g2)",
      "persons, list to send (31): 1 current members, and those joining",
      `persons joining (30): ${MANY.join(", ")}`,
      "persons leaving if the list replaces the current one (0): none known",
      KNOWN,
    ],
  ],
  [
    "a list of 30",
    { id: "g9", vehicleIds: MANY },
    [
      "group: g9",
      `vehicles, list to send (30): ${MANY.join(", ")}`,
      `vehicles joining (30): ${MANY.join(", ")}`,
      "vehicles leaving if the list replaces the current one (0): none known",
      KNOWN,
    ],
  ],
])("previews %s", async (_, input, lines) => expect(await linesFor(input)).toEqual(lines));

it("previews lists without the names of members if the fleet cannot be read", async () => {
  const service = await cannedService(() => undefined);
  expect(await groupPreview({ id: "g1", vehicleIds: ["v1"], personIds: [] }, toolsOver(service).context)).toEqual([
    "group: g1",
    "vehicles, list to send (1): v1",
    "persons, list to send (0): empty",
    "Current members could not be read; anyone not listed may leave.",
  ]);
});

const toolFor = async () => {
  const service = await cannedService(({ operation, fields }) => (operation === "listLivePositions" ? FLEET : fields));
  return {
    ...toolsOver(service, { FLEET_CONFIRM: "never" }),
    sent: () => service.asked.filter(({ operation }) => operation === operations.updateGroup.name),
  };
};

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["the id as given", { id: "g7", name: "Metz" }, { id: "g7", name: "Metz" }],
  ["the ids of names", { group: "lyon", parent: "crew" }, { id: "g1", parentId: "g2" }],
  ["new vehicles after the current ones", { group: "Lyon", vehicles: ["AB 3", "Truck 1"] }, { id: "g1", vehicleIds: ["v1", "v2", "v3"] }],
  ["each of several vehicles in a text", { id: "g7", vehicles: "AB 3 and Truck 1" }, { id: "g7", vehicleIds: ["v3", "v1"] }],
  [
    "no list that adds nobody, and no empty name",
    { id: "g1", name: "", parent: "Crew", vehicles: [], drivers: [] },
    { id: "g1", parentId: "g2" },
  ],
  ["an empty list if it replaces the others", { id: "g1", vehicles: [], replace: true }, { id: "g1", vehicleIds: [] }],
  [
    "no empty list beside one that replaces the others",
    { id: "g1", vehicles: ["AB 3"], drivers: [], replace: true },
    { id: "g1", vehicleIds: ["v3"] },
  ],
  ["two empty lists if both replace", { id: "g1", vehicles: [], drivers: [], replace: true }, { id: "g1", vehicleIds: [], personIds: [] }],
  ["new drivers after the current ones", { id: "g2", drivers: "p2" }, { id: "g2", personIds: ["p1", "p2"] }],
  [
    "only these if they replace the others",
    { id: "g1", vehicles: "AB 3", drivers: ["Ana"], replace: true },
    { id: "g1", vehicleIds: ["v3"], personIds: ["p1"] },
  ],
])("sends %s: %j", async (_, args, fields) => {
  const { call, sent } = await toolFor();
  const { text } = await call(updateGroup, args);
  expect(sent()).toEqual([{ operation: "updateGroup", fields }]);
  expect(text.includes("if lists replace the current members, anyone not listed has left the group")).toBe(
    "vehicleIds" in fields || "personIds" in fields,
  );
});

it.each<[Record<string, unknown>, string]>([
  [{ name: "Metz" }, "input: update_group: group is missing. This call sent nothing. Next: Pass the group's name."],
  [
    { group: "Lyon", vehicles: [] },
    "input: update_group: nothing to change. This call sent nothing. Next: Pass name, parent, vehicles or drivers.",
  ],
  [
    { group: "Lyon", parent: "Lyon" },
    "input: update_group: a group cannot be its own parent. This call sent nothing. Next: Ask the user which parent is meant.",
  ],
  [
    { id: "g1", name: " " },
    "input: update_group: name: must not be blank (given: a string of 1 character). This call sent nothing. Next: Fix these and call again.",
  ],
  [{ group: "Lyon", id: "g1" }, "input: update_group: group and id were both given. This call sent nothing. Next: Pass only one."],
  [
    { id: "g1", drivers: ["Ana"], personIds: ["p1"] },
    "input: update_group: drivers and personIds were both given. This call sent nothing. Next: Pass only one.",
  ],
  [
    { id: "g1", replace: true },
    "input: update_group: replace needs vehicles or drivers. This call sent nothing. Next: Pass the members to keep or add.",
  ],
  [
    { id: "g1", vehicles: ["Crane"] },
    "input: vehicles: the live positions have no id for “Crane”. This call sent nothing. Next: Tell the user that it cannot be in a group.",
  ],
  [
    { id: "g1", drivers: ["Kim"] },
    "input: drivers: the live positions have no id for “Kim”. This call sent nothing. Next: Tell the user that it cannot be in a group.",
  ],
])("rejects %j", async (args, error) => {
  const { failure, sent } = await toolFor();
  expect(await failure(updateGroup, args)).toBe(error);
  expect(sent()).toEqual([]);
});
