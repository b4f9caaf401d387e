import { describe, expect, it } from "vitest";
import { Pseudonyms } from "../src/fleet/pseudonyms.ts";

const KEYS = ["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "YSBmaXhlZCBrZXkgb2YgZm9ydHktdHdvIGJ5dGVzLCBubyBzZWNyZXQhIQ=="];

/** Created with node:crypto, as in earlier releases: a driver keeps the pseudonym as long as the key stays the same. */
const KNOWN: [string, string, string][] = [
  ["Anna Kowalska", "Driver db37e4", "Driver 02647c"],
  ["Łukasz Żółć", "Driver f2b684", "Driver 14f0ae"],
  ["", "Driver 9dac6a", "Driver 1f43e0"],
  ["张伟", "Driver 276904", "Driver c0dec7"],
  ["a\ud800b", "Driver 938d5c", "Driver 335e4d"],
  ["x".repeat(300), "Driver 38ca04", "Driver 87308a"],
  ["\u{1F69A} driver", "Driver 89efdc", "Driver 336286"],
];

describe("a driver's pseudonym", () => {
  it.each(KNOWN)("of %j equals that of earlier releases", (name, ...aliases) => {
    expect(KEYS.map((key) => new Pseudonyms(key).of(name))).toEqual(aliases);
  });

  it("differs without a key, and stays the same within a process", () => {
    const [one, other] = [new Pseudonyms(undefined), new Pseudonyms(undefined)];
    expect(one.of("Anna Kowalska")).toBe(one.of("Anna Kowalska"));
    expect(one.of("Anna Kowalska")).not.toBe(other.of("Anna Kowalska"));
  });

  it("is its own pseudonym, and ignores whitespace around a name", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    const pseudonym = pseudonyms.of(" Anna Kowalska\n");
    expect(pseudonym).toBe("Driver db37e4");
    expect(pseudonyms.of(pseudonym)).toBe(pseudonym);
  });

  it("replaces a known name in any case, whitespace and Unicode form (pseudonyms.ts)", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Łukasz Żółć");
    for (const written of ["ŁUKASZ ŻÓŁĆ", "Łukasz  Żółć", "łukasz żółć".normalize("NFD"), "Łukasz\u00a0Żółć"]) {
      expect(pseudonyms.ofKnown(written)).toBe("Driver f2b684");
      expect(pseudonyms.hideIn(`Refused: ${written} is off duty`)).toBe("Refused: Driver f2b684 is off duty");
    }
    pseudonyms.learn("Will");
    expect(pseudonyms.hideIn("Nothing will be sent")).toBe("Nothing will be sent");
  });

  it("replaces the longest of several known names, and tells apart names that differ only in case", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    for (const name of ["Anna", "Anna Kowalska", "ANNA KOWALSKA"]) pseudonyms.learn(name);
    expect(pseudonyms.hideIn("Refused: Anna Kowalska is off duty")).toBe("Refused: Driver db37e4 is off duty");
    const known = ["Anna Kowalska", "ANNA KOWALSKA"].map((name) => pseudonyms.ofKnown(name));
    expect(known).toEqual([pseudonyms.of("Anna Kowalska"), pseudonyms.of("ANNA KOWALSKA")]);
    expect(new Set(known).size).toBe(2);
  });

  it("replaces a known name that is a whole text or part of one of ours", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Anna Kowalska");
    pseudonyms.learn(" ");
    expect(["Anna Kowalska ", "Anna", " "].map((text) => pseudonyms.ofKnown(text))).toEqual(["Driver db37e4", undefined, undefined]);
    expect(pseudonyms.hideIn("Refused: Anna Kowalska is off duty")).toBe("Refused: Driver db37e4 is off duty");
  });
});
