import type { LivePosition } from "@fleetwire/core";
import { beforeEach, describe, expect, test } from "vitest";
import { callSandbox, found } from "./sandbox-caller.ts";

let call: ReturnType<typeof callSandbox>;
let [root, region, depot, team, otherTeam] = Array<string>(5).fill("") as [string, string, string, string, string];

async function setUp(options: Parameters<typeof callSandbox>[0] = {}) {
  call = callSandbox({ vehicles: 20, ...options });
  const live: LivePosition[] = await call.live();
  const groupOf = (name: string) => found(live, ({ assetName }) => assetName === name).assetGroupId ?? "";
  [team, otherTeam] = [groupOf("Truck 1"), groupOf("Truck 2")];
  [root = "", region = "", depot = ""] = (await call.updateGroup({ id: team })).body.path.split(".");
}

beforeEach(() => setUp());

describe("an update", () => {
  test("returns a path of ids from the root group down, which it cannot set, and leaves absent fields unchanged", async () => {
    const { status, headers, body } = await call.updateGroup({ id: team, path: root });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json;charset=UTF-8"]);
    expect(body).toMatchObject({ id: team, parentId: depot, path: `${root}.${region}.${depot}.${team}` });
    expect((await call.updateGroup({ id: team, name: "Night Shift" })).body).toEqual({ ...body, name: "Night Shift" });
    const named: LivePosition[] = await call.live({ groupIds: team });
    expect(new Set(named.map(({ assetGroupName }) => assetGroupName))).toEqual(new Set(["Night Shift"]));
  });

  test("with a new parent changes the path and filters by the parent", async () => {
    const { body } = await call.updateGroup({ id: team, parentId: root });
    expect(body).toMatchObject({ parentId: root, path: `${root}.${team}` });
    expect(await call.live({ groupIds: depot })).not.toContainEqual(expect.objectContaining({ assetGroupId: team }));
  });

  test("works at the alternative base", async () => {
    const headers = { ...call.basic, ...call.json };
    expect((await call.send("PUT", call.urls.fleetGroup, { headers, body: { id: team, name: "From there" } })).status).toBe(200);
    expect((await call.updateGroup({ id: team })).body.name).toBe("From there");
  });
});

describe("assignments", () => {
  test("replace earlier ones; omitted members move to the root group", async () => {
    const [kept, ...dropped] = (await call.updateGroup({ id: team })).body.vehicleIds;
    const [joining] = (await call.updateGroup({ id: otherTeam })).body.vehicleIds;
    const { body } = await call.updateGroup({ id: team, vehicleIds: [kept, joining] });
    expect(new Set(body.vehicleIds)).toEqual(new Set([kept, joining]));
    expect((await call.updateGroup({ id: root })).body.vehicleIds).toEqual(expect.arrayContaining(dropped));
    expect((await call.updateGroup({ id: otherTeam })).body.vehicleIds).not.toContain(joining);
    expect(await call.live({ vehicleIds: joining })).toMatchObject([{ assetGroupId: team }]);
    const empty = { vehicleIds: [], personIds: [] };
    expect((await call.updateGroup({ id: team, ...empty })).body).toMatchObject(empty);
  });

  test("add to earlier ones if so configured", async () => {
    await setUp({ groupLists: "add" });
    const before = (await call.updateGroup({ id: team })).body.vehicleIds;
    const [joining] = (await call.updateGroup({ id: otherTeam })).body.vehicleIds;
    const { body } = await call.updateGroup({ id: team, vehicleIds: [joining] });
    expect(new Set(body.vehicleIds)).toEqual(new Set([...before, joining]));
  });

  test("of persons show in live positions", async () => {
    const [person] = (await call.updateGroup({ id: otherTeam })).body.personIds;
    expect((await call.updateGroup({ id: team, personIds: [person] })).body.personIds).toEqual([person]);
    expect(await call.live({ driverIds: person })).toMatchObject([{ driverGroupId: team, assetGroupId: otherTeam }]);
  });
});

test.each<[string, () => Record<string, unknown>, string]>([
  ["no id", () => ({ name: "n" }), "id"],
  ["an id with capitals", () => ({ id: "Abc" }), "id"],
  ["an entry that is not a string", () => ({ id: team, vehicleIds: [7] }), "vehicleIds"],
  ["null instead of a name", () => ({ id: team, name: null }), "name"],
])("%s gets 400 with a list of errors", async (_name, change, field) => {
  const error = { errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./), offendingFields: [field] };
  expect(await call.updateGroup(change())).toMatchObject({ status: 400, body: [error] });
});

test("the group itself as parent gets 409 with one error, and changes nothing", async () => {
  const before = (await call.updateGroup({ id: team })).body;
  const error = { errorCode: expect.any(Number), offendingFields: ["parentId"] };
  expect(await call.updateGroup({ id: team, parentId: team })).toMatchObject({ status: 409, body: error });
  expect((await call.updateGroup({ id: team })).body).toEqual(before);
});

test("a body that is not JSON gets 400 with a list, as documented for the status", async () => {
  const { status, body } = await call.send("PUT", call.urls.group, { headers: { ...call.basic, ...call.json }, text: "{" });
  expect([status, Array.isArray(body)]).toEqual([400, true]);
});
