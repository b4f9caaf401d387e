import {
  fieldMetadata,
  Identifier,
  type LivePosition,
  type NonSensitiveKind,
  type Operation,
  operations,
  type SensitiveKind,
} from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Fixture } from "../src/index.ts";
import { Pseudonyms } from "../src/recording/pseudonyms.ts";
import { Scrubber, secretsIn, unmaskedIn } from "../src/recording/scrub.ts";

const key = Buffer.from("a key of a test");

describe("a pseudonym", () => {
  it.each<[SensitiveKind, string, RegExp]>([
    ["name", "Krzysztof Kaczmarek", /^[A-Z][a-z]{8} [A-Z][a-z]{8}$/],
    ["registration", "KX21 ABC", /^[A-Z]{2}\d{2} [A-Z]{3}$/],
    ["id", "g1001.g1002", /^[a-z]\d{4}\.[a-z]\d{4}$/],
    ["phone", "+49 30 1234567", /^\+\d{2} \d{2} \d{7}$/],
    ["email", "jane.doe@company.com", /^[a-z]{4}\.[a-z]{3}@example\.test$/],
    ["url", "https://bucket.example/a/b.pdf?sig=xyz", /^https:\/\/files\.example\.test\/[a-z]\/[a-z]\.[a-z]{3}$/],
    ["text", "Ring at gate 3, Müller", /^[A-Z][a-z]{3} [a-z]{2} [a-z]{4} \d, [A-Z][äéîõüçñøßł][a-z]{4}$/],
    ["text", "Ask jane.doe@company.com first", /^[A-Z][a-z]{2} [a-z]{4}\.[a-z]{3}@example\.test [a-z]{5}$/],
    ["text", "Maria 0177 1234", /^[A-Z][a-z]{4} \d{4} \d{4}$/],
  ])("of the kind %s keeps the shape of %s", (kind, value, shape) => {
    const pseudonym = new Pseudonyms(key).of(value, kind);
    expect(pseudonym).toMatch(shape);
    expect(pseudonym).not.toBe(value);
    expect(new Pseudonyms(key).of(value, kind)).toBe(pseudonym);
    expect(new Pseudonyms(Buffer.from("another")).of(value, kind)).not.toBe(pseudonym);
  });

  it.each<[SensitiveKind, number, RegExp]>([
    ["latitude", 52.520008, /^-?\d{1,2}\.\d{1,6}$/],
    ["longitude", 13.4, /^-?\d{1,3}(\.\d)?$/],
    ["serial", 356938035643809, /^\d{15}$/],
    ["phone", 491771234567, /^\d{12}$/],
  ])("of the kind %s keeps the shape of %d", (kind, value, shape) => {
    const pseudonym = new Pseudonyms(key).of(value, kind);
    expect(String(pseudonym)).toMatch(shape);
    expect(pseudonym).not.toBe(value);
  });
});

const measure = { min: 0, max: 500 };

describe("a value of a kind that is not personal", () => {
  it.each<[NonSensitiveKind, unknown[], unknown[]]>([
    [
      "label",
      ["BI-FUEL", "$UNKNOWN", "In progress", "driving"],
      ["Jane", "RED STOP", "KX21ABC", "Jane Doe", "0177", 42, "ACTIVE", "ON_HOLD", "61"],
    ],
    [
      "instant",
      ["2026-11-20", "2026-24-11", "2026-11-20T08:30Z", "2026-11-20T08:30:15.123+01:00", "2026-11-20 08:30:00"],
      ["1984-05-06", "2026-31-31", "Jane 2026-11-20", "tomorrow", "2026-11-20T99:00:00Z", 491771234567],
    ],
    ["duration", ["00:45", "1:30:00", "PT1H30M", "90"], ["Jane Doe", "0177 1234567", "49177123", "PT"]],
    ["country", [], ["Germany", "DE", "Jane Doe", "Germany, ask Jane", "JD1", 49]],
    ["language", [], ["en-GB", "de", "Jane", "jim", "en-GB of Jane", 49]],
    ["make", [], ["Mercedes-Benz", "VOLVO", "Jane Doe", "Jane", "DAF of Jane"]],
    ["faultCode", [], ["P0117", "SPN 110 FMI 16", "Jane", "KX21 ABC", "0177 1234567", "1771234567"]],
    ["fileType", [], ["image/jpeg", "PDF", "application/jane", "jane", "pdf of Jane"]],
    ["field", ["vehicleName", "resources[0].name", "address"], ["Jane", "vehicleName of Jane", "KX21ABC"]],
    ["flag", [true, false, "true"], ["Jane", 1771234567, "yes, Jane"]],
    [measure, [0, 82.5, 500, "80"], [501, -10, 491771234567, "0177 1234567", "Jane"]],
  ])("%s is recognized by its form", (kind, unchanged, replaced) => {
    const field = z.unknown().register(fieldMetadata, { holds: kind });
    const isKept = (value: unknown) => new Scrubber(new Pseudonyms(key)).response(value, field) === value;
    expect(unchanged.filter((value) => !isKept(value))).toEqual([]);
    expect(replaced.filter(isKept)).toEqual([]);
  });
});

describe("the scrubber", () => {
  it("gives a value the same pseudonym everywhere, and lists the fields with pseudonyms", () => {
    const scrubber = new Scrubber(new Pseudonyms(key));
    const live = [{ driverId: "p501", driverName: "Anna", speed: 80 }];
    const [position] = scrubber.response(live, operations.listLivePositions.output) as LivePosition[];
    expect(position).toMatchObject({ driverId: expect.not.stringMatching("p501"), speed: 80 });
    const faults = scrubber.response({ items: [{ driverId: "p501" }] }, operations.listVehicleFaults.output);
    expect(faults).toEqual({ items: [{ driverId: position?.driverId }] });
    expect([...scrubber.scrubbed]).toEqual(["$[*].driverId", "$[*].driverName", "$.items[*].driverId"]);
  });

  it("scrubs request and path fields by their metadata; a text without metadata counts as personal", () => {
    const listTrips: Operation = {
      ...operations.listLivePositions,
      params: { vehicleId: Identifier },
      query: {
        kind: z.enum(["ASC", "DESC"]),
        limit: z.int().register(fieldMetadata, { holds: { min: 0, max: 100 } }),
        driver: z.string(),
        depots: z.array(z.object({ name: z.string().register(fieldMetadata, { holds: "name" }), open: z.boolean(), remark: z.string() })),
      },
      output: z.array(z.object({ driver: z.string(), speed: z.number().register(fieldMetadata, { holds: { min: 0, max: 500 } }) })),
    };
    const scrubber = new Scrubber(new Pseudonyms(key));
    const depots = [{ name: "North", open: true, remark: "of Jane" }];
    const input = { vehicleId: "v1001", kind: "ASC", limit: 50, driver: "Anna", depots };
    const request = scrubber.request(input, listTrips, "call");
    expect(request).toMatchObject({ kind: "ASC", limit: 50, depots: [{ open: true }] });
    expect(JSON.stringify(request)).not.toMatch(/v1001|Anna|North|Jane/);
    const paths = ["call.depots[*].name", "call.depots[*].remark", "call.driver", "call.vehicleId"];
    expect([...scrubber.scrubbed].sort()).toEqual(paths);
    const [trip] = scrubber.response([{ driver: "Anna", speed: 80 }], listTrips.output) as Record<string, unknown>[];
    expect(trip).toEqual({ driver: (request as typeof input).driver, speed: 80 });
    expect([...scrubber.unexpected]).toEqual([]);
  });

  it("treats values without a schema as personal", () => {
    const scrubber = new Scrubber(new Pseudonyms(key));
    const personal = { who: "Anna", where: [52.520008, 13.404954, 48.85], serial: 356938035643809, pin: 4711, born: "1984-05-06", Anna: 1 };
    const unexpected = { total: 3, at: "2026-11-20T08:30:00Z", map: { "Anna Keller": true }, ...personal };
    const scrubbed = scrubber.response(unexpected, operations.listJobs.output) as typeof unexpected;
    expect(scrubbed).toMatchObject({ total: 3, at: expect.stringMatching(/^20[0-2]\d-[01]\d-[0-2]\dT08:30:00Z$/) });
    expect(JSON.stringify(scrubbed)).not.toMatch(/Anna|52\.52|13\.4|48\.85|356938035643809|2026-11-20|4711|1984/);
  });
});

describe("a leftover in a recording", () => {
  it.each([
    ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjMTAwMSJ9.c2lnbmF0dXJl"],
    ["credentials or a token from this run", "a-secret-of-somebody"],
    ["an e-mail address", "jane@company.example"],
    ["a long run of letters and digits that may be a key", "AKIA0123456789abcdefghijklmnopqrst"],
    ["an authorization value", "Bearer abcdefgh"],
    ["a signed address", "https://files.example.test/a?sig=abc"],
  ])("is %s", (found, note) => {
    expect(secretsIn({ note }, ["a-secret-of-somebody"], new Pseudonyms(key))).toContain(found);
  });

  const recorded = (record: object, headers: Record<string, string> = {}) =>
    Fixture.parse({
      operation: "listLivePositions",
      title: "a test",
      given: "a test",
      request: { method: "GET", path: "/", headers: { authorization: "Basic <BASE64_CREDENTIALS>" } },
      response: { status: 200, headers: { "content-type": "application/json", ...headers }, body: [record] },
      expect: { value: [record] },
      provenance: { kind: "live", date: "2026-11-20", source: "a test" },
      reproducible: false,
      scrubbed: [],
    });

  it.each<[string, object, Record<string, string>, string[]]>([
    ["nothing", { date: "2026-11-20", eventType: "driving", speed: 80 }, {}, []],
    ["an invalid country", { country: "ask Jane" }, {}, ["response.body[*].country", "expect.value[*].country"]],
    ["an impossible speed", { speed: 491771234567 }, {}, ["response.body[*].speed", "expect.value[*].speed"]],
    ["an object for a flag", { privacy: { by: "Jane" } }, {}, ["response.body[*].privacy.by", "expect.value[*].privacy.by"]],
    ["a header that is not recorded", {}, { "x-served-by": "Jane" }, ["response.headers.x-served-by"]],
  ])("is found by the kind of its field: %s", (_, record, headers, paths) => {
    expect(unmaskedIn(recorded(record, headers), new Pseudonyms(key))).toEqual(paths);
  });

  it("is never a pseudonym, whatever its field", () => {
    const pseudonyms = new Pseudonyms(key);
    const unexpected = { country: "ask Jane", speed: 491771234567, date: "1984-05-06", privacy: { by: "Jane" }, heading: true };
    const scrubbed = new Scrubber(pseudonyms).response([unexpected], operations.listLivePositions.output) as object[];
    expect(unmaskedIn(recorded(scrubbed[0] ?? {}), pseudonyms)).toEqual([]);
  });

  it.each<[string, object, object, string[]]>([
    ["is found in another field", { driverName: "Anna Keller" }, { note: "Anna Keller" }, ["note"]],
    ["is found as the name of a field", { driverName: "Anna Keller" }, { "Anna Keller": true }, [""]],
    ["is found as part of another text", { city: "Leeds" }, { note: "Leedsbury" }, ["note"]],
    ["is replaced in every field", { city: "Singapore", country: "Singapore" }, {}, []],
    ["may be the name of a field", { by: { sortedBy: "driverName" }, driverName: "Anna Keller" }, {}, []],
    ["may be a documented value", { driverName: "driving", eventType: "driving" }, {}, []],
  ])("an original %s", (_, record, raw, fields) => {
    const pseudonyms = new Pseudonyms(key);
    const [scrubbed = {}] = new Scrubber(pseudonyms).response([record], operations.listLivePositions.output) as object[];
    const paths = ["response.body[*]", "expect.value[*]"].flatMap((place) => fields.map((field) => (field ? `${place}.${field}` : place)));
    expect(unmaskedIn(recorded({ ...scrubbed, ...raw }), pseudonyms)).toEqual(paths);
  });
});
