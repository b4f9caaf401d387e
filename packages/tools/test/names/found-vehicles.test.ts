import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";
import { rowsOf } from "../text-rows.ts";
import { located, locator, vehiclesOf } from "./named-vehicles.ts";

const CANNED = cannedFleet();

describe("locate_vehicle finds", () => {
  it.each(
    rowsOf(`
    Truck 12: TRUCK 12 | truck12 | truck-0012 | 12   truck | Carla Conti's truck | camion n° 12
    Truck 12: lkw zwölf | Wo ist LKW 12? | ciężarówka 12 | gdzie jest Truck 12 | où est le camion douze, s'il vous plaît
    Truck 12: Could you tell me where truck 12 is right now, please?
    Truck 12 ~: truk 12 | trruck 12 | trick 12 | rtuck 12
    Truck 12 by registration: kx21abc | K X 2 1 A B C | KX21 A | 21 ABC | the vehicle with plate KX21 ABC | Truck 12 (KX21 ABC)
    Truck 12 by driver: carla conti | Conti, Carla | Conti | dov'è Carla Conti
    Truck 12 by driver ~: carla contti
    Truck 12 by vin: 100011
    Truck 112 by registration: 1234
    Truck 1: truck 1 | camion un
    Truck 1 by vin: wdb96340310100000
    Truck 1 by id: V1000
    Truck 2 by driver: anna kellner
    Truck 4 by driver: jean pierre dupont
    Truck 5: truck 5
    Truck 6 by driver: lukasz wojcik
    Truck 7 by driver: mia obrien
    Truck 20: truck twenty
    Truck 121: truck 121
    Tow-Truck 5: Tow-Truck 5
    Van 7: furgone 7 | bestelwagen 7
    Nachtbus 88: 88
    Nachtbus 88 ~: nchtbuss 88
    Müller Kipper 4: muller kipper 4 | mueller kipper 4
    Élan Nord: E\u0301lan Nord
    Rhône-Alpes Express: rhone alpes express
    Northdepot 3: north depot 3
    Ørsted Service: orsted service
    Großraum Łódź 2: grossraum lodz 2
    ? Truck 12, Van 12: where is no. 12?
    ? Truck 1, Truck 2: anna
    ? Truck 1, Truck 3: keller
    ? Depot car A, Depot car B: depot car
    ? Nachtbus 88, Nachtbus 89: nachtbuss
    ? Truck 112, Truck 121: 112
    ? Truck 1, Truck 2, Truck 3, Truck 4: truck | un camion | een vrachtwagen`),
  )("%s by %s", async (expected, queries) => {
    const locate = await locator(CANNED);
    for (const query of queries.split(" | ")) expect(await locate(query), query).toBe(expected);
  });

  it.each(
    rowsOf(`
    Truck 121: truck 211
    Truck 112: truck 1120 | 123 | Truck 12 (B-MW 1234)
    Truck 12: trkc 12 | red truck 12
    Truck 1: Anna Keller's van
    Van 7: vam 7
    Van 12: cab 12
    Nachtbus 88: nachtbus 8
    nothing: another lorry altogether | ???`),
  )("nothing, and offers %s, by %s", async (near, queries) => {
    for (const query of queries.split(" | ")) {
      const [sign, names = "nothing"] = (await located(query, CANNED)).split(/ (.*)/);
      expect([sign, names.split(", ")], query).toEqual(["!", expect.arrayContaining([near])]);
      expect(names.split(", ").length).toBeLessThanOrEqual(3);
    }
  });

  it("each vehicle by its name and registration", async () => {
    const { record } = await servedFleet({ script: { listLivePositions: () => ({ body: CANNED }) } });
    for (const { assetName = "", assetRegistration = "" } of CANNED)
      for (const query of [assetName, assetRegistration])
        expect((await record("locate_vehicle", { query })).vehicle).toMatchObject({ assetName, assetRegistration });
  });
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

const FLEET: Position[] = vehiclesOf([
  "Truck 12/KX21 ABC/Ana Ruiz/Lyon",
  "Truck 13/AB-123-CD/Müller Jo/Lyon",
  "Van 4/DE 1234 X/Oksana Duda/Milano nord",
  "eVan 5/KX22 ABC//Milano nord",
  "North depot shuttle/7788",
  "North depot runner//Jo Smith",
  "Truck 7 trailer 9",
  "Strasbourg express//Bo Tanaka",
]).map((vehicle) => (vehicle.assetName === "Truck 12" ? { ...vehicle, assetVin: "WDB9634031L1234567" } : vehicle));

describe("of a small fleet", () => {
  it.each(
    rowsOf(`
    Truck 12: lorry 12 | Ruiz truck 12 | truck 12; truck 12
    Truck 12 by registration: KX21 ABC, Truck 12
    Truck 12 by driver ~: A Ruiz
    Truck 12 by vin: 234567
    Truck 13 by registration: AB 123
    Van 4: van | the van of Duda in Milan
    Van 4 by registration: 1234 | no 1234
    eVan 5: electric van 5 | electric van
    North depot shuttle: north depotshuttle | shuttle
    North depot shuttle by registration: 7788
    Truck 7 trailer 9: trailer 9
    Strasbourg express ~: strasb expr
    ? Truck 12, Truck 13: lyon | truck 12 or 13 | truck 12/13 | KX21 ABC und AB-123-CD
    ? Truck 12, Van 4: truck 12 and van 4
    ? Truck 12, eVan 5: ABC | plate ending ABC
    ? Van 4, eVan 5: mailand nord | camionnette
    ? North depot shuttle, North depot runner: depot | nort depot
    ! Truck 12, Truck 13: truk 14 | truck 12 and 99 | red truck 12
    ! Truck 12, eVan 5: KX2 | KX21 ABD
    ! Truck 12: 34567 | plate ending KX21 | Truck 13 (KX21 ABC) | T 12
    ! Truck 13: 123 | Ruiz truck 13 | Smith 13
    ! Van 4: DE 123
    ! Van 4, eVan 5: van 5
    ! North depot shuttle: 7788 express
    ! Truck 7 trailer 9: truck 9 trailer 7
    ! Strasbourg express: bo tan
    !: KX | J | it ends in 1234 | lorry of Duda | where is it?`),
  )("%s is found by %s", async (expected, queries) => {
    const locate = await locator(FLEET);
    for (const query of queries.split(" | ")) expect(await locate(query), query).toBe(expected);
  });
});

describe("what is preferred, and what is not guessed", () => {
  const LONG = "x".repeat(99);

  it.each<[why: string, fleet: string[], query: string, expected: string]>([
    ["a whole name in another order, not part of another", ["Truck 7 trailer 9", "Truck 7"], "7 truck", "Truck 7"],
    ["a whole name, run together", ["North depot", "Northdepot shuttle"], "northdepot", "North depot"],
    ["a number stays with its word", ["Truck 7 trailer 9", "Trailer 7 truck 9"], "truck 9 trailer 7", "Trailer 7 truck 9"],
    ["a number of another word", ["Truck 12 trailer 4"], "truck 4", "!"],
    ["the same word, not a synonym", ["Truck 12", "Lorry 12"], "lorry 12", "Lorry 12"],
    ["both, for a synonym", ["Truck 12", "Lorry 12"], "lkw 12", "? Truck 12, Lorry 12"],
    ["a whole name of synonyms, not part of another", ["Truck 12", "Camion 12 north"], "12 lkw", "Truck 12"],
    ["a name that contains a connector", ["Sand and gravel", "Sand", "Gravel"], "sand and gravel", "Sand and gravel"],
    ["several vehicles, not one with all words", ["Sand 1", "Gravel 1", "Gravel and sand 1 1"], "sand 1 & gravel 1", "? Sand 1, Gravel 1"],
    ["one of several that is unknown", ["Sand", "Gravel"], "sand or granite", "!"],
    ["numbers after one kind", ["Old truck 12", "Old truck 13"], "old truck 12, 13", "!"],
    ["numbers joined after one kind", ["Old truck 12", "Old truck 13", "Van 13"], "old truck 12 & 13", "? Old truck 12, Old truck 13"],
    ["a short number as a name", ["7", "Van/AB 7 C"], "7", "7"],
    ["a short number and letters in a registration", ["Van/AB 123 C"], "123 C", "Van"],
    ["the beginning of a word in a registration", ["Van/ABCD 1"], "abc", "Van"],
    ["the beginning of a number in a registration", ["Van/1234 AB"], "123", "!"],
    ["the middle of a word in a registration", ["Van/1 ABCD 2"], "abc", "!"],
    ["the end of a registration, if asked for", ["Van/XABC"], "ending abc", "Van"],
    ["fewer than three characters of a registration", ["Van/AB 12"], "ab", "!"],
    ["a registration among words of the same vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 5 CD 34", "Van 5"],
    ["a registration among words of another vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 4 CD 34", "!"],
    ["a registration before other words", ["North van/AB 12 C"], "AB 12 C of north", "North van"],
    ["a registration beside a number", ["Van/AB 12"], "AB 12 5", "!"],
    ["a registration with a word inside", ["Van/KX21 ABC"], "KX21 the ABC", "!"],
    ["a filler that is a name", ["The star", "Star"], "where is the star", "The star"],
    ["a whole name with a typo, not part of another", ["North depot shuttle", "North depot"], "nort depot", "North depot ~"],
    ["the beginning of a name, not a typo", ["North depot shuttle", "North depos"], "north depot sh", "North depot shuttle ~"],
    ["the beginning of a driver's name", ["Van/AB 12/Anna Maria Ruiz"], "anna mar", "!"],
    ["the beginning of a number", ["Van 123"], "van 12", "!"],
    ["a single short word", ["Strasbourg express"], "str", "!"],
    ["a single long word", ["Strasbourg express"], "stra", "Strasbourg express ~"],
    ["a typo in a number", ["Trailer 48213"], "trailer 48223", "!"],
    ["a typo in a word of three letters", ["Van 7"], "vat 7", "!"],
    ["two typos in a word of seven letters", ["Express"], "exqrews", "!"],
    ["a doubled letter of three", ["Van 7"], "vann 7", "Van 7 ~"],
    ["a word that exists, which is no typo", ["Star north", "Stars south"], "star south", "!"],
    ["words of a name and its driver", ["Truck 12/AB 1/Ana Ruiz", "Truck 13/CD 2/Bo Li"], "lorry ana", "Truck 12"],
    ["a number after a driver", ["Truck 12/AB 1/Ana Ruiz"], "ana 12", "Truck 12"],
    ["a number after a word of another name", ["Truck 12/AB 1/Ana Ruiz"], "ana truck 13", "!"],
    ["a number that belongs to no name beside its word", ["Truck 12/AB 1/Ana Ruiz 5"], "truck 5", "!"],
    ["misspelt words of a name and its driver", ["Truck 12/AB 1/Oksana Ruiz"], "oksanna truck", "Truck 12 ~"],
    ["an initial and a name", ["Van/AB 1/Ana Ruiz", "Bus/CD 2/Bo Ruiz"], "b ruiz", "Bus ~"],
    ["an initial of something else", ["Blue Ruiz", "Red Ruiz"], "b ruiz", "!"],
    ["an initial of a driver, beside another name", ["Ruiz/AB 1/Ana Smith"], "a ruiz", "!"],
    ["two letters, which are no initial", ["Van/AB 1/Olga Ruiz"], "ol ruiz", "!"],
    ["initials alone", ["Van/AB 1/Ana Ruiz"], "a r", "!"],
    ["a kind with a number, not electric", ["eVan 4"], "van 4", "!"],
    ["a number of a group without its word", ["Red truck/AB 1//Depot 13"], "truck 13", "!"],
    ["a number beside its word, and a word of another name", ["Red truck/AB 1//Depot 13"], "red depot 13", "Red truck"],
    ["an unknown word", ["Truck 12"], "blue truck 12", "!"],
    ["nothing but signs", ["--", "Van"], "--", "!"],
    ["names over 100 characters, cut", [`${LONG} 1`, `${LONG} 2`], `${LONG} 1`, `? ${"x".repeat(39)}…, ${"x".repeat(39)}…`],
  ])("%s: of %j, %j finds %s", async (_, fleet, query, expected) => {
    const found = await located(query, vehiclesOf(fleet));
    expect(found.startsWith("!") ? "!" : found.replace(/ by \w+/, "")).toBe(expected);
  });
});
