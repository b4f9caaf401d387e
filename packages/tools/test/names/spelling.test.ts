import { describe, expect, it } from "vitest";
import { asToken, compact, editDistance, fold, isTypo, nameTokens, runTogether } from "../../src/text/spelling.ts";

it.each([
  ["TRUCK 12", "truck 12"],
  ["Müller", "muller"],
  ["Mu\u0308ller", "muller"],
  ["Straße", "strasse"],
  ["Łódź", "lodz"],
  ["Đorđe", "dorde"],
  ["Bjørn", "bjorn"],
  ["Işık", "isik"],
  ["Ærø", "aero"],
  ["Cœur", "coeur"],
  ["ŠKODA ①", "skoda 1"],
])("%j is folded to %j", (text, folded) => expect(fold(text)).toBe(folded));

it.each([
  ["Truck-012", ["truck", "12"]],
  ["Truck 12A", ["truck", "12", "a"]],
  ["000", ["0"]],
  ["Nº 100", ["no", "100"]],
  ["-- / --", []],
])("the name %j consists of %j", (text, tokens) => expect(nameTokens(text)).toEqual(tokens));

it.each([
  ["012", "12"],
  ["0", "0"],
  ["o12", "o12"],
])("%j is compared as %j", (word, token) => expect(asToken(word)).toBe(token));

it.each([
  [["north", "depot", "3"], "northdepot 3"],
  [["van", "1", "2", "left", "door"], "van 1 2 leftdoor"],
  [[], ""],
])("the words %j are joined to %j", (tokens, joined) => expect(runTogether(tokens)).toBe(joined));

it.each([
  ["KX21 ABC", "kx21abc"],
  ["KX-21.ABC", "kx21abc"],
  ["WPI Ś12", "wpis12"],
])("the code %j is compared as %j", (code, text) => expect(compact(code)).toBe(text));

const LONG = "a".repeat(256);

describe("edit distance", () => {
  it.each([
    ["same", "", "", 2, 0],
    ["same", "depot", "depot", 2, 0],
    ["inserted", "depo", "depot", 2, 1],
    ["deleted", "depott", "depot", 2, 1],
    ["replaced", "depat", "depot", 2, 1],
    ["replaced at the start", "xepot", "depot", 2, 1],
    ["swapped", "dpeot", "depot", 2, 1],
    ["swapped at the start", "edpot", "depot", 2, 1],
    ["swapped at the end", "depto", "depot", 2, 1],
    ["swapped twice", "edpto", "depot", 2, 2],
    ["swapped and inserted", "edpott", "depot", 2, 2],
    ["two letters apart", "tepod", "depot", 5, 2],
    ["from nothing", "", "abc", 3, 3],
    ["to nothing", "abc", "", 3, 3],
    ["insertions", "axbxcx", "abc", 5, 3],
    ["nothing in common", "abc", "xyz", 5, 3],
    ["more than counted", "abc", "xyz", 1, 2],
    ["too many letters more", "abc", "abcdef", 2, 3],
    ["more found at the end", "abcdxy", "abcdvw", 1, 2],
    ["the maximum length", LONG, `${LONG.slice(1)}b`, 3, 1],
    ["longer than compared", `${LONG}a`, `${LONG}a`, 3, 4],
  ])("%s: %j and %j, counted up to %i: %i", (_, a, b, most, distance) => {
    expect(editDistance(a, b, most)).toBe(distance);
    expect(editDistance(b, a, most)).toBe(distance);
  });
});

describe("typos", () => {
  it.each([
    ["same word", "12", "12", true],
    ["one letter in four", "lyom", "lyon", true],
    ["two letters in seven", "marsile", "marseil", false],
    ["two letters in eight", "marsielle", "marseile", true],
    ["two letters in eight", "strasbuor", "strasbur", true],
    ["three letters in eight", "strxxxur", "strasbur", false],
    ["one letter of three", "vat", "van", false],
    ["a swapped letter of three", "avn", "van", true],
    ["three letters in another order", "nav", "van", false],
    ["a doubled letter of three", "vann", "van", true],
    ["a doubled letter of three", "van", "vvan", true],
    ["a letter more than three", "vani", "van", false],
    ["a letter three times", "vannn", "van", false],
    ["a swapped letter of two", "ev", "ve", false],
    ["a doubled letter of two", "evv", "ev", false],
    ["numbers", "1234", "1243", false],
    ["a number and a word", "1234", "l234", false],
    ["a word and a number", "l234", "1234", false],
  ])("%s: %j for %j is one: %j", (_, a, b, is) => {
    expect(isTypo(a, b)).toBe(is);
    expect(isTypo(b, a)).toBe(is);
  });
});
