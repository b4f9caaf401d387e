import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { loadFixtures } from "../src/index.ts";

const usual = {
  given: "a fleet",
  call: {},
  request: { method: "GET", path: "/live", headers: { authorization: "Basic <BASE64_CREDENTIALS>" } },
  response: { status: 200, headers: { "content-type": "application/json" } },
  provenance: { kind: "documented", date: "2026-11-21", source: "interface 4.3" },
  reproducible: true,
  scrubbed: [],
};
const truck = { assetId: "v1", speed: 5, at: { lat: 1, lng: null } };
const records = { truck, parked: { "...": "truck", speed: 0 } };

/** The fixtures of a file of live positions with these members. */
function load(members: object) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "live.json"), JSON.stringify({ operation: "listLivePositions", defaults: usual, records, ...members }));
  return loadFixtures(folder);
}

const loadCase = (own: object, defaults: object = usual) => load({ defaults, cases: { one: { title: "One", ...own } } })[0];

describe("a file with cases", () => {
  it("has a fixture for each, in their order, named after the file and the case", () => {
    const cases = { b: { title: "B", response: { body: [] } }, a: { title: "A", response: { body: [] } } };
    expect(load({ cases }).map(({ id, title, operation }) => [id, title, operation])).toEqual([
      ["live-b", "B", "listLivePositions"],
      ["live-a", "A", "listLivePositions"],
    ]);
  });

  const post = { ...usual, request: { ...usual.request, method: "POST" } };
  it.each<[string, object, object, object?]>([
    ["the members that differ", { response: { status: 201, body: [] } }, { response: { ...usual.response, status: 201, body: [] } }],
    ["another call", { call: { locale: "de" }, response: { body: [] } }, { call: { locale: "de" } }],
    ["the response as the expected value", { response: { body: [1] } }, { expect: { value: [1] } }],
    ["another expected value", { response: { body: [1] }, expect: { value: [] } }, { expect: { value: [] } }],
    [
      "the call in the query",
      { call: { vehicleIds: ["v1", "v2"], open: true }, response: { body: [] } },
      { request: { ...usual.request, query: { vehicleIds: "v1,v2", open: "true" } } },
    ],
    ["the call as the body", { call: { a: [1] }, response: { body: [] } }, { request: { query: {}, body: { a: [1] } } }, post],
    [
      "the errors of the response, in a list",
      { response: { body: [{ field: "id" }] }, expect: { error: { code: "rejected", errors: "response" } } },
      { expect: { error: { code: "rejected", errors: [{ field: "id" }] } } },
    ],
    [
      "the errors of the response, as its member",
      { response: { body: { errors: [{ field: "id" }] } }, expect: { error: { code: "rejected", errors: "response" } } },
      { expect: { error: { code: "rejected", errors: [{ field: "id" }] } } },
    ],
    [
      "the only error of the response",
      { response: { body: { field: "id" } }, expect: { error: { code: "conflict", errors: "response" } } },
      { expect: { error: { code: "conflict", errors: [{ field: "id" }] } } },
    ],
    [
      "records, and records of records",
      { response: { body: [{ "...": "truck", speed: null }, { at: { "...": "parked" } }] } },
      { response: { body: [{ ...truck, speed: null }, { at: { ...truck, speed: 0 } }] } },
    ],
  ])("has %s", (_, own, full, defaults) => {
    expect(loadCase(own, defaults)).toMatchObject(full);
  });

  it("has a value of its own to expect", () => {
    const { response, expect: expected } = loadCase({ response: { body: [{ "...": "truck" }] } }) ?? {};
    Object.assign([response?.body].flat()[0] ?? {}, { speed: 6 });
    expect(expected).toEqual({ value: [truck] });
  });

  it("keeps nothing of an object that it replaces", () => {
    const { request, given } = loadCase({ given: { state: "a fleet" }, request: { headers: {} }, response: { body: [] } }) ?? {};
    expect([request?.headers, given]).toEqual([{}, { state: "a fleet" }]);
  });

  it.each<[object, string]>([
    [{ cases: { one: { response: { body: [] } } } }, "live-one: title: "],
    [{ cases: { one: { title: "One", response: { text: "none" } } } }, "live-one: expect: "],
    [{ cases: { one: { title: "One", response: { body: [] }, colour: "red" } } }, "live-one: : Unrecognized key"],
    [{ cases: { one: { title: "One", response: { body: { "...": "bus" } } } } }, 'live-one: there is no record "bus" above'],
    [{ records: { a: { "...": "b" }, b: {} }, cases: {} }, 'live: there is no record "b" above'],
    [{ cases: [] }, "live: cases: "],
    [{ cases: {}, case: {} }, "live: : Unrecognized key"],
  ])("%j is refused", (members, message) => {
    expect(() => load(members)).toThrow(message);
  });
});

it("a file without cases is one fixture in full, as it was recorded, or refused", () => {
  const folder = temporaryFolder();
  const [{ id: _, ...full } = { id: "" }] = loadFixtures();
  writeFileSync(join(folder, "recorded.json"), JSON.stringify(full));
  expect(loadFixtures(folder)).toEqual([{ ...full, id: "recorded" }]);
  writeFileSync(join(folder, "recorded.json"), JSON.stringify({ ...full, expect: undefined }));
  expect(() => loadFixtures(folder)).toThrow("recorded: expect: ");
  writeFileSync(join(folder, "recorded.json"), '{"operation": ');
  expect(() => loadFixtures(folder)).toThrow("recorded: the file is not JSON");
});
