import { describe, expect, it } from "vitest";
import { Pseudonyms } from "../src/fleet/pseudonyms.ts";

const KEYS = ["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "YSBmaXhlZCBrZXkgb2YgZm9ydHktdHdvIGJ5dGVzLCBubyBzZWNyZXQhIQ=="];

/** Created with node:crypto: a driver keeps the pseudonym as long as the key stays the same. */
const KNOWN: [string, string, string][] = [
  ["Anna Kowalska", "Driver db37e4c37b", "Driver 02647cd6f6"],
  ["Łukasz Żółć", "Driver f2b684425e", "Driver 14f0ae1e91"],
  ["", "Driver 9dac6a7440", "Driver 1f43e00a6d"],
  ["张伟", "Driver 276904d2ea", "Driver c0dec7a14f"],
  ["a\ud800b", "Driver 938d5cd61a", "Driver 335e4de8c8"],
  ["x".repeat(300), "Driver 38ca0469b1", "Driver 87308a2dc0"],
  ["\u{1F69A} driver", "Driver 89efdc0b5e", "Driver 33628684b0"],
];

describe("a driver's pseudonym", () => {
  it.each(KNOWN)("of %j depends on the key only", (name, ...aliases) => {
    expect(KEYS.map((key) => new Pseudonyms(key).of(name))).toEqual(aliases);
  });

  it("differs without a key, and stays the same within a process", () => {
    const [one, other] = [new Pseudonyms(undefined), new Pseudonyms(undefined)];
    expect(one.of("Anna Kowalska")).toBe(one.of("Anna Kowalska"));
    expect(one.of("Anna Kowalska")).not.toBe(other.of("Anna Kowalska"));
  });

  it("is longer if another driver's begins alike", () => {
    const [one, other] = ["Anna 719087", "Anna 1439029"];
    const pseudonyms = new Pseudonyms(KEYS[0]);
    expect(pseudonyms.of(one)).toBe("Driver dccd54a814");
    expect(pseudonyms.of(other)).toMatch(/^Driver dccd54a814[0-9a-f]{2}$/);
    expect(pseudonyms.of(one)).toBe("Driver dccd54a814");
  });

  it("is its own pseudonym, and ignores whitespace around a name", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    const pseudonym = pseudonyms.of(" Anna Kowalska\n");
    expect(pseudonym).toBe("Driver db37e4c37b");
    expect(pseudonyms.of(pseudonym)).toBe(pseudonym);
  });

  it("replaces a known name in any case, whitespace and Unicode form (pseudonyms.ts)", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Łukasz Żółć");
    for (const written of ["ŁUKASZ ŻÓŁĆ", "Łukasz  Żółć", "łukasz żółć".normalize("NFD"), "Łukasz\u00a0Żółć"]) {
      expect(pseudonyms.ofKnown(written)).toBe("Driver f2b684425e");
      expect(pseudonyms.hideIn(`Refused: ${written} is off duty`)).toBe("Refused: Driver f2b684425e is off duty");
    }
    pseudonyms.learn("Will");
    expect(pseudonyms.hideIn("Nothing will be sent")).toBe("Nothing will be sent");
  });

  it("replaces the longest of several known names, and tells apart names that differ only in case", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    for (const name of ["Anna", "Anna Kowalska", "ANNA KOWALSKA"]) pseudonyms.learn(name);
    expect(pseudonyms.hideIn("Refused: Anna Kowalska is off duty")).toBe("Refused: Driver db37e4c37b is off duty");
    const known = ["Anna Kowalska", "ANNA KOWALSKA"].map((name) => pseudonyms.ofKnown(name));
    expect(known).toEqual([pseudonyms.of("Anna Kowalska"), pseudonyms.of("ANNA KOWALSKA")]);
    expect(new Set(known).size).toBe(2);
  });

  it("replaces a known name that is a whole text or part of one of ours", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Anna Kowalska");
    pseudonyms.learn(" ");
    expect(["Anna Kowalska ", "Anna", " "].map((text) => pseudonyms.ofKnown(text))).toEqual(["Driver db37e4c37b", undefined, undefined]);
    expect(pseudonyms.hideIn("Refused: Anna Kowalska is off duty")).toBe("Refused: Driver db37e4c37b is off duty");
  });

  it("does not replace a name in what the service says if the caller's own text contains it", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    for (const name of ["Anna Kowalska", "Jan Nowak"]) pseudonyms.learn(name);
    expect(pseudonyms.hideIn("Anna Kowalska, not Jan Nowak", "notes for ANNA  Kowalska")).toBe(
      `[a driver's name], not ${pseudonyms.of("Jan Nowak")}`,
    );
  });
});
