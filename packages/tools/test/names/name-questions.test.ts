import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";
import { located, vehiclesOf } from "./named-vehicles.ts";

const serve = (body: readonly Position[] = cannedFleet(), env: Record<string, string> = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body }) }, env });
const locatedIn = async (query: string, fleet?: readonly Position[]) => (await serve(fleet)).record("locate_vehicle", { query });

it("a question has what distinguishes the vehicles", async () => {
  const [truck] = cannedFleet();
  const twins = [truck as Position, { ...truck, assetId: "v9", assetRegistration: "ZZ99 ZZZ" }];
  expect((await locatedIn("truck 1", twins)).question).toContain("Truck 1 (KX20 AQA), driver Anna Keller; Truck 1 (ZZ99 ZZZ), driver");
  expect((await locatedIn("ZZ99 ZZZ", twins)).vehicle.assetId).toBe("v9");
});

describe("locate_vehicle does not guess if nothing matches", () => {
  it.each<[why: string, fleet: string[], query: string, nearest: string]>([
    ["the closest three", ["Truck 199", "Truck 11", "Truck 13", "Van 4", "Truck 1"], "truck 12", "Truck 11, Truck 13, Truck 1"],
    ["names with the same number, despite an unknown word", ["Van 34", "Truck 12"], "purple velvet 34", "Van 34"],
    ["similar registrations", ["Van/XY 77 Z", "Bus/KX21 ABC"], "KX21 ABD", "Bus"],
    ["whose name begins with a word", ["Van 1//Marco Man", "Bus 2//Sophie Marchand", "Truck 3//Omar Diaz"], "mar", "Van 1, Bus 2"],
    ["no other vehicles", ["eVan 3", "Truck 12"], "zeppelin", ""],
  ])("but names %s", async (_, fleet, query, nearest) => {
    expect(await located(query, vehiclesOf(fleet))).toBe(`! ${nearest}`.trim());
  });

  it.each<[why: string, query: string, question: RegExp]>([
    ["whose registration it is", "Truck 12 (B-MW 1234)", /"\. BMW1234 is the registration of (.+)\. Did you mean \1\?/],
    ["whose VIN it is", "van 4 WDB96340310100011", /WDB96340310100011 is the vin of Truck 12/],
    ["what is missing", "x".repeat(80), /^No vehicle matches "x{59}…"\. What is the registration\? Ask the user, then call again/],
  ])("and says %s", async (_, query, question) => {
    expect(await (await serve()).question("locate_vehicle", { query })).toMatch(question);
  });

  it("and says that the fleet is empty, or that a vehicle is sold", async () => {
    expect(await (await serve([])).question("locate_vehicle", { query: "truck 12" })).toContain("The fleet has no visible vehicles.");
    const sold = { assetId: "v0", assetName: "Truck 99", assetRegistration: "OLD 99", status: "SOLD" };
    const { text, question, service } = await serve();
    service.script.listLivePositions = ({ url }) => ({
      body: [...cannedFleet(), ...(url.searchParams.get("showAllVehicleStatus") === "true" ? [sold] : [])],
    });
    expect(await text("locate_vehicle", { query: "truck 99" })).toMatch(/^Truck 99 \(OLD 99\): .* Sold: no longer in the fleet\.$/);
    await question("locate_vehicle", { query: "old 98" });
  });
});

describe("drivers, groups and locations", () => {
  const FLEET: Position[] = [
    { assetId: "v4", driverName: "A. Ruiz", driverId: "d1", date: "2026-11-10T08:00:00Z" },
    { assetId: "v1", assetName: "Truck 1", driverId: "d1", driverName: "Ana\nRuiz", locationName: "Yard 1", date: "2026-11-12T08:00:00Z" },
    { assetId: "v2", assetName: "Truck 2", driverId: "d2", driverName: "Ana Ruiz" },
    { assetId: "v3", driverName: "Bo Li", driverId: "d3", assetGroupId: "g2", assetGroupName: "Night shift", locationName: "Yard 2" },
  ];

  it.each<[tool: string, args: Record<string, unknown>, question: string]>([
    ["list_jobs", { driver: "ana" }, '2 drivers match "ana". Which one: Ana Ruiz (d1), drives Truck 1; Ana Ruiz (d2), drives Truck 2?'],
    ["list_jobs", { driver: "bo lee" }, 'No driver matches "bo lee". Did you mean Bo Li (d3), drives v3?'],
    ["find_nearest_vehicles", { to: "yard" }, '2 vehicles, drivers, locations and towns match "yard". Which one: Yard 1; Yard 2?'],
  ])("%s asks about %j", async (tool, args, question) => {
    expect(await (await serve(FLEET)).question(tool, args)).toContain(question);
  });

  it.each<[label: string, fleet: Position]>([
    ["v1", { assetName: " ", assetId: "v1" }],
    ["Vehicle without a name", { driverName: "Ana Ruiz" }],
    [`${"n".repeat(39)}… (v1)`, { assetName: "n".repeat(41), assetId: "v1" }],
  ])("a vehicle is labelled %s", async (label, vehicle) => {
    const fleet = [vehicle, { assetId: "v9" }].map((one) => ({ ...one, driverName: "Ana Ruiz" }));
    expect((await locatedIn("ana ruiz", fleet)).question).toContain(`Which one: ${label}, driver Ana Ruiz;`);
  });
});

describe("a question is worded for", () => {
  const AGAIN = "Ask the user, then call again with the full name or the text in brackets as";
  const lettered = (letters: string) => vehiclesOf([...letters].map((letter) => `Truck ${letter}`));
  const cells = (letters: string) => [...letters].map((letter, at) => `Truck ${letter} (id${at})`).join("; ");
  const [TWO, NONE] = [vehiclesOf(["Truck 48213", "Truck 48312"]), 'No vehicle matches "truck 48231". Did you mean'];

  it.each<[what: string, fleet: Position[], query: string, question: string, candidates: number, total?: number]>([
    ["up to eight", lettered("ABCDEFGH"), "truck", `8 vehicles match "truck". Which one: ${cells("ABCDEFGH")}?`, 8, 8],
    ["four of more", lettered("ABCDEFGHI"), "truck", `9 vehicles match "truck". Which one: ${cells("ABCD")}; and 5 more?`, 4, 9],
    ["one alike", TWO.slice(0, 1), "truck 48231", `${NONE} Truck 48213 (id0)?`, 1],
    ["some alike", TWO, "truck 48231", `${NONE} one of these: Truck 48213 (id0); Truck 48312 (id1)?`, 2],
  ])("%s", async (_, fleet, query, question, shown, total) => {
    const { text, structured } = await (await serve(fleet)).call("locate_vehicle", { query });
    const { candidates, ...asked } = structured as { candidates: unknown[]; note: string };
    expect(asked).toMatchObject({ question, note: expect.stringContaining(AGAIN), result: total ? "ambiguous" : "notFound" });
    expect([text, candidates.length, asked]).toEqual([`${question} ${asked.note}`, shown, expect.objectContaining(total ? { total } : {})]);
  });
});
