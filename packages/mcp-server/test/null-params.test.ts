import { expect, it } from "vitest";
import { cannedFleet } from "./canned-fleet.ts";
import { httpUnderTest, raw, rawCall } from "./http-under-test.ts";

const HEADERS = { accept: "application/json, text/event-stream" };

it.each<[string, string, object]>([
  ["arguments", "tools/call", { name: "summarize_fleet", arguments: null }],
  ["a cursor", "tools/list", { cursor: null }],
])("null for %s is no value", async (_, method, params) => {
  const { http } = await httpUnderTest({ listLivePositions: () => ({ body: cannedFleet() }) });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { status, text } = await raw(http.url, { headers: HEADERS, body });
  expect([status, /"result":/.test(text), /"error":/.test(text)]).toEqual([200, true, false]);
});

const list = <Value>(n: number, of: (at: number) => Value): Value[] => Array.from({ length: n }, (_, at) => of(at));

const fields = Object.fromEntries(list(60_000, String).map((name) => [name, 1]));
const TOO_MANY = "more than 10000 values; nothing was done";

it.each<[string, Record<string, unknown>, number, string, object?]>([
  ["90,000 names", { group: "g", vehicles: list(90_000, (at) => `v${at}`) }, 400, TOO_MANY],
  ["60,000 unknown fields", fields, 400, TOO_MANY],
  ["60,000 parameters", { group: "g" }, 400, TOO_MANY, fields],
  ["60,000 fields of _meta", { group: "g" }, 400, TOO_MANY, { _meta: fields }],
  ["9,000 numbers", { group: "g", vehicles: list(9_000, Number) }, 200, "each entry must be a string"],
])("%s are refused in a line, and nothing is requested", async (_, args, expected, words, params) => {
  const { http, service } = await httpUnderTest({}, { FLEET_CONFIRM: "never" });
  const { headers } = rawCall("update_group");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "update_group", arguments: args, ...params },
  });
  const { status, text } = await raw(http.url, { headers, body });
  expect([status, text.length < 2_000, service.received]).toEqual([expected, true, []]);
  expect(text).toContain(words);
});
