import { describe, expect, it } from "vitest";
import { withField } from "../../src/query/condition-fields.ts";
import { readConditions, type WrittenCondition } from "../../src/query/read-conditions.ts";

const ROWS = [
  {
    assetName: "Truck 1",
    assetType: "TRUCK",
    driverName: "Ana",
    tags: ["leased", "new", "moving"],
    isMoving: true,
    startDate: "x",
    city: "Lyon",
  },
  { assetName: "Van", assetType: "VAN", driverName: "Van", tags: null, charging: 1, newPrice: 7, group: "Lyon", level: 5 },
];
const KNOWN = {
  fields: [
    "assetName",
    "assetType",
    "driverName",
    "tags",
    "isMoving",
    "startDate",
    "endDate",
    "city",
    "group",
    "charging",
    "level",
    "newPrice",
  ],
  shape: {},
};

const found = async (where: string) => {
  const { field, operator, wanted } = await withField(readConditions(where)[0] as WrittenCondition, ROWS, KNOWN);
  return `${field} ${operator} ${wanted.join("|")}`;
};

describe("the field of a condition is found", () => {
  it.each([
    ["city=Lyon", "city = Lyon"],
    ["asset type=van", "assetType = van"],
    // By the values, if the name does not decide.
    ["leased", "tags = leased"],
    ["leased!=yes", "leased"],
    ["not leased", "tags != leased"],
    ["not moving", "isMoving = false"],
    ["not charging", "charging = false"],
    ["name=ana", "driverName = ana"],
    ["name=truck 1", "assetName = truck 1"],
    ["moving", "isMoving = true"],
    ["new", "tags = new"],
    ["newPrice=7", "newPrice = 7"],
    ["isMoving", "isMoving = true"],
    ["charging", "charging = true"],
    ["level>3", "level > 3"],
  ])("%j: %s", async (where, expected) => {
    if (expected === "leased") await expect(found(where)).rejects.toThrow("where: no such field: leased");
    else await expect(found(where)).resolves.toBe(expected);
  });

  it.each([
    ["level greater than 3", "Write conditions such as speed>80, city=Lyon|Paris"],
    ["place=Lyon", "Choose from city, group"],
    // A word that is no field's name may turn the meaning around, so the fields with the value are only suggested.
    ["kind=lkw", "Choose from assetType"],
    ["exclude place=Lyon", "Choose from city, group"],
    ["cityNot=Lyon", "Choose from city, group"],
    ["except=Lyon", "Choose from city, group"],
    ["NOT=TRUCK", "Choose from assetType"],
    ["date=unheard", "Choose from startDate, endDate"],
    ["unheard=unheard", `Choose from ${KNOWN.fields.join(", ")}`],
  ])("but not for %j", (where, advice) => expect(found(where)).rejects.toThrow(expect.objectContaining({ advice })));
});
