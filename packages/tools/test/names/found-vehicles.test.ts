import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";
import { located, vehiclesOf } from "./named-vehicles.ts";

const CANNED = cannedFleet();

describe("locate_vehicle finds a vehicle", () => {
  it.each<[by: string, query: string, expected: string]>([
    ["its name in another case", "TRUCK 12", "Truck 12"],
    ["its name run together", "truck12", "Truck 12"],
    ["its name with dashes and zeros", "truck-0012", "Truck 12"],
    ["its name in another order", "  12   truck ", "Truck 12"],
    ["its name, not a longer one", "truck 1", "Truck 1"],
    ["its name, not one with the same digits", "truck 121", "Truck 121"],
    ["its whole name, of which another is part", "Tow-Truck 5", "Tow-Truck 5"],
    ["its whole name, which is part of another", "truck 5", "Truck 5"],
    ["a number that no other has", "88", "Nachtbus 88"],
    ["its name without the umlaut", "muller kipper 4", "Müller Kipper 4"],
    ["its name with a transcribed umlaut", "mueller kipper 4", "Müller Kipper 4"],
    ["its name with decomposed accents", "Élan Nord".normalize("NFD"), "Élan Nord"],
    ["its name without hyphens", "rhone alpes express", "Rhône-Alpes Express"],
    ["its name, split", "north depot 3", "Northdepot 3"],
    ["its name without Nordic letters", "orsted service", "Ørsted Service"],
    ["its name without Polish and German letters", "grossraum lodz 2", "Großraum Łódź 2"],
    ["its name with a letter missing", "truk 12", "Truck 12 ~"],
    ["its name with a letter too many", "trruck 12", "Truck 12 ~"],
    ["its name with a wrong letter", "trick 12", "Truck 12 ~"],
    ["its name with two letters swapped", "rtuck 12", "Truck 12 ~"],
    ["a long name with two wrong letters", "nchtbuss 88", "Nachtbus 88 ~"],
    ["its registration, run together", "kx21abc", "Truck 12 by registration"],
    ["its registration, spaced out", "K X 2 1 A B C", "Truck 12 by registration"],
    ["the first part of its registration", "KX21 A", "Truck 12 by registration"],
    ["the last part of its registration", "21 ABC", "Truck 12 by registration"],
    ["the whole number of its registration", "1234", "Truck 112 by registration"],
    ["its VIN", CANNED[0]?.assetVin?.toLowerCase() ?? "", "Truck 1 by vin"],
    ["the last digits of its VIN", "100011", "Truck 12 by vin"],
    ["its id", "V1000", "Truck 1 by id"],
    ["its driver", "carla conti", "Truck 12 by driver"],
    ["its driver, family name first", "Conti, Carla", "Truck 12 by driver"],
    ["one name of its driver", "Conti", "Truck 12 by driver"],
    ["one of two drivers with similar names", "anna kellner", "Truck 2 by driver"],
    ["its driver without the hyphen", "jean pierre dupont", "Truck 4 by driver"],
    ["its driver without accents", "lukasz wojcik", "Truck 6 by driver"],
    ["its driver without the apostrophe", "mia obrien", "Truck 7 by driver"],
    ["its misspelt driver", "carla contti", "Truck 12 by driver ~"],
    ["its driver and kind", "Carla Conti's truck", "Truck 12"],
    ["a question", "Could you tell me where truck 12 is right now, please?", "Truck 12"],
    ["a question about its plate", "the vehicle with plate KX21 ABC", "Truck 12 by registration"],
    ["a label that a question offered", "Truck 12 (KX21 ABC)", "Truck 12 by registration"],
    ["a question in German", "Wo ist LKW 12?", "Truck 12"],
    ["a question in French", "où est le camion douze, s'il vous plaît", "Truck 12"],
  ])("by %s: %j", async (_, query, expected) => expect(await located(query, CANNED)).toBe(expected));

  it("by its own name and registration only", async () => {
    const { record } = await servedFleet({ script: { listLivePositions: () => ({ body: CANNED }) } });
    for (const { assetName = "", assetRegistration = "" } of CANNED)
      for (const query of [assetName, assetRegistration])
        expect((await record("locate_vehicle", { query })).vehicle).toMatchObject({ assetName, assetRegistration });
  });
});

it("a vehicle is found by the names and codes that it has now, until it leaves the fleet", async () => {
  const before = {
    assetId: "a",
    assetName: "Magazzino Nord 12",
    assetRegistration: "AB 1234",
    driverName: "Ana Ruiz",
    assetGroupName: "Lyon",
  };
  const after = { assetId: "a", assetName: "Crane", assetRegistration: "EF 78", driverName: "Kim Oh", assetGroupName: "Paris" };
  const other = { assetId: "b", assetName: "Bus 7", driverName: "Bo Tanaka", assetGroupName: "Lyon" };
  const { record, service } = await servedFleet();
  const ofBefore = ["magazzino nord 12", "magazzinonord 12", "nord depot 12", "magazino 12", "AB 1234", "ana ruiz"];
  const ofAfter = ["crane", "EF 78", "kim oh", "paris"];
  const steps: [fleet: object[], found: string[]][] = [
    [[before, other], ofBefore],
    [
      [after, other],
      [...ofAfter, "lyon"],
    ],
    [[other], ["lyon"]],
    [[before], [...ofBefore, "lyon"]],
  ];
  for (const [fleet, found] of steps) {
    service.script.listLivePositions = () => ({ body: fleet });
    for (const query of [...ofBefore, ...ofAfter, "lyon"]) {
      const { result } = await record("locate_vehicle", { query });
      expect([query, result]).toEqual([query, found.includes(query) ? "found" : query === "lyon" ? "ambiguous" : "notFound"]);
    }
  }
});

const FLEET: Position[] = [
  { assetName: "Truck 12", assetRegistration: "KX21 ABC", driverName: "Ana Ruiz", assetGroupName: "Lyon", assetVin: "WDB9634031L1234567" },
  { assetName: "Truck 13", assetRegistration: "AB-123-CD", driverName: "Müller Jo", assetGroupName: "Lyon" },
  { assetName: "Van 4", assetRegistration: "DE 1234 X", driverName: "Oksana Duda", assetGroupName: "Milano nord" },
  { assetName: "eVan 5", assetRegistration: "KX22 ABC", assetGroupName: "Milano nord" },
  { assetName: "North depot shuttle", assetRegistration: "7788" },
  { assetName: "North depot runner", driverName: "Jo Smith" },
  { assetName: "Truck 7 trailer 9" },
  { assetName: "Strasbourg express", driverName: "Bo Tanaka" },
].map((vehicle, at) => ({ assetId: `id-${at}`, ...vehicle }));

describe("of a small fleet", () => {
  it.each<[query: string, expected: string]>([
    ["north depotshuttle", "North depot shuttle"],
    ["lyon", "? Truck 12, Truck 13"],
    ["7788", "North depot shuttle by registration"],
    // Other words for the same.
    ["lorry 12", "Truck 12"],
    ["electric van 5", "eVan 5"],
    ["electric van", "eVan 5"],
    ["mailand nord", "? Van 4, eVan 5"],
    ["truck 9 trailer 7", "! Truck 7 trailer 9"],
    ["van", "Van 4"],
    ["camionnette", "? Van 4, eVan 5"],
    ["van 5", "! Van 4, eVan 5"],
    // Parts of names and codes.
    ["shuttle", "North depot shuttle"],
    ["depot", "? North depot shuttle, North depot runner"],
    ["trailer 9", "Truck 7 trailer 9"],
    ["ABC", "? Truck 12, eVan 5"],
    ["AB 123", "Truck 13 by registration"],
    ["1234", "Van 4 by registration"],
    ["DE 123", "! Van 4"],
    ["123", "! Truck 13"],
    ["KX", "!"],
    ["KX2", "! Truck 12, eVan 5"],
    ["234567", "Truck 12 by vin"],
    ["34567", "! Truck 12"],
    ["plate ending ABC", "? Truck 12, eVan 5"],
    ["plate ending KX21", "! Truck 12"],
    ["it ends in 1234", "!"],
    // Several properties of one vehicle, or of two.
    ["KX21 ABC, Truck 12", "Truck 12 by registration"],
    ["Truck 13 (KX21 ABC)", "! Truck 12"],
    ["Ruiz truck 12", "Truck 12"],
    ["Ruiz truck 13", "! Truck 13"],
    ["lorry of Duda", "!"],
    ["the van of Duda in Milan", "Van 4"],
    ["A Ruiz", "Truck 12 by driver ~"],
    ["J", "!"],
    ["Smith 13", "! Truck 13"],
    // Misspelt or cut short.
    ["strasb expr", "Strasbourg express ~"],
    ["truk 14", "! Truck 12, Truck 13"],
    ["bo tan", "! Strasbourg express"],
    ["nort depot", "? North depot shuttle, North depot runner"],
    ["KX21 ABD", "! Truck 12, eVan 5"],
    // Several vehicles.
    ["truck 12 or 13", "? Truck 12, Truck 13"],
    ["truck 12 and van 4", "? Truck 12, Van 4"],
    ["truck 12/13", "? Truck 12, Truck 13"],
    ["truck 12 and 99", "! Truck 12, Truck 13"],
    ["KX21 ABC und AB-123-CD", "? Truck 12, Truck 13"],
    ["truck 12; truck 12", "Truck 12"],
    // Unknown.
    ["where is it?", "!"],
    ["T 12", "! Truck 12"],
    ["red truck 12", "! Truck 12, Truck 13"],
    ["no 1234", "Van 4 by registration"],
    ["7788 express", "! North depot shuttle"],
  ])("%j finds %s", async (query, expected) => expect(await located(query, FLEET)).toBe(expected));
});

describe("what is preferred, and what is not guessed", () => {
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
    [
      "names over 100 characters, cut",
      [`${"x".repeat(99)} 1`, `${"x".repeat(99)} 2`],
      `${"x".repeat(99)} 1`,
      `? ${"x".repeat(39)}…, ${"x".repeat(39)}…`,
    ],
  ])("%s: of %j, %j finds %s", async (_, fleet, query, expected) => {
    const found = await located(query, vehiclesOf(fleet));
    expect(found.startsWith("!") ? "!" : found.replace(/ by \w+/, "")).toBe(expected);
  });
});

describe("languages and numbers in words", () => {
  it.each<[query: string, expected: string]>([
    ["truck twenty", "Truck 20"],
    ["camion un", "Truck 1"],
    ["lkw zwölf", "Truck 12"],
    ["furgone 7", "Van 7"],
    ["ciężarówka 12", "Truck 12"],
    ["bestelwagen 7", "Van 7"],
    ["gdzie jest Truck 12", "Truck 12"],
    ["dov'è Carla Conti", "Truck 12 by driver"],
    ["camion n° 12", "Truck 12"],
  ])("%j finds %s", async (query, expected) => expect(await located(query, CANNED)).toBe(expected));

  it.each(["un camion", "een vrachtwagen"])("an article is not a number: %s", async (query) => {
    expect(await located(query, CANNED)).toMatch(/^\? Truck 1, Truck 2, /);
  });
});
