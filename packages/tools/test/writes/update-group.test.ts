import { describe, expect, it } from "vitest";
import type { Reply } from "../fleet-service.ts";
import { type Args, recordOf, servedWrites } from "./served-writes.ts";

const FLEET = [
  {
    ...{ assetId: "v1", assetName: "Truck 1", assetGroupId: "g1", assetGroupName: "Lyon", driverId: "p1", driverName: "Ana" },
    ...{ driverGroupId: "g2", driverGroupName: "Crew" },
  },
  {
    ...{ assetId: "v2", assetName: "N".repeat(50), assetGroupId: "g1", assetGroupName: "Lyon", driverId: "p2" },
    ...{ driverGroupId: "g1", driverGroupName: "Lyon" },
  },
  { assetId: "v3", assetRegistration: "AB 3", assetGroupId: "g3", assetGroupName: "" },
  { assetName: "Crane", assetGroupId: "g1", assetGroupName: "Lyon", driverName: "Kim" },
];
const SOLD = { assetId: "v7", assetName: "Car 7", assetGroupId: "g1", status: "SOLD" };
const REPLACED = "if lists replace the current members, anyone not listed has left the group";

const groups = (reply: Reply = { body: [...FLEET, SOLD] }) =>
  servedWrites({ script: { listLivePositions: () => reply }, env: { FLEET_CONFIRM: "never" } });

describe("update_group sends", () => {
  it.each<[string, Args, Args]>([
    ["the given fields only", { id: "g7", name: "Metz" }, { id: "g7", name: "Metz" }],
    [
      "ids of members as given",
      { id: "g1", parentId: "g2", vehicleIds: ["v1"], personIds: [] },
      { id: "g1", parentId: "g2", vehicleIds: ["v1"], personIds: [] },
    ],
    ["the ids of names", { group: "lyon", parent: "crew" }, { id: "g1", parentId: "g2" }],
    [
      "new vehicles after the current ones",
      { group: "Lyon", vehicles: ["AB 3", "Truck 1"] },
      { id: "g1", vehicleIds: ["v1", "v2", "v7", "v3"] },
    ],
    ["each of several vehicles in a text", { id: "g9", vehicles: "AB 3 and Truck 1" }, { id: "g9", vehicleIds: ["v3", "v1"] }],
    [
      "no list that adds nobody, and no empty name",
      { id: "g1", name: "", parent: "Crew", vehicles: [], drivers: [] },
      { id: "g1", parentId: "g2" },
    ],
    ["an empty list if it replaces the others", { id: "g1", vehicles: [], replace: true }, { id: "g1", vehicleIds: [] }],
    [
      "no empty list beside one that replaces",
      { id: "g1", vehicles: ["AB 3"], drivers: [], replace: true },
      { id: "g1", vehicleIds: ["v3"] },
    ],
    [
      "two empty lists if both replace",
      { id: "g1", vehicles: [], drivers: [], replace: true },
      { id: "g1", vehicleIds: [], personIds: [] },
    ],
    ["new drivers after the current ones", { id: "g2", drivers: "p2" }, { id: "g2", personIds: ["p1", "p2"] }],
    [
      "only these if they replace",
      { id: "g1", vehicles: "AB 3", drivers: ["Ana"], replace: true },
      { id: "g1", vehicleIds: ["v3"], personIds: ["p1"] },
    ],
  ])("%s: %j", async (_, args, body) => {
    const { text, service } = await groups();
    const result = await text("update_group", args);
    const [request] = service.of("updateGroup");
    expect([request?.body, request?.headers["content-type"]]).toEqual([body, "application/json;charset=UTF-8"]);
    expect(result.includes(REPLACED)).toBe("vehicleIds" in body || "personIds" in body);
  });

  it("to the fleet server if there is one", async () => {
    const { another, service } = await groups();
    const { origin: base } = service;
    await another({ servers: { base, fleet: `${base}/fleet` } }).call("update_group", { id: "north", name: "N" });
    expect(service.received.at(-1)?.url.pathname).toBe("/fleet/public/v1/customer/c42/group");
  });

  it.each<[Args, string]>([
    [{ name: "Metz" }, "group is missing. This call sent nothing. Next: Pass the group's name."],
    [{ group: "Lyon", vehicles: [] }, "nothing to change. This call sent nothing. Next: Pass name, parent, vehicles or drivers."],
    [
      { group: "Lyon", parent: "Lyon" },
      "a group cannot be its own parent. This call sent nothing. Next: Ask the user which parent is meant.",
    ],
    [{ id: "g1", name: " " }, "name: must not be blank (given: a string of 1 character). This call sent nothing."],
    [{ group: "Lyon", id: "g1" }, "group and id were both given. This call sent nothing. Next: Pass only one."],
    [{ id: "g1", drivers: ["Ana"], personIds: ["p1"] }, "drivers and personIds were both given. This call sent nothing."],
    [{ id: "g1", replace: true }, "replace needs vehicles or drivers. This call sent nothing. Next: Pass the members to keep or add."],
    [{ id: "North" }, "id: must consist of lower-case letters and digits only"],
    [{ id: "a".repeat(25) }, "id: must have at most 24 characters"],
    [{ id: "g1", name: "n".repeat(256) }, "name: must have at most 255 characters"],
    [{ id: "g1", name: 1.5 }, "name: "],
    [{ id: "g1", path: "root.g1" }, "path: is not a field of update_group"],
    [{ id: "g1", customerId: "c2" }, "customerId: is not a field of update_group"],
  ])("nothing for %j", async (args, error) => {
    const { failure, sent } = await groups();
    expect(await failure("update_group", args)).toContain(`input: update_group: ${error}`);
    expect(sent()).toEqual([]);
  });

  it.each([
    ["vehicles", "Crane"],
    ["drivers", "Kim"],
  ])("nothing for %s without an id", async (field, name) => {
    const { failure, sent } = await groups();
    expect(await failure("update_group", { id: "g1", [field]: [name] })).toBe(
      `input: ${field}: the live positions have no id for “${name}”. This call sent nothing. Next: Tell the user that it cannot be in a group.`,
    );
    expect(sent()).toEqual([]);
  });
});

describe("update_group reports", () => {
  it("the group as the service returns it", async () => {
    const group = { id: "north", name: "North depot", path: "root.north", vehicleIds: ["v1", "v2"], personIds: [] };
    const { tools } = await servedWrites({ script: { updateGroup: () => ({ body: group }) } });
    const { text, structured } = await tools.call("update_group", { id: "north", name: "North depot" }, { approved: true });
    const { personIds: _empty, ...shown } = group;
    expect(structured).toEqual({ group: shown, note: "Group updated." });
    expect(text.split("\n")).toEqual(["Group updated.", "id: north", "name: North depot", "path: root.north", "vehicleIds: v1, v2"]);
  });

  it.each<[string, Reply, string, string[]]>([
    [
      "400 with a list",
      { status: 400, body: [{ errorCode: 3, errorMessage: "Not visible", offendingFields: ["parentId"] }, { errorMessage: "Blank" }] },
      "rejected",
      ["parentId: Not visible; Blank", "each must exist and be visible"],
    ],
    [
      "409 with one",
      { status: 409, body: { errorCode: 4, errorMessage: "Name taken", offendingFields: ["name"] } },
      "conflict",
      ["name: Name taken", "Choose another name"],
    ],
    ["errors in a 200", { body: { errors: [{ field: "name", message: "is taken" }] } }, "rejected", ["This call changed nothing."]],
    ["errors by field", { body: { id: null, errors: { name: ["is taken"] } } }, "rejected", ["This call changed nothing."]],
    [
      "errors and the group",
      { body: { id: "g1", name: "Old", errors: ["is taken"] } },
      "rejected",
      ["Whether anything changed is unknown."],
    ],
    ["another group", { body: { id: "g2", name: "North" } }, "contract", ["Whether anything changed is unknown."]],
  ])("no update: %s", async (_, reply, code, parts) => {
    const { tools } = await servedWrites({ script: { updateGroup: () => reply }, env: { FLEET_CONFIRM: "never" } });
    const result = await tools.call("update_group", { id: "g1", name: "North" });
    expect(recordOf(result).error.code).toBe(code);
    for (const part of parts) expect(result.text).toContain(part);
  });
});

describe("a preview of update_group shows", () => {
  const KNOWN = "Members are known from live positions only: others may leave too.";
  const LONG = `${"N".repeat(50)} (v2)`;
  const MANY = Array.from({ length: 30 }, (_, at) => `x${at}`);
  const leaving = (what: string, count: number, names: string) =>
    `${what} leaving if the list replaces the current one (${count}): ${names}`;

  const previewOf = async (args: Args, reply?: Reply) => {
    const { tools } = await groups(reply);
    return (await tools.byName.get("update_group")?.preview(args))?.text.split("\n");
  };

  it.each<[string, Args, string[]]>([
    ["a new name", { id: "g1", name: "Metz" }, ["group: Lyon (g1)", "new name: Metz"]],
    ["a new parent", { id: "g2", parentId: "g1" }, ["group: Crew (g2)", "new parent: Lyon (g1)"]],
    ["a group without a name", { id: "g3", name: "X" }, ["group: g3", "new name: X"]],
    [
      "vehicles that join and leave, and sold ones",
      { id: "g1", vehicleIds: ["v1", "v3", "v9"] },
      [
        "group: Lyon (g1)",
        "vehicles, list to send (3): Truck 1 (v1), AB 3 (v3), v9",
        "vehicles joining (2): AB 3 (v3) from g3, v9",
        leaving("vehicles", 2, `${LONG}, Car 7, sold (v7)`),
        KNOWN,
      ],
    ],
    [
      "the same vehicles",
      { id: "g1", vehicleIds: ["v2", "v1", "v7"] },
      [
        "group: Lyon (g1)",
        `vehicles, list to send (3): ${LONG}, Truck 1 (v1), Car 7, sold (v7)`,
        leaving("vehicles", 0, "none known"),
        KNOWN,
      ],
    ],
    [
      "nobody",
      { id: "g1", personIds: [] },
      ["group: Lyon (g1)", "persons, list to send (0): empty", leaving("persons", 1, "p2 (p2)"), KNOWN],
    ],
    [
      "drivers by name",
      { id: "g2", personIds: ["p2"] },
      [
        "group: Crew (g2)",
        "persons, list to send (1): p2 (p2)",
        "persons joining (1): p2 (p2) from Lyon (g1)",
        leaving("persons", 1, "Ana (p1)"),
        KNOWN,
      ],
    ],
    [
      "a list of more than 30 by id, and its changes by name",
      { id: "g2", personIds: ["p1", ...MANY] },
      [
        "group: Crew (g2)",
        `persons, list to send (31): p1, ${MANY.join(", ")}`,
        `persons joining (30): ${MANY.join(", ")}`,
        leaving("persons", 0, "none known"),
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
        leaving("vehicles", 0, "none known"),
        KNOWN,
      ],
    ],
  ])("%s", async (_, args, lines) => expect(await previewOf(args)).toEqual(["Update group:", ...lines]));

  it("lists without the names of members if the fleet cannot be read", async () => {
    expect(await previewOf({ id: "g1", vehicleIds: ["v1"], personIds: [] }, { status: 403 })).toEqual([
      "Update group:",
      "group: g1",
      "vehicles, list to send (1): v1",
      "persons, list to send (0): empty",
      "Current members could not be read; anyone not listed may leave.",
    ]);
  });
});
