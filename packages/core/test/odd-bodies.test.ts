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
const polish = Buffer.from('[{"assetName":"\xa3\xf3d\xbc"}]', "latin1");

describe("the charset of a response", () => {
  it.each([
    { declared: "application/json; charset=iso-8859-1", body: latin1(list("Müller Straße")), name: "Müller Straße" },
    { declared: "application/json;charset=ISO-8859-1", body: latin1(list("é")), name: "é" },
    { declared: 'application/json; charset="windows-1252"', body: latin1(list("café")), name: "café" },
    { declared: "application/json; charset=latin1", body: latin1(list("Ångström")), name: "Ångström" },
    { declared: "application/json; charset=iso-8859-2", body: polish, name: "Łódź" },
    { declared: "application/json; charset=utf-8", body: list("Müller"), name: "Müller" },
    { declared: "application/json", body: list("Müller"), name: "Müller" },
    // Some frameworks declare a default that they do not use.
    { declared: "application/json; charset=iso-8859-1", body: list("Müller 東京"), name: "Müller 東京" },
    { declared: "application/json; charset=us-ascii", body: latin1(list("Müller")), name: "Müller" },
    { declared: "application/json; charset=nonsense", body: list("Müller"), name: "Müller" },
    // Nothing says which characters these bytes are.
    { declared: "application/json", body: latin1(list("Müller")), name: "M\ufffdller" },
    { declared: "application/json; charset=nonsense", body: latin1(list("Müller")), name: "M\ufffdller" },
    { declared: "application/json; charset=utf-8", body: latin1(list("Müller")), name: "M\ufffdller" },
  ])("$declared: $name", async ({ declared, body, name }) => {
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

  it.each<{ body: string; records: object[]; drift: string[] | undefined }>([
    ...["NaN", "-NaN", "Infinity", "-Infinity", "nan", "-inf", "inf"].map((speed) => ({
      body: `[{"assetId":"v1","speed":${speed}},{"assetId":"v2","speed":5}]`,
      records: [{ assetId: "v1" }, { assetId: "v2", speed: 5 }],
      drift: [wrongSpeed],
    })),
    { body: '[{"privacy":NaN}]', records: [{ privacy: true }], drift: ["$[*].privacy wrong type 1"] },
    { body: '[{"assetName":NaN}]', records: [{}], drift: ["$[*].assetName wrong type 1"] },
    { body: '[{"serialNumber":NaN}]', records: [{}], drift: ["$[*].serialNumber wrong type 1"] },
    { body: '[NaN,{"assetId":"v2"}]', records: [{ assetId: "v2" }], drift: ["$[*] dropped record 1"] },
    {
      body: '[{"speed":NaN,"serialNumber":9007199254740993,"assetName":"say: \\"NaN, \\\\"}]',
      records: [{ serialNumber: "9007199254740993", assetName: 'say: "NaN, \\' }],
      drift: [wrongSpeed],
    },
    {
      body: '[{"speed": NaN ,"assetName":"speed: NaN, [Infinity]"}]',
      records: [{ assetName: "speed: NaN, [Infinity]" }],
      drift: [wrongSpeed],
    },
    { body: '[{"assetName":"NaN"}]', records: [{ assetName: "NaN" }], drift: undefined },
  ])("loses its field only: $body", async ({ body, records, drift }) => {
    const read = await readBothWays({ body });
    expect(JSON.parse(JSON.stringify(read.records))).toEqual(records);
    expect(read.drift).toEqual(drift);
  });

  it("in an error does not hide what the service says", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: '[{"errorCode":NaN,"errorMessage":"too long"}]' }] });
    expect((await failure(fleet.listLivePositions())).errors).toEqual([{ errorMessage: "too long" }]);
  });

  it("takes time in proportion to the response, however many quotes and escapes it has", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: `[NaN,"${'\\"'.repeat(2_000_000)}` }] });
    const startedAt = performance.now();
    expect((await failure(fleet.listLivePositions())).code).toBe("contract");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("a body that cannot be read", () => {
  const toUrl = /^Check that the server URL/;
  const toService = /report it to the service's operator$/;

  it.each([
    { what: "a sign-in page", body: "<html>NaN</html>", says: "the response is not JSON", advice: toUrl },
    { what: "text", body: "OK", says: "the response is not JSON", advice: toUrl },
    { what: "nothing", body: "", says: "the response is empty", advice: toUrl },
    { what: "half a list", body: '[{"assetId":"v1"}', says: "the service sent invalid JSON", advice: toService },
    { what: "two lists", body: "[][]", says: "the service sent invalid JSON", advice: toService },
    { what: "a trailing comma", body: '[{"assetId":"v1",}]', says: "the service sent invalid JSON", advice: toService },
    { what: "single quotes", body: "[{'assetId':'v1'}]", says: "the service sent invalid JSON", advice: toService },
    { what: "undefined", body: '[{"speed":undefined}]', says: "the service sent invalid JSON", advice: toService },
  ])("because it is $what", async ({ body, says, advice }) => {
    const error = await failBothWays({ body });
    expect(error).toMatchObject({ code: "contract", message: `listLivePositions: ${says}` });
    expect(error.advice).toMatch(advice);
  });
});
