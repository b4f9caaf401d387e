import type { LivePosition } from "@fleetwire/core";
import { beforeEach, describe, expect, test } from "vitest";
import { callSandbox, found } from "./sandbox-caller.ts";

let call: ReturnType<typeof callSandbox>;
let team: string;
let depot: string;
let region: string;
let root: string;
let otherTeam: string;

async function setUp(options: Parameters<typeof callSandbox>[0] = {}) {
  call = callSandbox(options);
  const live: LivePosition[] = await call.live();
  team = found(live, ({ assetName }) => assetName === "Truck 1").assetGroupId ?? "";
  otherTeam = found(live, ({ assetName }) => assetName === "Truck 2").assetGroupId ?? "";
  const { body } = await call.updateGroup({ id: team });
  [root = "", region = "", depot = ""] = body.path.split(".");
}

beforeEach(() => setUp());

describe("an update", () => {
  test("documented 2.1: returns a path of ids from the root group down, at least three deep", async () => {
    const { status, headers, body } = await call.updateGroup({ id: team });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json;charset=UTF-8");
    expect(body).toMatchObject({ id: team, parentId: depot, path: `${root}.${region}.${depot}.${team}` });
  });

  test("chosen S14: leaves absent fields unchanged", async () => {
    const before = (await call.updateGroup({ id: team })).body;
    expect((await call.updateGroup({ id: team, name: "Night Shift" })).body).toEqual({ ...before, name: "Night Shift" });
  });

  test("documented 4.1: a new name shows in live positions", async () => {
    await call.updateGroup({ id: team, name: "Night Shift" });
    expect(
      (await call.live({ groupIds: team })).every((record: { assetGroupName: string }) => record.assetGroupName === "Night Shift"),
    ).toBe(true);
  });

  test("documented 4.1: a new parent changes the path and filters by the parent", async () => {
    const { body } = await call.updateGroup({ id: team, parentId: root });
    expect(body).toMatchObject({ parentId: root, path: `${root}.${team}` });
    expect(await call.live({ groupIds: depot })).not.toContainEqual(expect.objectContaining({ assetGroupId: team }));
  });

  test("documented 4.1: works at the alternative base", async () => {
    const headers = { ...call.basic, ...call.json };
    expect((await call.send("PUT", call.urls.fleetGroup, { headers, body: { id: team, name: "From the other base" } })).status).toBe(200);
    expect((await call.updateGroup({ id: team })).body.name).toBe("From the other base");
  });

  test("documented 2.1: cannot set the path", async () => {
    expect((await call.updateGroup({ id: team, path: root })).body.path).toBe(`${root}.${region}.${depot}.${team}`);
  });

  test("documented 2.1: accepts an empty name and one of 255 characters", async () => {
    for (const name of ["", "n".repeat(255)]) expect((await call.updateGroup({ id: team, name })).body.name).toBe(name);
  });
});

describe("assignments", () => {
  test("chosen S15: lists replace earlier ones; omitted members move to the root group", async () => {
    const [kept, ...dropped] = (await call.updateGroup({ id: team })).body.vehicleIds;
    const [joining] = (await call.updateGroup({ id: otherTeam })).body.vehicleIds;
    const { body } = await call.updateGroup({ id: team, vehicleIds: [kept, joining] });
    expect(new Set(body.vehicleIds)).toEqual(new Set([kept, joining]));
    expect((await call.updateGroup({ id: root })).body.vehicleIds).toEqual(expect.arrayContaining(dropped));
    expect((await call.updateGroup({ id: otherTeam })).body.vehicleIds).not.toContain(joining);
    expect(await call.live({ vehicleIds: joining })).toMatchObject([{ assetGroupId: team }]);
  });

  test("chosen S15: lists add to earlier ones if so configured", async () => {
    await setUp({ groupLists: "add" });
    const before = (await call.updateGroup({ id: team })).body.vehicleIds;
    const [joining] = (await call.updateGroup({ id: otherTeam })).body.vehicleIds;
    const { body } = await call.updateGroup({ id: team, vehicleIds: [joining] });
    expect(new Set(body.vehicleIds)).toEqual(new Set([...before, joining]));
  });

  test("documented 4.1: assigned persons show in live positions", async () => {
    const [person] = (await call.updateGroup({ id: otherTeam })).body.personIds;
    expect((await call.updateGroup({ id: team, personIds: [person] })).body.personIds).toEqual([person]);
    expect(await call.live({ driverIds: person })).toMatchObject([{ driverGroupId: team, assetGroupId: otherTeam }]);
  });

  test("chosen S15: an empty list empties the group", async () => {
    expect((await call.updateGroup({ id: team, vehicleIds: [], personIds: [] })).body).toMatchObject({ vehicleIds: [], personIds: [] });
  });
});

type Row = [string, string, () => Record<string, unknown>, string[]];

const lists: Row[] = [
  ["documented part 7", "the id of no visible group", () => ({ id: "nosuchgroup" }), ["id"]],
  ["documented part 7", "a blank id", () => ({ id: " " }), ["id"]],
  ["documented part 7", "no id", () => ({ name: "n" }), ["id"]],
  ["documented part 8", "an id of 25 characters", () => ({ id: "a".repeat(25) }), ["id"]],
  ["documented part 8", "an id with capitals", () => ({ id: "Abc" }), ["id"]],
  ["documented part 7", "a name of 256 characters", () => ({ id: team, name: "n".repeat(256) }), ["name"]],
  ["documented part 7", "a parent of no visible group", () => ({ id: team, parentId: "nosuchgroup" }), ["parentId"]],
  ["documented part 7", "a vehicle that is not visible", () => ({ id: team, vehicleIds: ["nosuchvehicle"] }), ["vehicleIds"]],
  ["documented part 7", "a person who is not visible", () => ({ id: team, personIds: ["nosuchperson"] }), ["personIds"]],
  ["documented 4.1", "an entry that is not a string", () => ({ id: team, vehicleIds: [7] }), ["vehicleIds"]],
  ["chosen S10", "null instead of a name", () => ({ id: team, name: null }), ["name"]],
  ["chosen S7", "several errors at once", () => ({ id: "", name: "n".repeat(256), parentId: "none" }), ["id", "name", "parentId"]],
];
test.each(lists)("%s: %s gets 400 with a list of errors", async (_source, _name, change, fields) => {
  const { status, body } = await call.updateGroup(change());
  expect(status).toBe(400);
  expect(body.flatMap((error: { offendingFields: string[] }) => error.offendingFields)).toEqual(fields);
  for (const error of body) expect(error).toMatchObject({ errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./) });
});

const singles: Row[] = [
  ["documented part 7", "the name of another group", () => ({ id: team, name: "Hamburg Vans" }), ["name"]],
  ["documented part 7", "a child as parent", () => ({ id: depot, parentId: team }), ["parentId"]],
  ["documented part 7", "a grandchild as parent", () => ({ id: region, parentId: team }), ["parentId"]],
  ["chosen S16", "the group itself as parent", () => ({ id: team, parentId: team }), ["parentId"]],
];
test.each(singles)("%s: %s gets 409 with one error", async (_source, _name, change, fields) => {
  const before = (await call.updateGroup({ id: team })).body;
  const { status, body } = await call.updateGroup(change());
  expect({ status, body }).toMatchObject({ status: 409, body: { errorCode: expect.any(Number), offendingFields: fields } });
  expect((await call.updateGroup({ id: team })).body).toEqual(before);
});

test("chosen S5: a body that is not JSON gets 400 with a list, as documented for the status", async () => {
  const { status, body } = await call.send("PUT", call.urls.group, { headers: { ...call.basic, ...call.json }, text: "{" });
  expect({ status, isList: Array.isArray(body) }).toEqual({ status: 400, isList: true });
});
