import { describe, expect, it } from "vitest";
import { cannedFleet } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";
import { rowsOf } from "../text-rows.ts";
import { located, locator, vehiclesOf } from "./named-vehicles.ts";

const CANNED = cannedFleet();

// More of each kind are in evaluation/queries.json.
it.each(
  rowsOf(`
  Truck 12: TRUCK 12 | truck-0012 | 12   truck | Carla Conti's truck | camion n° 12 | lkw twelve | Wo ist LKW 12? | ciężarówka 12
  Truck 12 ~: truk 12 | trruck 12 | trick 12 | rtuck 12
  Truck 12 by registration: K X 2 1 A B C | KX21 A | 21 ABC | the vehicle with plate KX21 ABC | Truck 12 (KX21 ABC)
  Truck 12 by driver: Conti, Carla | dov'è Carla Conti
  Truck 12 by driver ~: carla contti
  Truck 12 by vin: 100011
  Truck 1 by id: V1000
  Truck 4 by driver: jean pierre dupont
  Truck 6 by driver: lukasz wojcik
  Truck 7 by driver: mia obrien
  Truck 20: truck twenty
  Müller Kipper 4: muller kipper 4 | mueller kipper 4
  Élan Nord: E\u0301lan Nord
  Northdepot 3: north depot 3
  Ørsted Service: orsted service
  Großraum Łódź 2: grossraum lodz 2
  ? Truck 1, Truck 2: anna
  ? Nachtbus 88, Nachtbus 89: nachtbuss
  ? Truck 1, Truck 2, Truck 3, Truck 4: truck | un camion`),
)("locate_vehicle finds %s by %s", async (expected, queries) => {
  const locate = await locator(CANNED);
  for (const query of queries.split(" | ")) expect(await locate(query), query).toBe(expected);
});

it.each(
  rowsOf(`
  Truck 112: truck 1120 | Truck 12 (B-MW 1234)
  Truck 12: trkc 12 | red truck 12
  Truck 1: Anna Keller's van
  Van 12: cab 12
  nothing: another lorry altogether | ???`),
)("locate_vehicle finds nothing, and offers %s, by %s", async (near, queries) => {
  const locate = await locator(CANNED);
  for (const query of queries.split(" | ")) {
    const [sign, names = "nothing"] = (await locate(query)).split(/ (.*)/);
    expect([sign, names.split(", ")], query).toEqual(["!", expect.arrayContaining([near])]);
    expect(names.split(", ").length).toBeLessThanOrEqual(3);
  }
});

it("a vehicle is found by the names and codes that it has now, until it leaves the fleet", async () => {
  const [before, after, other] = ["Magazzino Nord 12/AB 1234/Ana Ruiz/Lyon", "Crane/EF 78/Kim Oh/Paris", "Bus 7//Bo Tanaka/Lyon"];
  const { record, service } = await servedFleet();
  const ofBefore = ["magazzino nord 12", "magazzinonord 12", "nord depot 12", "magazino 12", "AB 1234", "ana ruiz"];
  const ofAfter = ["crane", "EF 78", "kim oh", "paris"];
  const steps: [fleet: string[], found: string[]][] = [
    [[before, other], ofBefore],
    [[after, other], ofAfter.concat("lyon")],
    [[other], ["lyon"]],
    [[before], ofBefore.concat("lyon")],
  ];
  for (const [fleet, found] of steps) {
    service.script.listLivePositions = () => ({ body: vehiclesOf(fleet) });
    for (const query of [...ofBefore, ...ofAfter, "lyon"]) {
      const { result } = await record("locate_vehicle", { query });
      expect([query, result]).toEqual([query, found.includes(query) ? "found" : query === "lyon" ? "ambiguous" : "notFound"]);
    }
  }
});

describe("what is preferred, and what is not guessed", () => {
  const LONG = "x".repeat(99);

  it.each<[why: string, fleet: string[], query: string, expected: string]>([
    ["a whole name in another order, not part of another", ["Truck 7 trailer 9", "Truck 7"], "7 truck", "Truck 7"],
    ["a whole name, run together", ["North depot", "Northdepot shuttle"], "northdepot", "North depot"],
    ["a number of another word", ["Truck 12 trailer 4"], "truck 4", "!"],
    ["the same word, not a synonym", ["Truck 12", "Lorry 12"], "lorry 12", "Lorry 12"],
    ["a whole name of synonyms, not part of another", ["Truck 12", "Camion 12 north"], "12 lkw", "Truck 12"],
    ["a name that contains a connector", ["Sand and gravel", "Sand", "Gravel"], "sand and gravel", "Sand and gravel"],
    ["several vehicles, not one with all words", ["Sand 1", "Gravel 1", "Gravel and sand 1 1"], "sand 1 & gravel 1", "? Sand 1, Gravel 1"],
    ["numbers joined after one kind", ["Old truck 12", "Old truck 13", "Van 13"], "old truck 12 & 13", "? Old truck 12, Old truck 13"],
    ["vehicles of several registrations", ["Van/KX21 ABC", "Bus/AB-123-CD"], "KX21 ABC und AB-123-CD", "? Van, Bus"],
    ["two kinds of one number", ["Truck 12", "Van 4"], "truck 12 and van 4", "? Truck 12, Van 4"],
    ["the whole of a name among fillers", ["Truck 12"], "truck 12; truck 12", "Truck 12"],
    ["an electric van by its kind", ["Van 4", "eVan 5"], "electric van", "eVan 5"],
    ["a town in another language", ["Van 4///Milano nord", "Truck 1"], "mailand nord", "Van 4"],
    ["a registration of another, in brackets", ["Truck 12/KX21 ABC", "Truck 13/AB 1"], "Truck 13 (KX21 ABC)", "!"],
    ["a whole number of a registration", ["Van 4/DE 1234 X"], "no 1234", "Van 4"],
    ["an abbreviation", ["Truck 12", "Van 4"], "T 12", "!"],
    ["a short number as a name", ["7", "Van/AB 7 C"], "7", "7"],
    ["a short number and letters in a registration", ["Van/AB 123 C"], "123 C", "Van"],
    ["the beginning of a word in a registration", ["Van/ABCD 1"], "abc", "Van"],
    ["the beginning of a number in a registration", ["Van/1234 AB"], "123", "!"],
    ["the end of a registration, if asked for", ["Van/XABC"], "ending abc", "Van"],
    ["a registration among words of the same vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 5 CD 34", "Van 5"],
    ["a registration among words of another vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 4 CD 34", "!"],
    ["a registration with a word inside", ["Van/KX21 ABC"], "KX21 the ABC", "!"],
    ["a filler that is a name", ["The star", "Star"], "where is the star", "The star"],
    ["a whole name with a typo, not part of another", ["North depot shuttle", "North depot"], "nort depot", "North depot ~"],
    ["the beginning of a name, not a typo", ["North depot shuttle", "North depos"], "north depot sh", "North depot shuttle ~"],
    ["the beginning of a driver's name", ["Van/AB 12/Anna Maria Ruiz"], "anna mar", "!"],
    ["a single long word", ["Strasbourg express"], "stra", "Strasbourg express ~"],
    ["a typo in a number", ["Trailer 48213"], "trailer 48223", "!"],
    ["a typo in a word of three letters", ["Van 7"], "vat 7", "!"],
    ["a doubled letter of three", ["Van 7"], "vann 7", "Van 7 ~"],
    ["a word that exists, which is no typo", ["Star north", "Stars south"], "star south", "!"],
    ["words of a name and its driver", ["Truck 12/AB 1/Ana Ruiz", "Truck 13/CD 2/Bo Li"], "lorry ana", "Truck 12"],
    ["a number after a driver", ["Truck 12/AB 1/Ana Ruiz"], "ana 12", "Truck 12"],
    ["a number after a word of another name", ["Truck 12/AB 1/Ana Ruiz"], "ana truck 13", "!"],
    ["a number that belongs to no name beside its word", ["Truck 12/AB 1/Ana Ruiz 5"], "truck 5", "!"],
    ["an initial and a name", ["Van/AB 1/Ana Ruiz", "Bus/CD 2/Bo Ruiz"], "b ruiz", "Bus ~"],
    ["an initial of a driver, beside another name", ["Ruiz/AB 1/Ana Smith"], "a ruiz", "!"],
    ["a kind with a number, not electric", ["eVan 4"], "van 4", "!"],
    ["a number beside its word, and a word of another name", ["Red truck/AB 1//Depot 13"], "red depot 13", "Red truck"],
    ["nothing but signs", ["--", "Van"], "--", "!"],
    ["names over 100 characters, cut", [`${LONG} 1`, `${LONG} 2`], `${LONG} 1`, `? ${"x".repeat(39)}…, ${"x".repeat(39)}…`],
  ])("%s: of %j, %j finds %s", async (_, fleet, query, expected) => {
    const found = await located(query, vehiclesOf(fleet));
    expect(found.startsWith("!") ? "!" : found.replace(/ by \w+/, "")).toBe(expected);
  });
});
