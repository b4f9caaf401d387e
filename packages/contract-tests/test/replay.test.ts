import { describe, expect, it, onTestFinished } from "vitest";
import { describeDifference, formatValue, jsonDifferences } from "../src/replay/json-differences.ts";
import { type Interaction, startReplayServer } from "../src/replay/replay-server.ts";
import { type ArrivedRequest, type ExpectedRequest, requestDifferences } from "../src/replay/request-differences.ts";
import { pathValuesOf } from "../src/replay/request-path.ts";

it.each<[unknown, unknown, string[]]>([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  [{ a: undefined }, {}, []],
  [1, 2, ["$ is 2, expected 1"]],
  [0, -0, ["$ is 0, expected 0"]],
  [{ a: 1 }, { a: "1" }, ['$.a is "1", expected 1']],
  [{ a: 1 }, {}, ["$.a is missing, expected 1"]],
  [{}, { a: 1 }, ["$.a is 1, but should be absent"]],
  [[1], [1, 2], ["$[1] is 2, but should be absent"]],
  [[1, 2], [1], ["$[1] is missing, expected 2"]],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, ["$.a[0].b is 2, expected 1"]],
  [[1], { 0: 1 }, ['$ is {"0":1}, expected [1]']],
  [{ a: {} }, { a: [] }, ["$.a is [], expected {}"]],
  [{ a: 1 }, null, ['$ is null, expected {"a":1}']],
  [null, { a: 1 }, ['$ is {"a":1}, expected null']],
])("from %j to %j: %j", (wanted, found, messages) => {
  expect(jsonDifferences(wanted, found).map(describeDifference)).toEqual(messages);
});

it("values in messages have at most 80 characters", () => {
  expect(formatValue(undefined)).toBe("nothing");
  expect(formatValue("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(formatValue("x".repeat(79))).toBe(`"${"x".repeat(79)}…`);
});

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded;charset=utf-8" };

describe("a request", () => {
  const WANTED: ExpectedRequest = { method: "GET", path: "/at-base/jobs", query: {}, headers: {} };
  const FOUND: ArrivedRequest = { method: "GET", url: "/at-base/jobs", headers: {}, body: "" };

  it.each<[string, Partial<ExpectedRequest>, Partial<ArrivedRequest>, string[]]>([
    ["nothing", {}, {}, []],
    ["the method", { method: "POST" }, {}, ["the method is GET, expected POST"]],
    ["the path", { path: "/at-fleet/jobs" }, {}, ["the path is /at-base/jobs, expected /at-fleet/jobs"]],
    ["no parameter in another order", { query: { a: ["1", "2"], b: "3" } }, { url: "/at-base/jobs?b=3&a=2&a=1" }, []],
    ["a missing parameter", { query: { a: "1" } }, {}, ["query parameter a=1 is missing"]],
    ["another parameter", {}, { url: "/at-base/jobs?a=1" }, ["query parameter a=1 is not in the recorded request"]],
    ["a repeated parameter", { query: { a: "1" } }, { url: "/at-base/jobs?a=1&a=1" }, ["a query parameter is sent twice"]],
    ["no parameter that is repeated in the recording", { query: { a: ["1", "1"] } }, { url: "/at-base/jobs?a=1&a=1" }, []],
    ["no usual header", {}, { headers: { host: "x", accept: "application/json", "content-length": "3", connection: "close" } }, []],
    [
      "a usual header with an unusual value",
      {},
      { headers: { accept: "text/html" } },
      ['header accept is "text/html", but it is not in the recorded request'],
    ],
    ["no header in another case", { headers: { "X-Id": "1" } }, { headers: { "x-id": "1" } }, []],
    ["a header's value", { headers: { "x-id": "1" } }, { headers: { "x-id": "2" } }, ['header x-id is "2", expected "1"']],
    ["a missing header", { headers: { "x-id": "1" } }, {}, ['header x-id is nothing, expected "1"']],
    ["another header", {}, { headers: { "x-id": "1" } }, ['header x-id is "1", but it is not in the recorded request']],
    ["a body where none is recorded", {}, { body: "{}" }, ['unexpected body: "{}"']],
    ["no text", { text: "a" }, { body: "a" }, []],
    ["the text", { text: "a" }, { body: "b" }, ['the body is "b", expected "a"']],
    [
      "no JSON in another notation",
      { body: { a: 1 }, headers: JSON_TYPE },
      { body: ' {"a": 1}', headers: { "content-type": "application/json" } },
      [],
    ],
    ["a field of the body", { body: { a: 1 } }, { body: '{"a":2}' }, ["body.a is 2, expected 1"]],
    ["a body that is not JSON", { body: { a: 1 } }, { body: "a=1" }, ['the body is not JSON: "a=1"']],
    ["no form in another order", { body: { a: "1", b: "2" }, headers: FORM_TYPE }, { body: "b=2&a=1", headers: FORM_TYPE }, []],
    ["no form recorded as text", { body: "b=2&a=1", headers: FORM_TYPE }, { body: "a=1&b=2", headers: FORM_TYPE }, []],
    [
      "a field of a form",
      { body: { a: "1" }, headers: FORM_TYPE },
      { body: "a=2", headers: FORM_TYPE },
      ['form body[0] is "a=2", expected "a=1"'],
    ],
  ])("differs in %s", (_, wanted, found, messages) => {
    expect(requestDifferences({ ...WANTED, ...wanted }, { ...FOUND, ...found })).toEqual(messages);
  });
});

it.each<[string, string, Record<string, string> | undefined]>([
  ["/customer/{customerId}/group", "/customer/c1/group", { customerId: "c1" }],
  ["/customer/{customerId}/group", "/at-base/public/customer/c%201/group", { customerId: "c 1" }],
  ["/customer/{customerId}/group", "/customer/%E0%A4%A/group", { customerId: "%E0%A4%A" }],
  ["/customer/{customerId}/group", "/customer//group", undefined],
  ["/customer/{customerId}/group", "/customer/c1/groups", undefined],
  ["/customer/{customerId}/group", "/group", undefined],
  ["/a/{x}/{y}", "/a/1/2", { x: "1", y: "2" }],
  ["/a", "", undefined],
])("%s has in %s the values %j", (template, path, values) => expect(pathValuesOf(template, path)).toEqual(values));

describe("the replay server", () => {
  const once: Interaction = {
    request: { method: "GET", path: "/at-base/one", query: {}, headers: {} },
    response: { status: 200, headers: {}, body: { a: 1 } },
  };
  const under = async (...interactions: Interaction[]) => {
    const server = await startReplayServer();
    onTestFinished(() => server.close());
    server.expect(interactions);
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(new URL(path, server.servers.base), { headers: { accept: "application/json", ...headers } });
      return [response.status, await response.text(), response.headers.get("x-own")];
    };
    return { server, get };
  };

  it("responds as recorded, and has no problem with what was expected", async () => {
    const headers = { "x-own": "yes" };
    const { server, get } = await under(
      { ...once, response: { ...once.response, headers } },
      { ...once, request: { ...once.request, path: "/at-base/text" }, response: { status: 503, headers: {}, text: "busy" } },
    );
    expect(await get("/at-base/one")).toEqual([200, '{"a":1}', "yes"]);
    expect(server.problems()).toEqual(["GET /at-base/text was recorded but never sent"]);
    expect(await get("/at-base/text")).toEqual([503, "busy", null]);
    expect([server.problems(), server.arrived()]).toEqual([[], 2]);
    server.expect([]);
    expect([server.problems(), server.arrived()]).toEqual([[], 0]);
  });

  it("reports a request that is sent again or that nothing expects", async () => {
    const { server, get } = await under(once);
    await get("/at-base/one");
    expect(await get("/at-base/one?a=1")).toEqual([599, "", null]);
    expect(server.problems()).toEqual(["GET /at-base/one was sent again or was not expected"]);
  });

  it("responds to a request that differs, and says how from the recorded one with its path", async () => {
    const other = {
      ...once,
      request: { ...once.request, method: "PUT", path: "/at-base/other", query: { a: "1" }, headers: { "x-id": "1" } },
    };
    const { server, get } = await under(once, other);
    expect(await get("/at-base/other")).toEqual([200, '{"a":1}', null]);
    expect(server.problems()).toEqual([
      "request: the method is GET, expected PUT",
      "request: query parameter a=1 is missing",
      'request: header x-id is nothing, expected "1"',
      "GET /at-base/one was recorded but never sent",
    ]);
  });

  it("compares headers that are sent several times, joined", async () => {
    const { server, get } = await under({ ...once, request: { ...once.request, headers: { "set-cookie": "a" } } });
    await get("/at-base/one", { "set-cookie": "a" });
    expect(server.problems()).toEqual([]);
  });

  it.each([
    ["any", 0, []],
    ["any", 2, []],
    ["repeated", 0, ["GET /at-base/one was recorded but never sent"]],
    ["repeated", 2, []],
  ] as const)("expects one with times %j, sent %d times: %j", async (times, count, problems) => {
    const { server, get } = await under({ ...once, times });
    for (let sent = 0; sent < count; sent++) expect((await get("/at-base/one"))[0]).toBe(200);
    expect(server.problems()).toEqual(problems);
  });
});
