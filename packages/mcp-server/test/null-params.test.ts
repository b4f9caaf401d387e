import { expect, it } from "vitest";
import { cannedFleet } from "../../tools/test/canned-fleet.ts";
import { httpUnderTest, raw } from "./http-under-test.ts";

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

const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`f${at}`, 1]));

it.each([
  ["arguments", { arguments: fields }],
  ["_meta", { _meta: fields }],
  ["parameters", fields],
])("60,000 fields in %s are refused before they are copied", async (_, params) => {
  const { http, service } = await httpUnderTest({});
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "summarize_fleet", ...params } });
  const { status, text } = await raw(http.url, { headers: HEADERS, body });
  expect([status, service.received]).toEqual([400, []]);
  expect(text).toContain("more than 10000 fields in one object; nothing was done.");
});
