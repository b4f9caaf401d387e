import { describe, expect, it } from "vitest";
import { vehicleNaming } from "../../src/fleet/fleet-naming.ts";
import type { Position } from "../../src/fleet/position.ts";
import { boundariesOf, NameIndex } from "../../src/names/name-index.ts";
import { resolveName } from "../../src/names/resolve-name.ts";

const vehicle = (id: string, assetName: string, more: Position = {}): Position => ({ assetId: `id-${id}`, assetName, ...more });

const FLEET = [
  vehicle("t12", "Truck 12", {
    assetRegistration: "KX21 ABC",
    driverName: "Ana Ruiz",
    assetGroupName: "Lyon",
    assetVin: "WDB9634031L1234567",
  }),
  vehicle("t13", "Truck 13", { assetRegistration: "AB-123-CD", driverName: "Müller Jo", assetGroupName: "Lyon" }),
  vehicle("v4", "Van 4", { assetRegistration: "DE 1234 X", driverName: "Oksana Duda", assetGroupName: "Milano nord" }),
  vehicle("e4", "eVan 5", { assetRegistration: "KX22 ABC", assetGroupName: "Milano nord" }),
  vehicle("n3", "North depot shuttle", { assetRegistration: "7788" }),
  vehicle("n4", "North depot runner", { driverName: "Jo Smith" }),
  vehicle("tt", "Truck 7 trailer 9"),
  { assetId: "id-u", driverName: "Kim Oh", assetGroupName: "Porto" },
  vehicle("st", "Strasbourg express", { driverName: "Bo Tanaka" }),
];
const index = new NameIndex(vehicleNaming);
for (const vehicle of FLEET) index.set(vehicle.assetId, vehicle);

/** The id found and by what, with ~ if spelt differently; `?` and the ids of an ambiguous name; `!` and the nearest ids of an unknown one. */
async function resolved(query: string, among = index): Promise<string> {
  const resolution = await resolveName(query, among);
  const ids = (values: readonly Position[]) => values.map(({ assetId }) => assetId?.slice(3)).join(" ");
  if (resolution.result === "ambiguous") return `? ${ids(resolution.matches.map(({ value }) => value))}`;
  if (resolution.result === "notFound") return `! ${ids(await resolution.nearest())}`;
  const { value, matchedBy, respelt } = resolution.match;
  return `${value.assetId?.slice(3)} by ${matchedBy}${respelt ? " ~" : ""}`;
}

describe("a whole name or code", () => {
  it.each([
    ["Truck 12", "t12 by name"],
    ["truck-0012", "t12 by name"],
    ["12 truck", "t12 by name"],
    ["north depotshuttle", "n3 by name"],
    ["ana ruiz", "t12 by driver"],
    ["ruiz, ana", "t12 by driver"],
    ["lyon", "? t12 t13"],
    ["kx21abc", "t12 by registration"],
    ["K X 2 1 A B C", "t12 by registration"],
    ["id v4", "v4 by id"],
    ["WDB9634031L1234567", "t12 by vin"],
    ["7788", "n3 by registration"],
    ["where is truck 12 right now?", "t12 by name"],
    ["the vehicle with plate KX21 ABC please", "t12 by registration"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("a name in other words", () => {
  it.each([
    ["lorry 12", "t12 by name"],
    ["camion douze", "t12 by name"],
    ["12 lkw", "t12 by name"],
    ["electric van 5", "e4 by name"],
    ["mueller jo", "t13 by driver"],
    ["mailand nord", "? v4 e4"],
    ["truck 9 trailer 7", "! tt"],
    ["van", "v4 by name"],
    ["electric van", "e4 by name"],
    ["camionnette", "? v4 e4"],
    ["van 5", "! v4 e4"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("part of a name or code", () => {
  it.each([
    ["shuttle", "n3 by name"],
    ["north depot", "? n3 n4"],
    ["depot", "? n3 n4"],
    ["trailer 9", "tt by name"],
    ["oksana", "v4 by driver"],
    ["KX21", "t12 by registration"],
    ["ABC", "? t12 e4"],
    ["AB 123", "t13 by registration"],
    ["123 CD", "t13 by registration"],
    ["1234", "v4 by registration"],
    ["DE 123", "! v4"],
    ["123", "! t13"],
    ["KX", "! "],
    ["KX2", "! t12 e4"],
    ["234567", "t12 by vin"],
    ["34567", "! t12"],
    ["34031L", "! t12"],
    ["plate ending ABC", "? t12 e4"],
    ["plate ending KX21", "! t12"],
    ["it ends in 1234", "! "],
    ["it ends in CD", "! "],
    ["it ends in 123CD", "! t13"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("several properties at once", () => {
  it.each([
    ["Truck 12 (KX21 ABC)", "t12 by registration"],
    ["KX21 ABC, Truck 12", "t12 by registration"],
    ["Truck 13 (KX21 ABC)", "! t13 t12 v4"],
    ["12 KX21 ABC", "! t12 e4 t13"],
    ["Ana's truck", "t12 by name"],
    ["Ruiz truck 12", "t12 by name"],
    ["Ruiz truck 13", "! t13"],
    ["lorry of Duda", "! "],
    ["Lyon truck 13", "t13 by name"],
    ["the van of Duda in Milan", "v4 by name"],
    ["A Ruiz", "t12 by driver ~"],
    ["J Smith", "n4 by driver ~"],
    ["J", "! "],
    ["Kim Porto", "u by driver"],
    ["Smith 13", "! t13"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("a misspelt name", () => {
  it.each([
    ["Strasbuorg express", "st by name ~"],
    ["strasb expr", "st by name ~"],
    ["strasbourg exp", "st by name ~"],
    ["shutle", "n3 by name ~"],
    ["truk 12", "t12 by name ~"],
    ["truk 14", "! t12 t13"],
    ["ana riuz", "t12 by driver ~"],
    ["bo tan", "! st"],
    ["bo tana", "st by driver ~"],
    ["nort depot", "? n3 n4"],
    ["ruizz truck", "t12 by name ~"],
    ["KX21 ABD", "! t12 e4"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("several vehicles in one query", () => {
  it.each([
    ["truck 12 or 13", "? t12 t13"],
    ["truck 12 and van 4", "? t12 v4"],
    ["truck 12 & truck 12", "t12 by name"],
    ["truck 12/13", "? t12 t13"],
    ["truck 12 and 99", "! t12 t13"],
    ["KX21 ABC und AB-123-CD", "? t12 t13"],
    ["truck 12; truck 12", "t12 by name"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

describe("an unknown name", () => {
  it.each([
    ["", "! "],
    ["where is it?", "! "],
    ["truck 1", "! t12 t13"],
    ["T 12", "! t12"],
    ["red truck 12", "! t12 t13"],
    ["la 1234", "! "],
    ["no 1234", "v4 by registration"],
    ["the 1234", "v4 by registration"],
    ["1234 von", "! "],
    ["1234 bitte", "v4 by registration"],
    ["depot la 13", "! t13"],
    ["7788 express", "! "],
    ["la 7788", "n3 by registration"],
    ["KX20 ABC", "! t12 e4"],
  ])("%j: %s", async (query, expected) => expect(await resolved(query)).toBe(expected));
});

it.each([
  ["Truck 13, reg KX21 ABC", "kx21abc by registration: t12"],
  ["van 4 WDB9634031L1234567", "wdb9634031l1234567 by vin: t12"],
  ["truck 99", undefined],
  ["red KX20 ABC", undefined],
])("%j has a code of another vehicle: %s", async (query, expected) => {
  const resolution = await resolveName(query, index);
  const { owner } = resolution.result === "notFound" ? resolution : {};
  expect(owner && `${owner.code} by ${owner.by}: ${owner.value.assetId?.slice(3)}`).toBe(expected);
});

it.each([
  ["KX21 ABC", [0, 2, 4, 7]],
  ["AB-123-CD", [0, 2, 5, 7]],
  ["", [0]],
])("the parts of %j begin and end at %j", (written, boundaries) => expect([...boundariesOf({ written })]).toEqual(boundaries));
