import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fieldMeant, fieldsMeant, type KnownFields, noSuchField, requestedFields, requireField } from "../../src/query/row-fields.ts";

const described = (text: string) => z.string().describe(text);

const KNOWN: KnownFields = {
  fields: [
    ...["assetId", "assetName", "assetRegistration", "assetGroupId", "assetGroupName", "driverId", "driverName", "driverGroupName"],
    ...["fuelLevelPercentage", "engineTotalHours", "engineTotalHoursType", "odometerKm", "activeFaultCodes", "city", "GPSTime", "tag2"],
    ...["startDate", "endDate", "x-vendor", "loadName", "loadCount", "plannedStart", "plannedEnd"],
  ],
  shape: {
    fuelLevelPercentage: described("How full the tank is"),
    odometerKm: described("Distance driven so far"),
    city: described("Town"),
  },
  main: ["endDate"],
  naming: "assetName",
};

describe("a field", () => {
  it.each([
    ["assetName", "assetName"],
    ["asset_name", "assetName"],
    ["ASSETNAME", "assetName"],
    ["Asset Name", "assetName"],
    ["gps time", "GPSTime"],
    ["tag 2", "tag2"],
    ["fuel", "fuelLevelPercentage"],
    ["hours", "engineTotalHours"],
    ["hours type", "engineTotalHoursType"],
    ["fault code", "activeFaultCodes"],
    ["actives", "activeFaultCodes"],
    ["vehicle", "assetName"],
    ["vehicles", "assetName"],
    ["plate", "assetRegistration"],
    ["mileage", "odometerKm"],
    ["town", "city"],
    ["tank", "fuelLevelPercentage"],
    ["tank full", "fuelLevelPercentage"],
    ["driver", "driverName"],
    ["group", "assetGroupName"],
    ["asset group", "assetGroupName"],
    ["id", "assetId"],
    ["planned", "plannedStart | plannedEnd"],
    ["date", "endDate"],
    ["load", "loadName"],
    ["level tank", ""],
    ["unheard", ""],
    ["x".repeat(101), ""],
  ])("%j means %j", (given, expected) => expect(fieldsMeant(given, KNOWN).join(" | ")).toBe(expected));

  it("is certain only if it is the only one", () => {
    expect([fieldMeant("driver", KNOWN), fieldMeant("planned", KNOWN), fieldMeant("unheard", KNOWN)]).toEqual([
      "driverName",
      undefined,
      undefined,
    ]);
  });

  it("without a subject is not that of the rows", () => {
    expect(fieldsMeant("id", { ...KNOWN, naming: undefined })).toEqual(["assetId", "assetGroupId", "driverId"]);
  });

  it.each([
    ["driver", "driverName", undefined],
    ["planned", "where: no such field: planned", "Choose from plannedStart, plannedEnd"],
    ["total weight", "where: no such field: total weight", "Choose from engineTotalHours, engineTotalHoursType"],
    ["odometr", "where: no such field: odometr", "Choose from odometerKm"],
    ["ctiy", "where: no such field: ctiy", "Choose from city"],
    [
      "unheard",
      "where: no such field: unheard",
      expect.stringMatching(/^Choose from assetId, .*, “x-vendor”, loadName, loadCount, plannedStart, plannedEnd$/),
    ],
  ])("%j is required: %s", (given, expected, advice) => {
    try {
      expect(requireField("where", given, KNOWN)).toBe(expected);
    } catch (error) {
      expect(error).toMatchObject({ code: "input", message: expected, advice });
    }
  });

  it("that is not certain is chosen from those most likely meant", () => {
    expect(() => requireField("where", "group", { ...KNOWN, naming: undefined })).toThrow(
      expect.objectContaining({ advice: "Choose from assetGroupName, driverGroupName" }),
    );
  });

  it("that is unknown is named with at most four others", () => {
    expect(noSuchField("fields", ["a", "b", "c", "d", "e", "f"], ["x"])).toMatchObject({
      message: "fields: no such field: a, b, c, d, e",
      advice: "Choose from x",
    });
  });
});

it.each([
  [["driver", "city"], ["driverName", "city"], []],
  [["city", "town"], ["city"], []],
  [["city", "unheard"], ["city"], ["No such field: unheard; existing ones: endDate."]],
  [["city", "cityy", "fuelGallons"], ["city"], ["No such field: cityy, fuelGallons; existing ones: fuelLevelPercentage, city."]],
  [["planned"], ["plannedStart", "plannedEnd"], []],
  [["date"], ["startDate", "endDate"], []],
])("the fields %j show %j: %j", (given, fields, notes) => {
  expect(requestedFields(given, KNOWN)).toEqual({ fields, notes });
});

it("fields are not shown if a name may mean more than three, or none", () => {
  const known = { fields: ["oneTime", "twoTime", "threeTime", "fourTime"], shape: {} };
  expect(() => requestedFields(["time"], known)).toThrow("fields: no such field: time");
  expect(requestedFields(["time"], { ...known, fields: known.fields.slice(1) }).fields).toEqual(["twoTime", "threeTime", "fourTime"]);
  expect(requestedFields(["time", "oneTime"], known)).toEqual({
    fields: ["oneTime"],
    notes: ["No such field: time; existing ones: oneTime, twoTime, threeTime, fourTime."],
  });
  expect(() => requestedFields(["unheard"], known)).toThrow("fields: no such field: unheard");
});
