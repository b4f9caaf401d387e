import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import type { Answer } from "./recording-server.ts";

/** A response with these bytes. */
const bytes = (contentType: string, body: Uint8Array | string, status = 200): Answer => {
  return (response) => void response.writeHead(status, { "content-type": contentType }).end(body);
};

/** Reads live positions whole and record by record: both must return the same. */
async function readBothWays(answer: Answer) {
  const { fleet, drift } = await fleetUnderTest({ api: [answer] });
  const whole = await fleet.listLivePositions();
  const streamed: unknown[] = [];
  for await (const record of fleet.listLivePositions.iterate()) streamed.push(record);
  expect(streamed).toEqual(whole);
  expect(drift[1]).toEqual(drift[0]);
  return { records: whole, drift: drift[0]?.drift.map(({ path, kind, count }) => `${path} ${kind} ${count}`) };
}

async function failBothWays(answer: Answer) {
  const { fleet } = await fleetUnderTest({ api: [answer] });
  const whole = await failure(fleet.listLivePositions());
  const streamed = await failure(fleet.listLivePositions.iterate().next());
  expect([streamed.message, streamed.advice]).toEqual([whole.message, whole.advice]);
  return whole;
}

const list = (name: string) => JSON.stringify([{ assetName: name }]);
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("the charset of a response", () => {
  it.each<[declared: string, body: Uint8Array | string, name: string]>([
    ["application/json;charset=ISO-8859-1", latin1(list("Müller Straße")), "Müller Straße"],
    ['application/json; charset="windows-1252"', latin1(list("café")), "café"],
    ["application/json; charset=iso-8859-2", latin1('[{"assetName":"\xa3\xf3d\xbc"}]'), "Łódź"],
    // Some frameworks declare a default that they do not use.
    ["application/json; charset=iso-8859-1", list("Müller 東京"), "Müller 東京"],
    ["application/json; charset=us-ascii", latin1(list("Müller")), "Müller"],
    ["application/json; charset=nonsense", list("Müller"), "Müller"],
    // Nothing says which characters these bytes are.
    ["application/json; charset=nonsense", latin1(list("Müller")), "M\ufffdller"],
    ["application/json", latin1(list("Müller")), "M\ufffdller"],
  ])("%s: %o is %s", async (declared, body, name) => {
    expect((await readBothWays(bytes(declared, body))).records).toEqual([{ assetName: name }]);
  });

  it("applies to errors", async () => {
    const body = latin1(JSON.stringify([{ errorMessage: "Größe fehlt" }]));
    const { fleet } = await fleetUnderTest({ api: [bytes("application/json;charset=iso-8859-1", body, 400)] });
    expect((await failure(fleet.listLivePositions())).errors).toEqual([{ errorMessage: "Größe fehlt" }]);
  });
});

describe("a number that JSON cannot express", () => {
  const wrongSpeed = "$[*].speed wrong type 1";

  it.each<[body: string, records: object[], drift?: string]>([
    ...["NaN", "-NaN", "Infinity", "-Infinity", "nan", "-inf", "inf"].map((speed): [string, object[], string] => [
      `[{"assetId":"v1","speed":${speed}},{"assetId":"v2","speed":5}]`,
      [{ assetId: "v1" }, { assetId: "v2", speed: 5 }],
      wrongSpeed,
    ]),
    ['[{"privacy":NaN}]', [{ privacy: true }], "$[*].privacy wrong type 1"],
    ['[{"assetName":NaN}]', [{}], "$[*].assetName wrong type 1"],
    ['[NaN,{"assetId":"v2"}]', [{ assetId: "v2" }], "$[*] dropped record 1"],
    [
      '[{"speed": NaN ,"serialNumber":9007199254740993,"assetName":"say: \\"NaN, [Infinity] \\\\"}]',
      [{ serialNumber: "9007199254740993", assetName: 'say: "NaN, [Infinity] \\' }],
      wrongSpeed,
    ],
    ['[{"assetName":"NaN"}]', [{ assetName: "NaN" }]],
  ])("loses its field only: %s", async (body, records, drift) => {
    const read = await readBothWays({ body });
    expect(JSON.parse(JSON.stringify(read.records))).toEqual(records);
    expect(read.drift).toEqual(drift && [drift]);
  });

  it("takes time in proportion to the response, however many quotes and escapes it has", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: `[NaN,"${'\\"'.repeat(300_000)}` }] });
    const startedAt = performance.now();
    expect((await failure(fleet.listLivePositions())).code).toBe("contract");
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it("in an error does not hide what the service says", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: '[{"errorCode":NaN,"errorMessage":"too long"}]' }] });
    expect((await failure(fleet.listLivePositions())).errors).toEqual([{ errorMessage: "too long" }]);
  });
});

describe("a body that cannot be read", () => {
  const toUrl = /^Check that the server URL/;
  const toService = /report it to the service's operator$/;

  it.each<[what: string, answer: Answer, says: string, advice: RegExp]>([
    ["a sign-in page", { body: "<html>NaN</html>" }, "the response is not JSON", toUrl],
    ["text", { body: "OK" }, "the response is not JSON", toUrl],
    ["nothing", { body: "" }, "the response is empty", toUrl],
    ["whitespace", { body: " \n" }, "the response is empty", toUrl],
    ["half a list", { body: '[{"assetId":"v1"}' }, "the service sent invalid JSON", toService],
    ["undefined", { body: '[{"speed":undefined}]' }, "the service sent invalid JSON", toService],
  ])("because it is %s", async (_, answer, says, advice) => {
    const error = await failBothWays(answer);
    expect(error).toMatchObject({ code: "contract", message: `listLivePositions: ${says}` });
    expect(error.advice).toMatch(advice);
  });
});

// Bodies are strings, because a literal such as 9007199254740993 would lose digits.
describe("a serial number is exact", () => {
  const BIG = "9007199254740993";
  it.each<[body: string, serialNumbers: unknown[]]>([
    ['[{"serialNumber":0},{"serialNumber":-5},{"serialNumber":356938035643809}]', [0, -5, 356938035643809]],
    ['[{"serialNumber":9007199254740991},{"serialNumber":9007199254740992}]', [Number.MAX_SAFE_INTEGER, "9007199254740992"]],
    [`[ { "serialNumber" :\n${BIG}\t, "assetId":"v1" },{"serialNumber":-3}]`, [BIG, -3]],
    ['[{"serialNumber":-9223372036854775808}]', ["-9223372036854775808"]],
    [`[{"a\\"serialNumber":${BIG},"serialNumber":${BIG}}]`, [BIG]],
  ])("%s", async (body, serialNumbers) => {
    const { records } = await readBothWays({ body });
    expect(records.map(({ serialNumber }) => serialNumber)).toEqual(serialNumbers);
  });

  it.each(["1e20", `${BIG}.0`, "1.5", '"12a"', '"3571180021"', `"${BIG}"`, "true", "{}"])(
    "%s is not one, and is reported once",
    async (value) => {
      const { records, drift } = await readBothWays({ body: `[{"assetId":"v1","serialNumber":${value}},{"serialNumber":${BIG}}]` });
      expect(records).toEqual([{ assetId: "v1" }, { serialNumber: BIG }]);
      expect(drift).toEqual(["$[*].serialNumber wrong type 1"]);
    },
  );

  it("and neither the same text in strings nor the numbers of other fields change", async () => {
    const road = `say "serialNumber": ${BIG}, or ,"serialNumber":${BIG}}`;
    const [position] = (
      await readBothWays({
        body: `[{"road":${JSON.stringify(road)},"latitude":45.7640430000001,"odometer":123456789012345680,"serialNumber":${BIG}}]`,
      })
    ).records;
    expect(position).toEqual({ road, latitude: 45.7640430000001, odometer: 123456789012345680, serialNumber: BIG });
  });
});
