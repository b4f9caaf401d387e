import { describe, expect, it, onTestFinished } from "vitest";
import { type Interaction, startReplayServer } from "../src/checks/replay-server.ts";
import { formatValue } from "../src/json-values.ts";

it("values in messages have at most 80 characters", () => {
  expect(formatValue(undefined)).toBe("nothing");
  expect(formatValue("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(formatValue("x".repeat(79))).toBe(`"${"x".repeat(79)}…`);
});

async function startedServer(...interactions: Interaction[]) {
  const server = await startReplayServer();
  onTestFinished(() => server.close());
  server.expect(interactions);
  return server;
}

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded;charset=utf-8" };

describe("a request is compared with the recorded one", () => {
  type Recorded = Partial<Interaction["request"]>;
  const post =
    (headers: Record<string, string>) =>
    (recorded: Recorded["body"], body: string): [Recorded, RequestInit] => [
      { method: "POST", body: recorded, headers },
      { method: "POST", body, headers },
    ];
  const [posted, form] = [post(JSON_TYPE), post(FORM_TYPE)];
  it.each<[string, [recorded: Recorded, sent: RequestInit, query?: string], string[]]>([
    ["nothing", [{}, {}], []],
    ["the method", [{ method: "DELETE" }, {}], ["the method is GET, expected DELETE"]],
    ["no parameter in another order", [{ query: { a: ["1", "2"], b: "3" } }, {}, "?b=3&a=2&a=1"], []],
    ["a missing parameter", [{ query: { a: "1" } }, {}], ["query parameter a=1 is missing"]],
    ["another parameter", [{}, {}, "?a=1"], ["query parameter a=1 is not in the recorded request"]],
    ["no header in another case", [{ headers: { "X-Id": "1" } }, { headers: { "x-id": "1" } }], []],
    ["a header's value", [{ headers: { "x-id": "1" } }, { headers: { "x-id": "2" } }], ['header x-id is "2", expected "1"']],
    [
      "an unusual media type",
      [{}, { headers: { accept: "text/html" } }],
      ['header accept is "text/html", but it is not in the recorded request'],
    ],
    ["no JSON in another notation", posted({ a: [1, { b: null }] }, ' {"a": [1, {"b":null}]}'), []],
    ["a field", posted({ a: 1 }, '{"a":"1"}'), ['body.a is "1", expected 1']],
    ["a missing field", posted({ a: 1 }, "{}"), ["body.a is missing, expected 1"]],
    ["another field", posted({}, '{"a":1}'), ["body.a is 1, but should be absent"]],
    ["a list in place of an object", posted({ a: {} }, '{"a":[]}'), ["body.a is [], expected {}"]],
    ["a body that is not JSON", posted({ a: 1 }, "a=1"), ['the body is not JSON: "a=1"']],
    ["no form in another order", form({ a: "1", b: "2" }, "b=2&a=1"), []],
    ["no form recorded as text", form("b=2&a=1", "a=1&b=2"), []],
    ["a field of a form", form({ a: "1" }, "a=2"), ['form body[0] is "a=2", expected "a=1"']],
  ])("and differs in %s", async (_, [recorded, sent, query = ""], differences) => {
    const request = { method: "GET" as const, path: "/at-base/jobs", query: {}, headers: {}, ...recorded };
    const server = await startedServer({ request, response: { status: 200, headers: {} } });
    const headers = { accept: "application/json", ...(sent.headers as object) };
    await fetch(new URL(`/at-base/jobs${query}`, server.servers.base), { ...sent, headers });
    expect(server.problems().map((problem) => problem.replace("request: ", ""))).toEqual(differences);
  });
});

describe("the replay server", () => {
  const once: Interaction = {
    request: { method: "GET", path: "/at-base/one", query: {}, headers: {} },
    response: { status: 200, headers: {}, body: { a: 1 } },
  };
  const under = async (...interactions: Interaction[]) => {
    const server = await startedServer(...interactions);
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
    expect(await get("/at-base/text")).toEqual([599, "", null]);
    expect(server.problems()).toEqual(["GET /at-base/text was sent again or was not expected"]);
    server.expect([]);
    expect([server.problems(), server.arrived()]).toEqual([[], 0]);
  });

  it("responds to a request that differs, and says how from the recorded one with its path", async () => {
    const other: Interaction = {
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
});
