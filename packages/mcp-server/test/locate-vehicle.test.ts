import { describe, expect, it } from "vitest";
import { cannedFleet } from "../../tools/test/canned-fleet.ts";
import { errorOf, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

async function locate(query: string) {
  const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: cannedFleet() }) } });
  const result = await call("locate_vehicle", { query });
  return { text: textOf(result), ...structuredOf(result) };
}

const truck1 = cannedFleet()[0];

const FOUND: [string, string, string, string?][] = [
  // case, query, vehicle, matched by
  ["name", "Truck 12", "Truck 12"],
  ["name, other case", "TRUCK 12", "Truck 12"],
  ["name, run together", "truck12", "Truck 12"],
  ["name, dashed", "truck-12", "Truck 12"],
  ["name, leading zero", "Truck 012", "Truck 12"],
  ["name, words swapped", "12 truck", "Truck 12"],
  ["name, spaces around", "  truck   12 ", "Truck 12"],
  ["name, with its number", "truck 112", "Truck 112"],
  ["name, with the digits reversed", "truck 121", "Truck 121"],
  ["name, one digit", "truck 1", "Truck 1"],
  ["name of a van", "van 7", "Van 7"],
  ["name, number in words", "camion un", "Truck 1"],
  ["name, whole match before part", "Tow-Truck 5", "Tow-Truck 5"],
  ["name, part of another name", "truck 5", "Truck 5"],
  ["name, number alone", "88", "Nachtbus 88"],
  ["name, one word", "crane", "Crane"],
  ["name, umlaut left out", "muller kipper 4", "Müller Kipper 4"],
  ["name, umlaut transcribed", "mueller kipper 4", "Müller Kipper 4"],
  ["name, accent left out", "elan nord", "Élan Nord"],
  ["name, hyphen left out", "rhone alpes express", "Rhône-Alpes Express"],
  ["name, split word", "north depot 3", "Northdepot 3"],
  ["name, Nordic letters", "orsted service", "Ørsted Service"],
  ["name, sharp s", "grossraum lodz 2", "Großraum Łódź 2"],
  ["name, decomposed characters", "Élan Nord".normalize("NFD"), "Élan Nord"],
  ["typo: a letter missing", "truk 12", "Truck 12"],
  ["typo: an extra letter", "trruck 12", "Truck 12"],
  ["typo: a wrong letter", "trick 12", "Truck 12"],
  ["typo: letters swapped", "rtuck 12", "Truck 12"],
  ["typo in a long word: two letters", "nchtbuss 88", "Nachtbus 88"],
  ["registration", "KX21 ABC", "Truck 12", "registration"],
  ["registration, no spaces", "KX21ABC", "Truck 12", "registration"],
  ["registration, dashes", "kx-21-abc", "Truck 12", "registration"],
  ["registration, lower case", "kx21 abc", "Truck 12", "registration"],
  ["registration, spaced out", "K X 2 1 A B C", "Truck 12", "registration"],
  ["registration with dashes, without them", "b mw 1234", "Truck 112", "registration"],
  ["registration, first part", "KX21 A", "Truck 12", "registration"],
  ["registration, last part", "21 ABC", "Truck 12", "registration"],
  ["registration, its whole number", "1234", "Truck 112", "registration"],
  ["VIN", truck1?.assetVin ?? "", "Truck 1", "vin"],
  ["VIN, lower case", (truck1?.assetVin ?? "").toLowerCase(), "Truck 1", "vin"],
  ["id", "v1000", "Truck 1", "id"],
  ["driver", "Carla Conti", "Truck 12", "driver"],
  ["driver, last name first", "Conti, Carla", "Truck 12", "driver"],
  ["driver, one name", "Conti", "Truck 12", "driver"],
  ["driver, one of two similar names", "Anna Keller", "Truck 1", "driver"],
  ["driver, the other of two similar names", "anna kellner", "Truck 2", "driver"],
  ["driver, hyphen left out", "jean pierre dupont", "Truck 4", "driver"],
  ["driver, accents left out", "jose nunez", "Truck 5", "driver"],
  ["driver, Polish letters", "lukasz wojcik", "Truck 6", "driver"],
  ["driver, apostrophe left out", "mia obrien", "Truck 7", "driver"],
  ["driver, typo", "carla contti", "Truck 12", "driver"],
  ["fillers", "where is the truck no. 12?", "Truck 12"],
  ["fillers, short", "where's truck 12", "Truck 12"],
  ["fillers, a van", "Where is van number 7", "Van 7"],
  ["fillers, registration", "the vehicle registration KX21 ABC", "Truck 12", "registration"],
  ["fillers, plate", "plate KX21 ABC", "Truck 12", "registration"],
  ["courtesy", "truck 12 please", "Truck 12"],
  ["politeness, end of a sentence", "Could you tell me where truck 12 is right now, please?", "Truck 12"],
  ["German", "Wo ist LKW 12?", "Truck 12"],
  ["French", "où est le camion douze, s'il vous plaît", "Truck 12"],
  ["name and registration, in the form of candidates", "Truck 12 (KX21 ABC)", "Truck 12", "registration"],
  ["the driver's kind of vehicle", "Carla Conti's truck", "Truck 12"],
  ["the last digits of a VIN", "100011", "Truck 12", "vin"],
  ["fillers, driver", "driver Carla Conti", "Truck 12", "driver"],
];

describe("locate_vehicle finds the right vehicle", () => {
  it.each(FOUND)("by %s: %s", async (_, query, assetName, matchedBy) => {
    const { result, vehicle, matchedBy: how, text } = await locate(query);
    expect({ result, assetName: vehicle?.assetName, how }).toEqual({ result: "found", assetName, how: matchedBy });
    expect(text).toContain(assetName);
  });
});

const AMBIGUOUS: [string, string, string[]][] = [
  ["a number shared by two kinds of vehicle", "12", ["Truck 12", "Van 12"]],
  ["a number with fillers", "where is no. 12?", ["Truck 12", "Van 12"]],
  ["a first name shared by two drivers", "anna", ["Truck 1", "Truck 2"]],
  ["a name without its last word", "depot car", ["Depot car A", "Depot car B"]],
  ["a typo that matches two names", "nachtbuss", ["Nachtbus 88", "Nachtbus 89"]],
  ["a last name shared by two drivers", "keller", ["Truck 1", "Truck 3"]],
  ["a number in a name and in a registration", "112", ["Truck 112", "Truck 121"]],
];

describe("locate_vehicle asks if several vehicles match equally well", () => {
  it.each(AMBIGUOUS)("%s: %s", async (_, query, names) => {
    const { result, candidates, total, question, text, vehicle } = await locate(query);
    expect({ result, total, vehicle }).toEqual({ result: "ambiguous", total: names.length, vehicle: undefined });
    expect(candidates.map(({ assetName }: { assetName: string }) => assetName)).toEqual(names);
    for (const name of names) {
      expect(question).toContain(name);
      expect(text).toContain(name);
    }
    expect(question).toMatch(/\?$/);
    expect(text).toContain("Ask the user, then call again");
  });

  it.each(["un camion", "een vrachtwagen", "où est un camion ?"])("an article is not a number: %s", async (query) => {
    const { result, total } = await locate(query);
    expect(result).toBe("ambiguous");
    expect(total).toBeGreaterThan(20);
  });

  it("lists a few of many candidates, with the total", async () => {
    const { result, candidates, total, text } = await locate("truck");
    expect({ result, total, shown: candidates.length }).toEqual({ result: "ambiguous", total: 23, shown: 4 });
    expect(text).toContain("and 19 more");
  });
});

describe("locate_vehicle reports how it interpreted another spelling", () => {
  it.each([
    ["truk 12", true],
    ["carla contti", true],
    ["Truck 12", undefined],
    ["carla conti", undefined],
    ["TRUCK-12", undefined],
  ])("%s: %s", async (query, expected) => {
    const { respelt, text } = await locate(query);
    expect(respelt).toBe(expected);
    expect(text.includes(`Spelt differently from "${query}".`)).toBe(expected === true);
  });
});

const ABSENT: [string, string, string?][] = [
  // case, query, a name that must be among the nearest
  ["no such number", "truck 21", "Truck 2"],
  ["no such number, one digit more", "truck 1120", "Truck 112"],
  ["a typo in a number makes another number", "truck 211", "Truck 121"],
  ["a typo in a long number too", "48223 trailer"],
  ["a number is not part of a longer one", "nachtbus 8", "Nachtbus 88"],
  ["a number is not part of one in a registration", "123"],
  ["a typo in a short word", "vam 7", "Van 7"],
  ["two typos in a word", "trkc 12", "Truck 12"],
  ["an extra word", "red truck 12", "Truck 12"],
  ["another's registration", "Truck 12 (B-MW 1234)", "Truck 112"],
  ["another's driver", "Anna Keller's van"],
  ["another word of three letters", "cab 12"],
  ["another name", "Zeppelin"],
  ["no words", "???"],
];

describe("locate_vehicle does not guess if nothing matches", () => {
  it.each(ABSENT)("%s: %s", async (_, query, near) => {
    const { result, candidates, question, text, vehicle } = await locate(query);
    expect({ result, vehicle }).toEqual({ result: "notFound", vehicle: undefined });
    expect(candidates.length).toBeLessThanOrEqual(3);
    expect(question).toMatch(/\?$/);
    expect(text).toMatch(/(Did you mean .*|What is the registration)\? Ask the user, then call again/);
    const names = candidates.map(({ assetName }: { assetName: string }) => assetName);
    if (near !== undefined) expect(names).toContain(near);
  });

  it.each([
    ["truck 4", "notFound"],
    ["trailer 12", "notFound"],
    ["truck 12", "found"],
    ["trailer 4", "found"],
    ["12 4", "found"],
  ])("a vehicle with two numbers, queried as %s: %s", async (query, result) => {
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: [{ assetName: "Truck 12 Trailer 4" }] }) } });
    expect(structuredOf(await call("locate_vehicle", { query })).result).toBe(result);
  });

  it("says so if the fleet is empty", async () => {
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: [] }) } });
    const result = await call("locate_vehicle", { query: "truck 12" });
    expect(structuredOf(result)).toMatchObject({ result: "notFound", candidates: [] });
    expect(textOf(result)).toContain("no visible vehicles");
  });

  it.each(["Zeppelin", "???", "another lorry altogether"])("suggests nothing that is not near: %s", async (query) => {
    expect((await locate(query)).candidates).toEqual([]);
  });

  it("says which vehicle has a registration that does not fit the name", async () => {
    const { question } = await locate("Truck 12 (B-MW 1234)");
    expect(question).toMatch(/^No vehicle matches "Truck 12 \(B-MW 1234\)"\. BMW1234 is the registration of (.+)\. Did you mean \1\?$/);
  });

  it("asks for the registration if no name is near", async () => {
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: cannedFleet() }) } });
    const result = await call("locate_vehicle", { query: "x".repeat(80) });
    expect(structuredOf(result)).toMatchObject({ result: "notFound", candidates: [] });
    expect(questionOf(result)).toMatch(
      /^No vehicle matches "x+…"\. What is the registration\? Ask the user, then call again with it as query\.$/,
    );
    expect(textOf(result)).not.toContain("no visible vehicles");
  });

  it("says that a vehicle was sold, without taking a misspelt name for it", async () => {
    const sold = { assetId: "v0", assetName: "Truck 99", assetRegistration: "OLD 99", status: "SOLD", date: "2026-03-01T08:00:00Z" };
    const { call } = await serverUnderTest({
      script: {
        listLivePositions: ({ url }) => ({
          body: url.searchParams.get("showAllVehicleStatus") === "true" ? [...cannedFleet(), sold] : cannedFleet(),
        }),
      },
    });
    const result = await call("locate_vehicle", { query: "truck 99" });
    expect(structuredOf(result)).toMatchObject({ result: "found", vehicle: { assetId: "v0", status: "SOLD" } });
    expect(textOf(result)).toMatch(/^Truck 99 \(OLD 99\): .* Sold: no longer in the fleet\.$/);
    expect(structuredOf(await call("locate_vehicle", { query: "old 98" })).result).toBe("notFound");
  });

  it("finds every truck and van by its own name only", async () => {
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: cannedFleet() }) } });
    for (const { assetName, assetRegistration } of cannedFleet()) {
      for (const query of [assetName, assetRegistration]) {
        const { result, vehicle } = structuredOf(await call("locate_vehicle", { query }));
        expect({ query, result, assetName: vehicle?.assetName }).toEqual({ query, result: "found", assetName });
      }
    }
  });

  it.each([[""], [undefined], [1.5]])("refuses the query %j", async (query) => {
    const { call, service } = await serverUnderTest();
    expect(errorOf(await call("locate_vehicle", query === undefined ? {} : { query }))).toMatch(/^input: locate_vehicle: query: /);
    expect(service.received).toEqual([]);
  });
});

describe("locate_vehicle reads the live positions", () => {
  it("uses the latest of two records of one vehicle", async () => {
    const older = { ...truck1, city: "Lyon", formattedAddress: "Lyon", date: "2026-11-19T08:00:00Z" };
    const later = { ...truck1, city: "Metz", formattedAddress: "Metz", date: "2026-11-20T08:00:00Z" };
    for (const body of [
      [older, later],
      [later, older],
    ]) {
      const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body }) } });
      expect(structuredOf(await call("locate_vehicle", { query: "truck 1" })).vehicle).toMatchObject({ formattedAddress: "Metz" });
    }
  });

  it("asks if two vehicles have the same name", async () => {
    const twin = { ...truck1, assetId: "v9", assetRegistration: "ZZ99 ZZZ" };
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: [truck1, twin] }) } });
    const { result, candidates, question } = structuredOf(await call("locate_vehicle", { query: "truck 1" }));
    expect({ result, ids: candidates.map(({ assetId }: { assetId: string }) => assetId) }).toEqual({
      result: "ambiguous",
      ids: ["v1000", "v9"],
    });
    expect(question).toContain("Truck 1 (ZZ99 ZZZ)");
    expect(structuredOf(await call("locate_vehicle", { query: "ZZ99 ZZZ" })).vehicle.assetId).toBe("v9");
  });

  it("requests the whole fleet, without sensitive speeds", async () => {
    const { call, service } = await serverUnderTest({ script: { listLivePositions: () => ({ body: cannedFleet() }) } });
    await call("locate_vehicle", { query: "truck 12" });
    expect(service.of("listLivePositions").map(({ url }) => url.search)).toEqual(["?hideSpeedIfSpeedSensitive=true"]);
  });
});
