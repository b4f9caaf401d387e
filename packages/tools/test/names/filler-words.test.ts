import { expect, it } from "vitest";
import { withoutFillers } from "../../src/names/filler-words.ts";

it.each([
  ["Where is Truck 12, please?", "truck 12"],
  ["Où est l'Orléans s'il te plaît", "orleans"],
  ["dov'è Ana", "ana"],
  ["Ana's van", "ana van"],
  ["camion n° 12", "camion 12"],
  ["n.12", "12"],
  ["the one in Lyon", "lyon"],
  ["How much fuel is left in truck 3?", "truck 3"],
  ["Does car 2 have enough battery?", "car 2"],
  ["Wie viel Tank hat der LKW 3", "lkw 3"],
  ["ile paliwa ma ciężarówka 3", "ciezarowka 3"],
  ["J Smith", "j smith"],
  ["truck van Ana", "truck ana"],
  ["van 4", "van 4"],
  ["van van Ana", "van van ana"],
  ["van vrachtwagen 4", "vrachtwagen 4"],
  ["Truck 1, Van 1", "truck 1 van 1"],
  ["Van 12 truck", "van 12 truck"],
  ["Truck 12 van", "truck 12 van"],
  ["where is it?", "where is it"],
])("of %j, %j identifies the vehicle", (text, words) => expect(withoutFillers(text).join(" ")).toBe(words));

it("keeps words that occur in a name", () => {
  expect(withoutFillers("where is the star", (word) => word === "the")).toEqual(["the", "star"]);
  expect(withoutFillers("truck van Ana", (word) => word === "van")).toEqual(["truck", "van", "ana"]);
});
