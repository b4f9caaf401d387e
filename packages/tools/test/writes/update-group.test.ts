import { describe, expect, it } from "vitest";
import type { Reply } from "../served-fleet.ts";
import { type Args, recordOf, servedWrites } from "./served-writes.ts";

const LYON = { assetGroupId: "g1", assetGroupName: "Lyon" };
const FLEET = [
  { assetId: "v1", assetName: "Truck 1", ...LYON, driverId: "p1", driverName: "Ana", driverGroupId: "g2", driverGroupName: "Crew" },
  { assetId: "v2", assetName: "N".repeat(50), ...LYON, driverId: "p2", driverGroupId: "g1", driverGroupName: "Lyon" },
  { assetId: "v3", assetRegistration: "AB 3", assetGroupId: "g3", assetGroupName: "" },
  { assetName: "Crane", ...LYON, driverName: "Kim" },
  { assetId: "v7", assetName: "Car 7", assetGroupId: "g1", status: "SOLD" },
];
const REPLACED = "if lists replace the current members, anyone not listed has left the group";

const groups = (reply: Reply = { body: FLEET }, env: Record<string, string> = {}) =>
  servedWrites({ script: { listLivePositions: () => reply }, env: { FLEET_CONFIRM: "never", ...env } });

describe("update_group sends", () => {
  const NONE = { id: "g1", vehicles: [], drivers: [] };
  const BOTH = { vehicles: "AB 3", drivers: ["Ana"] };

  it.each<[string, Args, Args]>([
    ["the given fields only", { id: "g7", name: "Metz" }, { id: "g7", name: "Metz" }],
    ["the ids of names", { group: "lyon", parent: "crew" }, { id: "g1", parentId: "g2" }],
    [
      "new vehicles after the current ones",
      { group: "Lyon", vehicles: ["AB 3", "Truck 1"] },
      { id: "g1", vehicleIds: ["v1", "v2", "v7", "v3"] },
    ],
    ["each of several vehicles in a text", { id: "g9", vehicles: "AB 3 and Truck 1" }, { id: "g9", vehicleIds: ["v3", "v1"] }],
    ["an empty list if it replaces the others", { id: "g1", vehicles: [], replace: true }, { id: "g1", vehicleIds: [] }],
    ["no list that adds nobody, and no empty name", { ...NONE, name: "", parent: "Crew" }, { id: "g1", parentId: "g2" }],
    ["no empty list beside one that replaces", { ...NONE, vehicles: ["AB 3"], replace: true }, { id: "g1", vehicleIds: ["v3"] }],
    ["two empty lists if both replace", { ...NONE, replace: true }, { id: "g1", vehicleIds: [], personIds: [] }],
    ["new drivers after the current ones", { id: "g2", drivers: "p2" }, { id: "g2", personIds: ["p1", "p2"] }],
    ["only these if they replace", { ...BOTH, id: "g1", replace: true }, { id: "g1", vehicleIds: ["v3"], personIds: ["p1"] }],
  ])("%s", async (_, args, body) => {
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

  const UNSENT = "This call sent nothing. Next:";
  it.each<[Args, string]>([
    [{ name: "Metz" }, `group is missing. ${UNSENT} Pass the group's name.`],
    [{ group: "Lyon", vehicles: [] }, `nothing to change. ${UNSENT} Pass name, parent, vehicles or drivers.`],
    [{ group: "Lyon", parent: "Lyon" }, `a group cannot be its own parent. ${UNSENT} Ask the user which parent is meant.`],
    [{ id: "g1", name: " " }, "name: must not be blank (given: a string of 1 character). This call sent nothing."],
    [{ group: "Lyon", id: "g1" }, `group and id were both given. ${UNSENT} Pass only one.`],
    [{ id: "g1", vehicles: ["Truck 1"], vehicleIds: ["v1"] }, "vehicles and vehicleIds were both given."],
    [{ id: "g1", replace: true }, `replace needs vehicles or drivers. ${UNSENT} Pass the members to keep or add.`],
    [{ id: "North" }, "id: must consist of lower-case letters and digits only"],
  ])("nothing for %j", async (args, error) => {
    const { failure, sent } = await groups();
    expect(await failure("update_group", args)).toContain(`input: update_group: ${error}`);
    expect(sent()).toEqual([]);
  });

  it("nothing for vehicles and drivers without an id", async () => {
    const { failure, sent } = await groups();
    for (const [field, name] of Object.entries({ vehicles: "Crane", drivers: "Kim" }))
      expect(await failure("update_group", { id: "g1", [field]: [name] })).toBe(
        `input: ${field}: the live positions have no id for “${name}”. This call sent nothing. Next: Tell the user that it cannot be in a group.`,
      );
    expect(sent()).toEqual([]);
  });

  it.each<[args: Args, asked: RegExp]>([
    [{ id: "g1", vehicles: ["truk 1"] }, /^No vehicle matches "truk 1"\. Did you mean Truck 1 \(v1\).*\?/],
    [{ group: "lyom", name: "x" }, /^No group matches "lyom"\. Did you mean Lyon \(g1\)\?.* as group\./],
  ])("nothing, and asks, for %j", async (args, asked) => {
    const { question, sent } = await groups();
    expect(await question("update_group", args)).toMatch(asked);
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

  const UNKNOWN = "Whether anything changed is unknown.";
  const TAKEN = { errorMessage: "Name taken", offendingFields: ["name"] };

  it.each<[string, Reply, string, string]>([
    ["400 with a list", { status: 400, body: [TAKEN, { errorMessage: "Blank" }] }, "rejected", "name: Name taken; Blank"],
    ["errors and the group", { body: { id: "g1", name: "Old", errors: ["is taken"] } }, "rejected", UNKNOWN],
    ["another group", { body: { id: "g2", name: "North" } }, "contract", UNKNOWN],
  ])("no update: %s", async (_, reply, code, part) => {
    const { tools } = await servedWrites({ script: { updateGroup: () => reply }, env: { FLEET_CONFIRM: "never" } });
    const result = await tools.call("update_group", { id: "g1", name: "North" });
    expect([recordOf(result).error.code, result.text]).toEqual([code, expect.stringContaining(part)]);
  });
});

describe("a preview of update_group shows", () => {
  const LONG = `${"N".repeat(50)} (v2)`;
  const MANY = Array.from({ length: 30 }, (_, at) => `x${at}`);
  const NOT_LISTED = "list replaces the current one";

  /** What a preview says of a group and its members, without what it says of all. */
  const previewOf = async (args: Args, reply?: Reply) => {
    const preview = await (await groups(reply)).tools.byName.get("update_group")?.preview(args);
    const [first, ...lines] = preview?.text.replaceAll(`leaving if the ${NOT_LISTED}`, "leaving").split("\n") ?? [];
    expect(first).toBe("Update group:");
    const known = "Members are known from live positions only: others may leave too.";
    if (!reply && ("vehicleIds" in args || "personIds" in args)) expect(lines.pop()).toBe(known);
    return lines.join("\n");
  };

  it.each<[string, Args, string]>([
    ["a new name", { id: "g1", name: "Metz" }, "group: Lyon (g1)\nnew name: Metz"],
    [
      "vehicles that join and leave, and sold ones",
      { id: "g1", vehicleIds: ["v1", "v3", "v9"] },
      `group: Lyon (g1)
vehicles, list to send (3): Truck 1 (v1), AB 3 (v3), v9
vehicles joining (2): AB 3 (v3) from g3, v9
vehicles leaving (2): ${LONG}, Car 7, sold (v7)`,
    ],
    ["nobody", { id: "g1", personIds: [] }, "group: Lyon (g1)\npersons, list to send (0): empty\npersons leaving (1): p2 (p2)"],
    [
      "drivers by name",
      { id: "g2", personIds: ["p2"] },
      `group: Crew (g2)
persons, list to send (1): p2 (p2)
persons joining (1): p2 (p2) from Lyon (g1)
persons leaving (1): Ana (p1)`,
    ],
    [
      "a list of more than 30 by id, and its changes by name",
      { id: "g2", personIds: ["p1", ...MANY] },
      `group: Crew (g2)
persons, list to send (31): p1, ${MANY.join(", ")}
persons joining (30): ${MANY.join(", ")}
persons leaving (0): none known`,
    ],
  ])("%s", async (_, args, lines) => expect(await previewOf(args)).toBe(lines));

  it("lists without the names of members if the fleet cannot be read", async () => {
    expect(await previewOf({ id: "g1", vehicleIds: ["v1"], personIds: [] }, { status: 403 })).toBe(
      `group: g1
vehicles, list to send (1): v1
persons, list to send (0): empty
Current members could not be read; anyone not listed may leave.`,
    );
  });
});
