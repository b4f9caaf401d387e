import { expect, it } from "vitest";
import { countryCodeOf, countryNameOf } from "../../src/places/countries.ts";

it.each([
  ["DE", "DE"],
  ["Germany", "DE"],
  ["Deutschland", "DE"],
  ["Allemagne", "DE"],
  ["Alemania", "DE"],
  ["Germania", "DE"],
  ["Alemanha", "DE"],
  ["Duitsland", "DE"],
  ["Niemcy", "DE"],
  ["Německo", "DE"],
  ["Tyskland", "DE"],
  ["UK", "GB"],
  ["Great Britain", "GB"],
  ["Holland", "NL"],
  ["Czech Republic", "CZ"],
  ["Türkei", "TR"],
  // A part of a country, of which positions say nothing.
  ["Scotland", undefined],
  ["Bavaria", undefined],
  ["", undefined],
])("%j is the country %j", (text, code) => expect(countryCodeOf(text)).toBe(code));

it("unknown codes are returned as they are", () => {
  expect([countryNameOf("DE"), countryNameOf("Atlantis")]).toEqual(["Germany", "Atlantis"]);
});
