import { LivePosition, operations, type Sensitivity } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { leftovers } from "../src/recording/leftovers.ts";
import { Pseudonyms } from "../src/recording/pseudonyms.ts";
import { Scrubber } from "../src/recording/scrub.ts";
import { mostTelling } from "../src/recording/shorten.ts";

const key = Buffer.from("a key of a test");

describe("a pseudonym", () => {
  it.each<[Sensitivity, string, RegExp]>([
    ["name", "Krzysztof Kaczmarek", /^[A-Z][a-z]{8} [A-Z][a-z]{8}$/],
    ["registration", "KX21 ABC", /^[A-Z]{2}\d{2} [A-Z]{3}$/],
    ["vin", "WDB9634031L123456", /^[A-Z]{3}\d{7}[A-Z]\d{6}$/],
    ["id", "g1001.g1002", /^[a-z]\d{4}\.[a-z]\d{4}$/],
    ["phone", "+49 30 1234567", /^\+\d{2} \d{2} \d{7}$/],
    ["email", "jane.doe@company.com", /^[a-z]{4}\.[a-z]{3}@example\.test$/],
    ["url", "https://bucket.example/a/b.pdf?sig=xyz", /^https:\/\/files\.example\.test\/[a-z]\/[a-z]\.[a-z]{3}$/],
    ["text", "Ring at gate 3, Müller", /^[A-Z][a-z]{3} [a-z]{2} [a-z]{4} \d, [A-Z][äéîõüçñøßł][a-z]{4}$/],
    ["text", "Ask jane.doe@company.com first", /^[A-Z][a-z]{2} [a-z]{4}\.[a-z]{3}@example\.test [a-z]{5}$/],
    ["id", "jane.doe@company.com", /^[a-z]{4}\.[a-z]{3}@example\.test$/],
    ["label", "Maria 0177 1234", /^[A-Z][a-z]{4} \d{4} \d{4}$/],
  ])("of the kind %s keeps the shape of %s", (kind, value, shape) => {
    const pseudonym = new Pseudonyms(key).text(value, kind);
    expect(pseudonym).toMatch(shape);
    expect(pseudonym).not.toBe(value);
    expect(new Pseudonyms(key).text(value, kind)).toBe(pseudonym);
    expect(new Pseudonyms(Buffer.from("another")).text(value, kind)).not.toBe(pseudonym);
  });

  it.each<[Sensitivity, number, RegExp]>([
    ["latitude", 52.520008, /^-?\d{1,2}\.\d{1,6}$/],
    ["longitude", 13.4, /^-?\d{1,3}(\.\d)?$/],
    ["serial", 356938035643809, /^\d{15}$/],
    ["serial", 9007199254740992, /^\d{15,16}$/],
    ["phone", 491771234567, /^\d{12}$/],
    ["name", 4711, /^\d{4}$/],
  ])("of the kind %s keeps the shape of %d", (kind, value, shape) => {
    const pseudonym = new Pseudonyms(key).number(value, kind);
    expect(String(pseudonym)).toMatch(shape);
    expect(pseudonym).not.toBe(value);
  });

  it.each(["ACTIVE", "BI-FUEL", "$UNKNOWN"])("is not needed for the label %s", (label) => {
    expect(new Pseudonyms(key).text(label, "label")).toBe(label);
  });
});

describe("the scrubber", () => {
  it("joins values wherever they stand, and says which fields show pseudonyms", () => {
    const scrubber = new Scrubber(new Pseudonyms(key));
    const [position] = scrubber.answer(
      [{ driverId: "p501", driverName: "Anna", speed: 80 }],
      operations.listLivePositions.output,
    ) as LivePosition[];
    const faults = scrubber.answer({ items: [{ driverId: "p501" }] }, operations.listVehicleFaults.output) as {
      items: { driverId: string }[];
    };
    expect(faults.items[0]?.driverId).toBe(position?.driverId);
    expect(position?.speed).toBe(80);
    expect([...scrubber.scrubbed]).toEqual(["[].driverId", "[].driverName", "items[].driverId"]);
  });

  it("takes what no schema describes for somebody's", () => {
    const scrubber = new Scrubber(new Pseudonyms(key));
    const odd = {
      total: 3,
      at: "2026-11-20T08:30:00Z",
      who: "Anna",
      where: [52.520008, 13.404954, 48.85],
      serial: 356938035643809,
      pin: 4711,
      born: "1984-05-06",
      Anna: 1,
      map: { "Anna Keller": true },
    };
    const scrubbed = scrubber.answer(odd, operations.listJobs.output) as typeof odd;
    expect(scrubbed).toMatchObject({ total: 3, at: expect.stringMatching(/^20[0-2]\d-[01]\d-[0-2]\dT08:30:00Z$/) });
    expect(JSON.stringify(scrubbed)).not.toMatch(/Anna|52\.52|13\.4|48\.85|356938035643809|2026-11-20|4711|1984/);
  });

  it("takes a value of another type than its field's for somebody's", () => {
    const odd = [{ speed: "at Anna's", privacy: "Anna Keller", odometer: { driver: "Anna" }, driverId: 4711223, assetName: 815 }];
    const scrubbed = new Scrubber(new Pseudonyms(key)).answer(odd, operations.listLivePositions.output);
    expect(JSON.stringify(scrubbed)).not.toMatch(/Anna|4711223|815/);
  });

  it("knows every field of a live position", () => {
    const everything = Object.fromEntries(Object.keys(LivePosition.shape).map((name) => [name, `Somebody ${name}`]));
    const [scrubbed] = new Scrubber(new Pseudonyms(key)).answer([everything], operations.listLivePositions.output) as Record<
      string,
      string
    >[];
    const kept = Object.keys(everything).filter((name) => scrubbed?.[name] === everything[name]);
    expect(kept).not.toEqual(expect.arrayContaining(["assetVin"]));
    for (const name of ["driverName", "assetName", "formattedAddress", "locationName", "tags", "postCode", "road"])
      expect(kept).not.toContain(name);
  });
});

describe("an original", () => {
  const leftIn = ({ note, ...record }: Record<string, unknown>) => {
    const pseudonyms = new Pseudonyms(key);
    const told = { scrubbed: new Scrubber(pseudonyms).answer([record], operations.listLivePositions.output), note };
    return leftovers(told, told, [], pseudonyms);
  };

  it.each([
    ["is left over where it still stands", { driverName: "Anna Keller", note: "Anna Keller" }, ["1 values that should show pseudonyms"]],
    [
      "is left over among other words",
      { driverName: "Anna Keller", note: "Ring Anna Keller first" },
      ["1 values that should show pseudonyms"],
    ],
    ["is none within a longer word", { city: "Leeds", note: "Leedsbury" }, []],
    ["is not where another field tells it to everybody", { city: "Singapore", country: "Singapore" }, []],
    ["is not where it is the name of a field", { by: { sortedBy: "driverName" }, driverName: "Anna Keller" }, []],
  ])("%s", (_, record, found) => {
    expect(leftIn(record)).toEqual(found);
  });
});

it("is cleared from other texts, the longer one first", () => {
  const pseudonyms = new Pseudonyms(key);
  const [person, place] = ["Anna Keller", "Anna Keller Street"].map((text) => pseudonyms.text(text, "name"));
  expect(pseudonyms.cleared({ note: ["Ring Anna Keller; near Anna Keller Street"], count: 1 })).toEqual({
    note: [`Ring ${person}; near ${place}`],
    count: 1,
  });
});

describe("of many records those are kept that show most", () => {
  it("in their own order", () => {
    const records = [{ a: 1 }, { a: 2 }, { a: 3, b: 4, c: 5 }, { d: 6 }];
    expect(mostTelling(records, 2)).toEqual([{ a: 3, b: 4, c: 5 }, { d: 6 }]);
    expect(mostTelling(records, 9)).toEqual(records);
  });
});
