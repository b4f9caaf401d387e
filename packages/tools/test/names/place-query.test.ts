import { expect, it } from "vitest";
import { nameMatch, readPlace, townLabel } from "../../src/lookup/place-query.ts";

it.each([
  // A town, or a country, or both.
  ["Lyon", "lyon"],
  ["France", "(FR) | france"],
  ["Lyon, France", "lyon france | lyon (FR)"],
  ["Lyon France", "lyon france | lyon (FR)"],
  ["Lyon (FR)", "lyon fr | lyon (FR)"],
  ["Cambridge United Kingdom", "cambridge united kingdom | cambridge (GB)"],
  ["Tuzla Bosna a Hercegovina", "tuzla bosna a hercegovina | tuzla (BA)"],
  ["Boston United States of America", "boston united states of america | boston united states america"],
  ["Bosnia and Herzegovina", "(BA) | bosnia and herzegovina | bosnia herzegovina"],
  // A code is read only if it is written like one.
  ["Halle BE", "halle be | halle (BE)"],
  ["Halle be", "halle be"],
  ["Plaza de", "plaza de | plaza"],
  // Filler words, and words for a town.
  ["the city of Kassel", "the city of kassel | kassel"],
  ["near Kassel", "near kassel | kassel"],
  ["Stadt Kassel, Germany", "stadt kassel germany | kassel germany | stadt kassel (DE) | kassel (DE)"],
  ["in Germany", "(DE) | in germany | germany | in (DE)"],
  ["Den Haag", "den hag | hag"],
  ["the city", "the city"],
  ["", ""],
  [`${"bd".repeat(49)} gh`, `${"bd".repeat(49)} g`],
])("%j may mean %s", (text, expected) => {
  const read = readPlace(text).map(({ words, country }) => [...words, ...(country === undefined ? [] : [`(${country})`])].join(" "));
  expect(read.join(" | ")).toBe(expected);
});

it.each([
  ["lyon", "Lyon", "same"],
  ["st polten", "Sankt Pölten", "same"],
  ["saragossa", "Zaragoza", "foreign"],
  ["mailand", "Milano", "foreign"],
  ["frankfurt", "Frankfurt am Main", "longer"],
  ["frankfurt am", "Frankfurt am Main", "longer"],
  ["frankfurt oder", "Frankfurt am Main", undefined],
  ["main", "Frankfurt am Main", undefined],
  ["lyon", "Paris", undefined],
  ["", "Paris", undefined],
  ["paris", "--", undefined],
])("the words %j name %j: %s", (words, name, expected) => {
  expect(nameMatch(words.split(" ").filter(Boolean), name)).toBe(expected);
});

it.each([
  ["Lyon", "FR", "Lyon, France"],
  ["Lyon", "Atlantis", "Lyon, Atlantis"],
  ["Lyon", undefined, "Lyon"],
])("%s in %s is labelled %j", (name, country, label) => expect(townLabel(name, country)).toBe(label));
