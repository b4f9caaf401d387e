import { describe, expect, it } from "vitest";
import { errorOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const GROUP = { id: "north", name: "North depot", parentId: "root", path: "root.north", vehicleIds: ["v1", "v2"], personIds: [] };

describe("update_group", () => {
  it.each([
    ["a new name", { id: "north", name: "North depot" }],
    ["another parent", { id: "north", parentId: "root" }],
    ["vehicles", { id: "north", vehicleIds: ["v1", "v2"] }],
    ["an empty list of vehicles", { id: "north", vehicleIds: [] }],
    ["everything", { id: "north", name: "N", parentId: "root", vehicleIds: ["v1"], personIds: ["p1"] }],
  ])("sends only the given fields: %s", async (_, args) => {
    const { call, service } = await serverUnderTest({ script: { updateGroup: () => ({ body: GROUP }) } });
    const result = await call("update_group", args);
    const [request] = service.of("updateGroup");
    expect(request?.body).toEqual(args);
    expect(request?.headers["content-type"]).toBe("application/json;charset=UTF-8");
    const { personIds: _empty, ...shown } = GROUP;
    const [headline, ...lines] = textOf(result).split("\n");
    const { note } = structuredOf(result);
    expect(structuredOf(result)).toEqual({ group: shown, note });
    expect(headline).toBe(note);
    expect(note).toMatch(/vehicleIds|personIds/.test(JSON.stringify(args)) ? /^Group updated\. Members are known/ : /^Group updated\.$/);
    expect(lines).toEqual(["id: north", "name: North depot", "parentId: root", "path: root.north", "vehicleIds: v1, v2"]);
  });

  it("goes to the fleet server if there is one", async () => {
    const base = await serverUnderTest();
    const { call, service } = await serverUnderTest({ script: { updateGroup: () => ({ body: GROUP }) } });
    const fleet = await serverUnderTest({ env: { FLEET_FLEET_URL: service.origin } });
    await call("update_group", { id: "north", name: "N" });
    await fleet.call("update_group", { id: "north", name: "N" });
    expect(service.of("updateGroup")).toHaveLength(2);
    expect(base.service.received).toEqual([]);
    expect(fleet.service.received).toEqual([]);
  });

  it.each([
    ["no group", { name: "x" }, "group is missing"],
    ["an id in capitals", { id: "North" }, "id: must consist of lower-case letters and digits only"],
    ["an id of 25 characters", { id: "a".repeat(25) }, "id: must have at most 24 characters"],
    ["a name of 256 characters", { id: "north", name: "n".repeat(256) }, "name: must have at most 255 characters"],
    ["a path", { id: "north", path: "root.north" }, "path: "],
    ["a fractional number", { id: "north", name: 1.5 }, "name: "],
    ["a customer", { id: "north", customerId: "c2" }, "customerId: "],
  ])("sends nothing for %s", async (_, args, expected) => {
    const { call, service } = await serverUnderTest();
    const error = errorOf(await call("update_group", args));
    expect(error).toMatch(/^input: update_group: /);
    expect(error).toContain(expected);
    if (expected.startsWith("path") || expected.startsWith("customerId"))
      expect(error).toContain("update_group takes name, group, parent, vehicles, drivers, replace");
    expect(service.received).toEqual([]);
  });

  it.each([
    [
      "400 with a list",
      400,
      [{ errorCode: 3, errorMessage: "Not visible", offendingFields: ["parentId"] }, { errorMessage: "Blank" }],
      ["rejected: ", "parentId: Not visible; Blank", "each must exist and be visible"],
    ],
    [
      "409 with one",
      409,
      { errorCode: 4, errorMessage: "Name taken", offendingFields: ["name"] },
      ["conflict: ", "name: Name taken", "Choose another name"],
    ],
  ])("reports a refusal: %s", async (_, status, body, expected) => {
    const { call } = await serverUnderTest({ script: { updateGroup: () => ({ status, body }) } });
    const error = errorOf(await call("update_group", { id: "north", name: "x" }));
    for (const part of expected) expect(error).toContain(part);
  });
});
