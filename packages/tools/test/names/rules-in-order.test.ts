import { expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import type { Position } from "../../src/fleet/position.ts";
import { NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";

/** Vehicles as "name/registration/driver/group", of which only the name is required. */
function indexOf(fleet: readonly string[]): NameIndex<Position> {
  const index = new NameIndex(vehicleNaming);
  for (const [at, vehicle] of fleet.entries()) {
    const [assetName, assetRegistration, driverName, assetGroupName] = vehicle.split("/");
    index.set(at, { assetName, assetRegistration, driverName, assetGroupName });
  }
  return index;
}

const ROWS: [why: string, fleet: string[], query: string, expected: string][] = [
  ["a whole name, not part of another", ["Truck 7 trailer 9", "Truck 7"], "truck 7", "Truck 7"],
  ["a whole name in another order", ["Truck 7 trailer 9", "Truck 7"], "7 truck", "Truck 7"],
  ["a whole name, run together", ["North depot", "Northdepot shuttle"], "northdepot", "North depot"],
  ["a number stays with its word", ["Truck 7 trailer 9", "Trailer 7 truck 9"], "truck 9 trailer 7", "Trailer 7 truck 9"],
  ["the same word, not a synonym", ["Truck 12", "Lorry 12"], "lorry 12", "Lorry 12"],
  ["both, for a synonym", ["Truck 12", "Lorry 12"], "lkw 12", "? Lorry 12, Truck 12"],
  ["a whole name of synonyms, not part of another", ["Truck 12", "Camion 12 north"], "lkw 12", "Truck 12"],
  ["a whole name of synonyms, run together", ["Magazzino nord", "Magazzino nord 2"], "depotnord", "Magazzino nord"],
  ["a whole name of other synonyms in another order", ["Camion 12", "Truck 12 north"], "12 lkw", "Camion 12"],
  ["a whole name of synonyms in another order", ["Truck 12", "Camion 12 north"], "12 lkw", "Truck 12"],
  ["part of a name, not a synonym", ["Truck 12 north", "Lorry 12 south"], "lorry 12", "Lorry 12 south"],
  ["a name that contains a connector", ["Sand and gravel", "Sand", "Gravel"], "sand and gravel", "Sand and gravel"],
  ["several vehicles, not one with all words", ["Sand 1", "Gravel 1", "Gravel and sand 1 1"], "sand 1 & gravel 1", "? Sand 1, Gravel 1"],
  ["one of several that is unknown", ["Sand", "Gravel"], "sand or granite", "!"],
  ["numbers after one kind", ["Old truck 12", "Old truck 13"], "old truck 12, 13", "!"],
  ["numbers joined after one kind", ["Old truck 12", "Old truck 13", "Van 13"], "old truck 12 & 13", "? Old truck 12, Old truck 13"],
  ["a short number as a name", ["7", "Van/AB 7 C"], "7", "7"],
  ["a short number in a registration", ["Van/AB 123 C"], "123", "!"],
  ["a longer number in a registration", ["Van/AB 1234 C"], "1234", "Van"],
  ["a short number and letters in a registration", ["Van/AB 123 C"], "123 C", "Van"],
  ["the beginning of a word in a registration", ["Van/ABCD 1"], "abc", "Van"],
  ["the beginning of a number in a registration", ["Van/1234 AB"], "123", "!"],
  ["the middle of a word in a registration", ["Van/1 ABCD 2"], "abc", "!"],
  ["the end of a word in a registration", ["Van/XABC 2"], "abc", "!"],
  ["the end of a registration, on request", ["Van/XABC"], "ending abc", "Van"],
  ["the start of a registration, when the end was asked for", ["Van/ABC 123"], "ending abc", "!"],
  ["fewer than three characters of a registration", ["Van/AB 12"], "ab", "!"],
  ["a registration among words of the same vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 5 CD 34", "Van 5"],
  ["a registration after other words", ["North van/AB 12 C"], "the north van with AB 12 C", "North van"],
  ["a registration before other words", ["North van/AB 12 C"], "AB 12 C of north", "North van"],
  ["a registration among words in other spellings", ["Van 04/AB 12"], "AB 12 bus furgone 4", "!"],
  ["a registration among synonyms", ["Van 04/AB 12"], "furgone 004 AB 12", "Van 04"],
  ["a registration among words of another vehicle", ["Van 4/AB 12", "Van 5/CD 34"], "van 4 CD 34", "!"],
  ["a registration beside a number", ["Van/AB 12"], "AB 12 5", "!"],
  ["a short registration among words", ["Van/A 1"], "van A 1 north", "!"],
  ["a filler that is a name", ["The star/AB 12", "Sun/CD 34"], "the CD 34", "Sun"],
  ["a name among fillers", ["The star", "Star"], "where is the star", "The star"],
  ["a whole name with a typo, not part of another", ["North depot shuttle", "North depot"], "nort depot", "North depot ~"],
  ["the beginning of a name, not a typo", ["North depot shuttle", "North depos"], "north depot sh", "North depot shuttle ~"],
  ["the beginning of a driver's name", ["Van/AB 12/Anna Maria Ruiz"], "anna mar", "!"],
  ["the beginning of a name, ending in a number", ["Van 123"], "van 12", "!"],
  ["a single short word", ["Strasbourg express"], "str", "!"],
  ["a single long word", ["Strasbourg express"], "stra", "Strasbourg express ~"],
  ["a typo of a word that exists", ["eTruck", "Truck"], "etruck", "eTruck"],
  ["words of a name and its driver", ["Truck 12/AB 1/Ana Ruiz", "Truck 13/CD 2/Bo Li"], "lorry ana", "Truck 12"],
  ["a number that belongs to no name beside its word", ["Truck 12/AB 1/Ana Ruiz 5"], "truck 5", "!"],
  ["a number after a driver", ["Truck 12/AB 1/Ana Ruiz"], "ana 12", "Truck 12"],
  ["a number after a word of another name", ["Truck 12/AB 1/Ana Ruiz"], "ana truck 13", "!"],
  ["misspelt words of a name and its driver", ["Truck 12/AB 1/Oksana Ruiz"], "oksanna truck", "Truck 12 ~"],
  ["an initial and a name", ["Van/AB 1/Ana Ruiz", "Bus/CD 2/Bo Ruiz"], "b ruiz", "Bus ~"],
  ["an initial and a name of two letters", ["Van/AB 1/Ana Xu", "Bus/CD 2/Bo Xu"], "b xu", "Bus ~"],
  ["an initial of something else", ["Blue Ruiz", "Red Ruiz"], "b ruiz", "!"],
  ["an initial of a driver, beside another name", ["Ruiz/AB 1/Ana Smith"], "a ruiz", "!"],
  ["two letters, which are no initial", ["Van/AB 1/Olga Ruiz"], "ol ruiz", "!"],
  ["initials alone", ["Van/AB 1/Ana Ruiz"], "a r", "!"],
  ["an initial that is in another name", ["Ana/AB 1/Bo Ruiz"], "a ruiz", "!"],
  ["a kind without a number, electric or not", ["eVan 4", "eTruck 5"], "van", "eVan 4"],
  ["a kind with a number, not electric", ["eVan 4"], "van 4", "!"],
  ["a kind with a number elsewhere", ["eVan north 4"], "van north 4", "eVan north 4"],
  ["a kind after a number", ["eVan 4"], "4 van", "eVan 4"],
  ["a number of a name without its word", ["Red truck/AB 1//Depot 13"], "truck 13", "!"],
  ["a number beside its word, and a word of another name", ["Red truck/AB 1//Depot 13"], "red depot 13", "Red truck"],
  ["a number before a word of another name", ["Red truck/AB 1//Depot 13"], "13 red", "Red truck"],
  ["a word that exists, which is no typo", ["Star north", "Stars south"], "star south", "!"],
  ["a registration with a word inside", ["Van/KX21 ABC"], "KX21 the ABC", "!"],
  ["an unknown word", ["Truck 12"], "blue truck 12", "!"],
  [
    "names over 100 characters, cut",
    [`${"x".repeat(99)} 1`, `${"x".repeat(99)} 2`],
    `${"x".repeat(99)} 1`,
    `? ${"x".repeat(99)} 1, ${"x".repeat(99)} 2`,
  ],
  ["nothing but signs", ["--", "Van"], "--", "!"],
  ["the same kind in two places", ["Van north", "Van south"], "van", "? Van north, Van south"],
];

it.each(ROWS)("%s: of %j, %j finds %j", async (_, fleet, query, expected) => {
  const resolution = await resolveName(query, indexOf(fleet));
  const names = resolution.result === "ambiguous" ? resolution.matches.map(({ value }) => value.assetName).join(", ") : "";
  if (resolution.result === "found") expect(`${resolution.match.value.assetName}${resolution.match.respelt ? " ~" : ""}`).toBe(expected);
  else expect(resolution.result === "ambiguous" ? `? ${names}` : "!").toBe(expected);
});

/** The nearest names of an unknown one. */
const NEAREST: [why: string, fleet: string[], query: string, expected: string[]][] = [
  [
    "the closest three, closest first",
    ["Truck 199", "Truck 11", "Truck 13", "Van 4", "Truck 1"],
    "truck 12",
    ["Truck 11", "Truck 13", "Truck 1"],
  ],
  ["the first of equally close ones", ["A1", "A2", "A3", "A4"], "a5", ["A1", "A2", "A3"]],
  ["abbreviated names", ["Bus 12", "Van 9", "Trailer 12", "Truck 12"], "t 12", ["Trailer 12", "Truck 12", "Bus 12"]],
  ["abbreviated names with the same number", ["Bus 12", "Trailer 13", "Truck 12"], "t 12", ["Truck 12", "Bus 12"]],
  ["names with the same number, despite an unknown word", ["Van 34", "Truck 12"], "purple velvet 34", ["Van 34"]],
  ["similar registrations", ["Van/XY 77 Z", "Bus/KX21 ABC"], "KX21 ABD", ["Bus"]],
  ["registrations only if the query has a digit", ["Boxes/VANYYZ"], "vanyyx", []],
  ["registrations that contain the query", ["Bus/KX21 ABC"], "x21a", ["Bus"]],
  ["nothing that is entirely different", ["x".repeat(40)], "truck 12", []],
  [
    "everyone whose name begins with a single word",
    ["Van 1/A 1/Marco Mansour", "Bus 2/B 2/Sophie Marchand", "Truck 3/C 3/Omar Diaz"],
    "mar",
    ["Van 1", "Bus 2"],
  ],
  ["nobody whose name begins with two letters", ["Van 1/A 1/Marco Mansour"], "ma", []],
  ["nothing that differs by more than two fifths of the longer text", ["Kzrlona"], "karlo", []],
  ["no other vehicles", ["eVan 3", "Truck 12"], "zeppelin", []],
  ["no other people", ["Truck 12/AB 1/Karin Öberg"], "Kevin Marsh", []],
];

it.each(NEAREST)("nearest are %s", async (_, fleet, query, expected) => {
  const resolution = await resolveName(query, indexOf(fleet));
  const nearest = resolution.result === "notFound" ? await resolution.nearest() : [];
  expect(nearest.map(({ assetName }) => assetName)).toEqual(expected);
});
