import { describe, expect, it } from "vitest";
import { Pseudonyms } from "../src/fleet/pseudonyms.ts";

const KEYS = ["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "YSBmaXhlZCBrZXkgb2YgZm9ydHktdHdvIGJ5dGVzLCBubyBzZWNyZXQhIQ=="];

/** As node:crypto made them in earlier releases: the same driver has the same pseudonym as long as the key stays. */
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
  it.each(KNOWN)("of %j is the one that earlier releases made", (name, ...aliases) => {
    expect(KEYS.map((key) => new Pseudonyms(key).of(name))).toEqual(aliases);
  });

  it("is another one without a key, and the same for as long as the process lives", () => {
    const [one, other] = [new Pseudonyms(undefined), new Pseudonyms(undefined)];
    expect(one.of("Anna Kowalska")).toBe(one.of("Anna Kowalska"));
    expect(one.of("Anna Kowalska")).not.toBe(other.of("Anna Kowalska"));
  });

  it("is its own pseudonym, and that of the name with blanks around it", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    const pseudonym = pseudonyms.of(" Anna Kowalska\n");
    expect(pseudonym).toBe("Driver db37e4");
    expect(pseudonyms.of(pseudonym)).toBe(pseudonym);
  });

  it("stands for a known name in another case, with other blanks and in another form of Unicode (pseudonyms.ts)", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Łukasz Żółć");
    for (const written of ["ŁUKASZ ŻÓŁĆ", "Łukasz  Żółć", "łukasz żółć".normalize("NFD"), "Łukasz\u00a0Żółć"]) {
      expect(pseudonyms.ofKnown(written)).toBe("Driver f2b684");
      expect(pseudonyms.hideIn(`Refused: ${written} is off duty`)).toBe("Refused: Driver f2b684 is off duty");
    }
    pseudonyms.learn("Will");
    expect(pseudonyms.hideIn("Nothing will be sent")).toBe("Nothing will be sent");
  });

  it("stands for a known name that is the whole of a text, or a part of one of ours", () => {
    const pseudonyms = new Pseudonyms(KEYS[0]);
    pseudonyms.learn("Anna Kowalska");
    pseudonyms.learn(" ");
    expect(["Anna Kowalska ", "Anna", " "].map((text) => pseudonyms.ofKnown(text))).toEqual(["Driver db37e4", undefined, undefined]);
    expect(pseudonyms.hideIn("Refused: Anna Kowalska is off duty")).toBe("Refused: Driver db37e4 is off duty");
  });
});
