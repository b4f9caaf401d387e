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

const list = (n: number, of: (at: number) => unknown) => Array.from({ length: n }, (_, at) => of(at));

it.each<[string, Record<string, unknown>, string]>([
  [
    "90,000 names, one of them blank",
    { group: "g", vehicles: [...list(90_000, (at) => `v${at}`), ""] },
    "some of its 90001 entries are invalid",
  ],
  ["60,000 unknown fields", Object.fromEntries(list(60_000, (at) => `f${at}`).map((name) => [name, 1])), "more than 10000 fields"],
  ["9,000 numbers", { group: "g", vehicles: list(9_000, Number) }, "each entry must be a string"],
])("%s are refused in a line, and nothing is requested", async (_, args, words) => {
  const { http, service } = await httpUnderTest({}, { FLEET_CONFIRM: "never" });
  const { status, text } = await raw(http.url, rawCall("update_group", args));
  expect([status, text.length < 2_000, service.received]).toEqual([200, true, []]);
  expect(text).toContain(words);
});
