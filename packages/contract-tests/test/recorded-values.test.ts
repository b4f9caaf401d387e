import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { presenceOf, readBaseline, writeBaseline } from "../src/checks/presence.ts";
import { loadFixtures } from "../src/index.ts";
import { isRecordable, recordedHeaders } from "../src/recording/headers.ts";
import { isCountry, isDocumentedField, isKnownValue, isLanguage } from "../src/recording/known-words.ts";
import { Pseudonyms, wordPositions } from "../src/recording/pseudonyms.ts";
import { Scrubber, schemaOf } from "../src/recording/scrub.ts";
import { shortened } from "../src/recording/shorten.ts";
import { isOfKind } from "../src/recording/value-kinds.ts";
import { changesIn, writeRecordings } from "../src/recording/write-recordings.ts";
import { temporaryFolder } from "./run-command.ts";

const pseudonyms = () => new Pseudonyms(Buffer.from("a key of a test"));

describe("a header", () => {
  it.each([
    ["content-type", "application/json", true],
    ["content-type", 'application/json; charset="utf-8"', true],
    ["content-type", "application/jane", false],
    ["retry-after", "120", true],
    ["retry-after", "Fri, 20 Nov 2026 08:30:00 GMT", true],
    ["retry-after", "0177 1234567", false],
    ["authorization", "Basic <BASE64_CREDENTIALS>", true],
    ["authorization", "Basic c29tZWJvZHk=", false],
    ["x-connect-token", "TOKEN <ACCESS_TOKEN>", true],
    ["x-other", "TOKEN <ACCESS_TOKEN>", false],
  ])("%s: %s may be recorded: %s", (name, value, may) => expect(isRecordable(name, value)).toBe(may));

  it("with a value that may not be recorded is named, and others are ignored", () => {
    const headers = { "content-type": "application/json", "retry-after": "Jane", "x-served-by": "Jane" };
    expect(recordedHeaders(headers)).toEqual({ headers: { "content-type": "application/json" }, unexpected: ["retry-after"] });
  });
});

describe("a word", () => {
  it.each([
    ["Deutschland", true],
    ["FRANCE", true],
    ["Northern Ireland", true],
    ["gb", true],
    ["Co\u0302te d’Ivoire", true],
    ["Jane", false],
    ["qq", false],
  ])("%s is a country, or its code: %s", (text, is) => expect(isCountry(text)).toBe(is));
  it.each([
    ["en", true],
    ["en-GB", true],
    ["en-gb", false],
    ["xx", false],
    ["", false],
  ])("%j is a language: %s", (text, is) => expect(isLanguage(text)).toBe(is));
  it.each([
    ["In progress", true],
    ["BI-FUEL", true],
    ["active", true],
    ["Jane", false],
  ])("%j is a known value: %s", (text, is) => expect(isKnownValue(text)).toBe(is));
  it.each([
    ["assetName", true],
    ["assetname", false],
  ])("%j is a documented field: %s", (name, is) => expect(isDocumentedField(name)).toBe(is));
});

it.each([
  ["Anna", "Anna, Annabel, and Anna", [0, 19]],
  ["Anna", "Joanna", []],
  ["Anna", "7Anna", []],
  ["a", "", []],
])("%j is in %j at %j", (words, text, positions) => expect(wordPositions(words, text)).toEqual(positions));

describe("a value", () => {
  it.each([null, ""])("%j has any kind", (value) => {
    for (const kind of ["country", "flag", { min: 1, max: 2 }] as const) expect(isOfKind(value, kind)).toBe(true);
  });

  it.each([
    [{ min: 0, max: 9 }, "9.0", true],
    [{ min: 0, max: 9 }, "9.1", false],
    [{ min: 0, max: 9 }, "1e0", false],
    ["flag", "null", true],
    ["flag", "true", true],
    ["flag", "false", true],
    ["make", "Abarth", true],
    ["make", "ZF", true],
    ["flag", "yes", false],
    ["instant", "1999-12-31", false],
    ["instant", "20 Nov", false],
    ["field", "resources[10].vehicleName", true],
    ["field", "resources[12345].vehicleName", false],
    ["label", "1234", false],
  ] as const)("of the kind %j may be %j: %s", (kind, value, is) => expect(isOfKind(value, kind)).toBe(is));
});

describe("a pseudonym", () => {
  it.each([
    ["latitude", 80],
    ["longitude", 180],
  ] as const)("of a %s is within %d degrees, with as many decimals", (kind, most) => {
    const numbers = Array.from({ length: 400 }, (_, at) => pseudonyms().number(at + 0.25, kind));
    expect(numbers.every((number) => Math.abs(number) <= most)).toBe(true);
    expect(Math.max(...numbers)).toBeGreaterThan(most * 0.9);
    expect(Math.min(...numbers)).toBeLessThan(-most * 0.9);
    expect(numbers.every((number) => (String(number).split(".")[1] ?? "").length <= 2)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(300);
  });

  it.each([
    [-4711, /^-\d{4}$/],
    [1e21, /^\d$/],
    [0.5, /^\d(\.\d)?$/],
  ])("of the number %d keeps its sign and its digits", (value, form) => expect(String(pseudonyms().number(value, "serial"))).toMatch(form));

  it("of a date is a valid day of this century", () => {
    for (let day = 1; day <= 28; day++) {
      const text = pseudonyms().text(`1984-05-${String(day).padStart(2, "0")}T08:30:00Z`, "text");
      expect(text).toMatch(/^20[0-2]\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T08:30:00Z$/);
    }
  });

  it("uses all letters and digits", () => {
    const text = pseudonyms().text("aA0é".repeat(500), "name");
    expect(new Set(text).size).toBe(26 + 26 + 10 + 10);
  });

  it("of a secret is a placeholder, and of an address has only its path", () => {
    expect(pseudonyms().text("eyJ", "secret")).toBe("<ACCESS_TOKEN>");
    expect(pseudonyms().text("ftp://host.example/ab/c?x#y", "url")).toMatch(/^https:\/\/files\.example\.test\/[a-z]{2}\/[a-z]$/);
    expect(pseudonyms().text("https://host.example", "url")).toBe("https://files.example.test/");
  });

  it("is known as one, and an original is not if it is short, public or its own pseudonym", () => {
    const all = pseudonyms();
    const name = all.text("Anna Keller", "name");
    all.text("Emma", "name");
    all.text("Clara", "name");
    all.text("Paris", "place");
    all.shown("Paris", "country");
    all.text("-----", "text");
    expect([all.has(name), all.has("Anna Keller")]).toEqual([true, false]);
    expect(all.originals).toEqual(["Anna Keller", "Clara"]);
    expect(all.all.has(name)).toBe(true);
  });

  it.each([
    ["Anna Keller", "KELLER_TRIP"],
    ["Jan", "JAN_REST"],
    ["Anna Li", "LI"],
  ])("replaces the labels in which a word of %s occurs, and no other", (name, label) => {
    const all = pseudonyms();
    all.shown(label, "label");
    all.shown("LONG-TRIP", "label");
    all.text(name, "name");
    const [replaced, other] = all.cleared([label, "LONG-TRIP"]);
    expect(replaced).toMatch(new RegExp(`^${label.replace(/[A-Z]/g, "[A-Z]")}$`));
    expect(replaced).not.toBe(label);
    expect(other).toBe("LONG-TRIP");
  });
});

describe("the scrubber", () => {
  it.each([
    [200, {}, "output"],
    [299, {}, "output"],
    [400, {}, "error"],
    [400, [], "errors"],
    [199, {}, "error"],
    [300, {}, "error"],
  ] as const)("reads a body of status %d %j as an %s", (status, body, kind) => {
    const schema = schemaOf(operations.updateGroup, status, body);
    expect(schema === operations.updateGroup.output ? "output" : schema._zod.def.type === "array" ? "errors" : "error").toBe(kind);
    expect(schemaOf(operations.requestAccessToken, status, body)).toBe(operations.requestAccessToken.output);
  });

  it("keeps single digits and what a schema allows, and lists where pseudonyms are", () => {
    const scrubber = new Scrubber(pseudonyms());
    const { data } = scrubber.response(
      { data: { total: -9, ten: 10, far: 181.5, near: 1.5, flag: true, none: null } },
      operations.listJobs.output,
    ) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ total: -9, flag: true, none: null });
    expect([data["ten"], data["far"], data["near"]]).not.toEqual([10, 181.5, 1.5]);
    expect(Math.abs(Number(data["near"]))).toBeLessThanOrEqual(80);
    expect([...scrubber.scrubbed]).toEqual(["data.ten", "data.far", "data.near"]);
  });
});

describe("a shortened body", () => {
  const three = [{ a: 1 }, { a: 2 }, { a: 3 }];
  it.each([
    [three, [{ a: 1 }, { a: 2 }], ["[]: 2 of 3 records"]],
    [three.slice(1), three.slice(1), []],
    [[1, 2, 3], [1, 2, 3], []],
    [{ items: three, total: 3 }, { items: [{ a: 1 }, { a: 2 }], total: 3 }, ["items: 2 of 3 records"]],
    [{ "of Jane": three }, { "of Jane": [{ a: 1 }, { a: 2 }] }, ["<name>: 2 of 3 records"]],
    ["text", "text", []],
    [null, null, []],
  ])("of %j is %j, without %j", (body, kept, omitted) => expect(shortened(body, 2)).toEqual({ body: kept, omitted }));
});

describe("a recording in a folder", () => {
  const [one, two] = loadFixtures();
  if (!one || !two) throw new Error("no fixtures");
  const named = [
    { ...one, id: "one" },
    { ...two, id: "two" },
  ];

  it("is new, then the same even on another day, then changed in what it lists", () => {
    const folder = temporaryFolder();
    expect(changesIn(folder, named).map(({ kind }) => kind)).toEqual(["new", "new"]);
    writeRecordings(folder, named, changesIn(folder, named));
    const later = named.map((fixture) => ({ ...fixture, provenance: { ...fixture.provenance, date: "2030-01-01" } }));
    expect(changesIn(folder, later).map(({ kind, differences }) => [kind, differences])).toEqual([
      ["same", []],
      ["same", []],
    ]);
    const other = [{ ...later[0], title: "Other", provenance: { ...one.provenance, source: "elsewhere" } }, later[1]] as typeof named;
    const changes = changesIn(folder, other);
    expect(changes.map(({ kind }) => kind)).toEqual(["changed", "same"]);
    expect(changes[0]?.differences).toEqual([
      `$.title is "Other", expected ${JSON.stringify(one.title)}`,
      `$.provenance.source is "elsewhere", expected ${JSON.stringify(one.provenance.source)}`,
    ]);
    const before = readFileSync(join(folder, "two.json"), "utf8");
    writeRecordings(folder, other, changes);
    expect(JSON.parse(readFileSync(join(folder, "one.json"), "utf8"))).toMatchObject({ title: "Other" });
    expect(readFileSync(join(folder, "two.json"), "utf8")).toBe(before);
  });

  it("is an error if its file is not JSON", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "one.json"), "{");
    expect(() => changesIn(folder, named)).toThrow("one.json: the file is not JSON");
  });
});

describe("the fields of outputs", () => {
  it.each<[unknown, string[]]>([
    [{ a: 1, b: null, c: undefined }, ["a"]],
    [
      [{ a: 1 }, { a: 2, b: 3 }],
      ["[].a", "[].b?"],
    ],
    [[{ details: { fmi: 1 } }, {}], ["[].details?.fmi"]],
    [{ items: [{ faults: [{ code: 1 }, { code: 2, spn: 3 }] }, {}] }, ["items[].faults?[].code", "items[].faults?[].spn?"]],
    [{ tags: ["a", "b"] }, ["tags[]"]],
    ["text", [""]],
    [undefined, []],
  ])("of %j are %j", (value, paths) => expect(presenceOf(value)).toEqual(paths));

  it("are kept in a file", () => {
    const folder = temporaryFolder();
    expect(readBaseline(folder)).toEqual({});
    mkdirSync(join(folder, "more"));
    const baseline = { one: { tool: ["a"], sandbox: ["b"] } };
    writeBaseline(join(folder, "more"), baseline);
    expect(readBaseline(join(folder, "more"))).toEqual(baseline);
  });
});
