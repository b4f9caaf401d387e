import { expect, it } from "vitest";
import { isPlain, kindOf, meanings } from "../../src/names/query-meanings.ts";
import { agreesOnNumbers, numberedWords } from "../../src/names/query-words.ts";
import { townOf } from "../../src/places/towns.ts";

it.each([
  ["trucks", "truck"],
  ["lorry", "truck"],
  ["ciezarowka", "truck"],
  ["ciezarowki", "truck"],
  ["camiones", "truck"],
  ["lkws", "truck"],
  ["грузовик", "truck"],
  ["furgoni", "van"],
  ["van", "van"],
  ["bus", undefined],
  ["anhaenger", "trailer"],
  ["remorques", "trailer"],
  ["slapy", "trailer"],
  ["autos", "car"],
  ["autobus", undefined],
  ["transporters", "van"],
  ["depot", undefined],
  ["lyon", undefined],
])("%j is a kind of vehicle: %j", (word, kind) => expect(kindOf(word)).toBe(kind));

it.each([
  ["electric van 12", "evan 12"],
  ["12 elektro lkw", "12 etruck"],
  ["e truck", "etruck"],
  ["electric", "e"],
  ["e van e truck", "evan truck"],
  ["evans", "evan"],
  ["evan", "evan"],
  ["e", "e"],
  ["samochod ciezarowy", "truck"],
  ["samochod 4", "car 4"],
  ["auto", "car"],
  ["voiture", "car"],
  ["magazzino nord", "depot nord"],
  ["entrepot", "depot"],
  ["lione", "lyon"],
  ["mueller", "muller"],
  ["haag", "hag"],
  ["philippe", "filippe"],
  ["xavier max", "ksavier maks"],
  ["camion deux", "truck 2"],
  ["0012", "0012"],
])("%j means %j", (text, meaning) => {
  // The second time from the cache.
  for (const _ of [1, 2]) expect(meanings(text.split(" ")).join(" ")).toBe(meaning);
});

it.each([
  ["12", true],
  ["lyon", true],
  ["truck", true],
  ["lkw", false],
  ["lione", false],
  ["two", false],
  ["car", false],
  ["e", false],
])("%j is itself whatever is beside it: %s", (word, plain) => expect(isPlain(word)).toBe(plain));

// One foreign name for each town.
const TOWNS = `antwerpen=anvers basel=bale brugge=bruges bruxelles=brussels dunkerque=dunkirk firenze=florenz gdansk=danzig geneve=genf genova=genua
  gent=gand goteborg=gothenburg hamburg=amburgo hannover=hanovre katowice=kattowitz kobenhavn=copenhagen koln=cologne krakow=krakau liege=luik
  lille=rijsel linz=linec lisboa=lissabon lyon=lione mainz=mayence marseille=marsiglia milano=mailand munchen=monachium namur=namen napoli=neapel
  nurnberg=nuremberg padova=padua plzen=pilsen poznan=posen praha=prague roma=rzym sevilla=siviglia strasbourg=strassburg stuttgart=stoccarda
  szczecin=stettin torino=turin trieste=triest venezia=venedig verona=verone warszawa=varsovie wien=vienna wroclaw=breslau zaragoza=saragossa`;

it.each(TOWNS.split(/\s+/).map((pair) => pair.split("=")))("the town %s is also called %s", (town = "", other = "") => {
  expect(townOf(other)).toBe(town);
  expect(townOf(town)).toBe(town);
});

it.each([
  ["truck 12", "truck 12 trailer 4", true],
  ["truck 4", "truck 12 trailer 4", false],
  ["truck 4", "truck 12 truck 4", true],
  ["truck 12 trailer 5", "truck 12 trailer 4", false],
  ["van 4", "truck 12", true],
  ["4", "truck 12", true],
  ["12 4", "truck 12", true],
  ["truck 12 4", "truck 12 5", true],
])("%j agrees on numbers with %j: %j", (asked, known, agrees) => {
  expect(agreesOnNumbers(numberedWords(asked.split(" ")), known.split(" "), (a, b) => a === b)).toBe(agrees);
});

it.each(["sofia", "sofie", "sofija", "valence", "rom", "graz"])("%j is not another town", (word) => expect(townOf(word)).toBe(word));
