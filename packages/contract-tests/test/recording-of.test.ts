import { Buffer } from "node:buffer";
import type { OperationName } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { Exchange } from "../src/deployment/observed-client.ts";
import { REPLAY_TOKEN } from "../src/fixtures/placeholders.ts";
import { Pseudonyms } from "../src/recording/pseudonyms.ts";
import { type RecordOptions, recordingOf } from "../src/recording/record.ts";

const OPTIONS: RecordOptions = { kind: "sandbox", date: "2026-11-20", pseudonyms: new Pseudonyms(Buffer.from("key")), records: 2 };

interface Case {
  operation?: OperationName;
  writes?: true;
  input?: Record<string, unknown>;
  exchange?: Partial<Exchange>;
  options?: Partial<RecordOptions>;
}

async function recordingFor({ operation = "listLivePositions", writes, input = {}, exchange = {}, options = {} }: Case) {
  const step = { name: "one", title: "One", operation, input: () => input, ...(writes && { writes }) };
  const sent: Exchange = {
    method: "GET",
    url: "https://service.example/public/v1/customer/c42/tracking/live",
    requestHeaders: { authorization: "Basic c29tZWJvZHk6c2VjcmV0" },
    requestBody: "",
    status: 200,
    responseHeaders: { "content-type": "application/json" },
    responseBody: "[]",
    ...exchange,
  };
  const recording = await recordingOf({ step, input, drift: [], exchange: sent }, { ...OPTIONS, ...options });
  if (recording === undefined) throw new Error("nothing was recorded");
  return recording.fixture;
}

describe("a recording", () => {
  it.each([
    [{ authorization: "Basic c29tZWJvZHk6c2VjcmV0" }, { authorization: "Basic <BASE64_CREDENTIALS>" }],
    [{ "x-connect-token": "TOKEN abc" }, { "x-connect-token": "TOKEN <ACCESS_TOKEN>" }],
    [{}, {}],
  ])("of a request with %j has %j", async (requestHeaders, recorded) => {
    expect((await recordingFor({ exchange: { requestHeaders } })).request.headers).toEqual(recorded);
  });

  it("contains neither a token nor the one of replays", async () => {
    const body = { accessToken: "eyJ.secret.sig", expirationDate: "2026-11-20T11:00:00Z" };
    const exchange = { method: "POST", url: "https://service.example/token", responseBody: JSON.stringify(body) };
    const fixture = await recordingFor({ operation: "requestAccessToken", exchange });
    expect(fixture.response.body).toMatchObject({ accessToken: "<ACCESS_TOKEN>" });
    expect(JSON.stringify(fixture)).not.toContain(REPLAY_TOKEN);
    expect(JSON.stringify(fixture)).not.toContain("eyJ.secret.sig");
  });

  it("has the call only if it has arguments", async () => {
    expect(await recordingFor({})).not.toHaveProperty("call");
    expect(await recordingFor({ operation: "listTireEvents", input: { startDate: "2026-11-01T00:00:00Z" } })).toHaveProperty(
      "call.startDate",
    );
  });

  it("says how many records it left out, if any", async () => {
    const source = async (count: number) =>
      (await recordingFor({ exchange: { responseBody: JSON.stringify(Array.from({ length: count }, () => ({ speed: 1 }))) } })).provenance
        .source;
    expect(await source(2)).toBe("recorded");
    expect(await source(3)).toBe("recorded; shortened: []: 2 of 3 records");
  });

  it("keeps a body that is not JSON as text", async () => {
    const { response } = await recordingFor({ exchange: { status: 502, responseBody: "<h1>Bad gateway</h1>" } });
    expect(response).not.toHaveProperty("body");
    expect(response.text).toMatch(/^<\w\d>/);
  });

  it.each([
    [{}, true],
    [{ options: { kind: "live" } }, false],
    [{ writes: true }, false],
    [{ exchange: { status: 199 } }, false],
    [{ exchange: { status: 299 } }, true],
    [{ exchange: { status: 300 } }, false],
    [{ operation: "listTireEvents", input: { vehicleIds: ["v1"] } }, false],
  ] satisfies [Case, boolean][])("of %j can be reproduced by the sandbox: %s", async (options, reproducible) => {
    expect((await recordingFor(options)).reproducible).toBe(reproducible);
  });

  it.each([
    ["{}", { code: "rejected" }],
    ['[{"offendingFields":["speed"]}]', { code: "rejected", errors: [{ offendingFields: ["speed"] }] }],
  ])("of the response %s expects the error that the client reports", async (responseBody, error) => {
    expect((await recordingFor({ exchange: { status: 400, responseBody } })).expect).toEqual({ error });
  });
});
