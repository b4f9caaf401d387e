import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type Operation, operations, pathOf, previewRequest, requestFields } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const common = { summary: "A test", source: "a test", servers: ["base"], auth: ["basic"], output: z.void(), effect: "update" } as const;
const list = defineOperation({
  ...common,
  name: "listThings",
  method: "GET",
  path: "/things/{customerId}/{thing}",
  params: { thing: z.any() },
  query: { ids: z.array(z.any()).optional(), flag: z.boolean().optional(), free: z.any().optional() },
}) as Operation;
const save = defineOperation({
  ...common,
  name: "saveThing",
  method: "PUT",
  path: "/things/{customerId}",
  body: { text: z.any().optional(), more: z.any().optional() },
}) as Operation;
const form = defineOperation({
  ...common,
  name: "sendForm",
  method: "POST",
  path: "/form",
  contentType: "application/x-www-form-urlencoded",
  body: { a: z.any(), b: z.string().optional() },
}) as Operation;

const free = { "x y": [1, "&"], nothing: undefined, inner: { z: 5 } };
const [day, later] = [new Date(0), new Date(1)];

describe("a request", () => {
  it.each<[string, Operation, object, string, string]>([
    ["values are percent-encoded", list, { thing: "a/b ü", ids: ["1", "2,3"] }, "/things/c42/a%2Fb%20%C3%BC?ids=1,2%2C3", ""],
    ["an object in the query is spread", list, { thing: "t", flag: false, free }, "/things/c42/t?flag=false&x%20y=1,%26&z=5", ""],
    ["a date in the path is UTC", list, { thing: day }, "/things/c42/1970-01-01T00%3A00%3A00.000Z", ""],
    ["a date in the query is UTC", list, { thing: "t", ids: [later, "x"] }, "/things/c42/t?ids=1970-01-01T00%3A00%3A00.001Z,x", ""],
    ["a date in a form is UTC", form, { a: day }, "/form", "a=1970-01-01T00%3A00%3A00.000Z"],
    ["a form is encoded", form, { a: "x &ü" }, "/form", "a=x+%26%C3%BC"],
    ["what is undefined is not in the query", list, { thing: "t", ids: undefined }, "/things/c42/t", ""],
    ["what is undefined is not in the body", save, { text: 1, more: undefined }, "/things/c42", '{"text":1}'],
  ])("%s", async (_, operation, input, url, body) => {
    const { fleet, api } = await fleetUnderTest();
    await fleet.request(operation, input);
    expect(onlyRequest(api)).toMatchObject({ url, body });
  });

  it("has a JSON body of another type", async () => {
    const { fleet, api } = await fleetUnderTest();
    await fleet.request({ ...save, contentType: "application/merge+json" } as never, { text: 1 });
    expect(onlyRequest(api)).toMatchObject({ headers: { "content-type": "application/merge+json" }, body: '{"text":1}' });
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  it.each<[Operation, object, string]>([
    [list, { thing: { a: 1 } }, "must not be an object"],
    [list, { thing: "t", ids: [{ a: 1 }] }, "must not be an object"],
    [list, { thing: "t", free: new Map() }, "must not be an object"],
    [list, { thing: "\ud800" }, "thing: must be well-formed Unicode (given: a string of 1 character)"],
    [list, { thing: "t", free: { "\ud800": 1 } }, "\ufffd: must be well-formed Unicode (given: a string of 1 character)"],
    [save, { more: 1, text: 1n }, "text: must be JSON-serializable (given: a bigint)"],
    [save, { more: 1, text: circular }, "the input cannot be read"],
  ])("cannot be built: %#", async (operation, input, problem) => {
    const { fleet, api } = await fleetUnderTest();
    const error = await failure(fleet.request(operation, input));
    expect([error.code, error.message]).toEqual(["input", expect.stringContaining(problem)]);
    expect(api.requests).toEqual([]);
  });
});

describe("the preview of a request", () => {
  it.each<[string, Operation, object, object]>([
    ["a query", list, { thing: "a b", ids: ["1", "2"] }, { method: "GET", path: "/things/c42/a%20b", query: { ids: "1,2" } }],
    ["a body", save, { text: { a: 1 } }, { method: "PUT", path: "/things/c42", query: {}, body: { text: { a: 1 } } }],
    ["a form", form, { a: "x &ü" }, { method: "POST", path: "/form", query: {}, body: { a: "x &ü" } }],
  ])("shows %s decoded", (_, operation, input, preview) => {
    expect(previewRequest(operation, input, "c42")).toEqual(preview);
  });

  it("rejects invalid input", () => {
    expect(() => previewRequest(operations.createJob, {}, "c42")).toThrow("address");
  });
});

describe("the fields of a request", () => {
  it("are those of the path, the query and the body, each with its place", () => {
    const all = { ...list, body: save.body } as Operation;
    const places = Object.entries(requestFields(all)).map(([name, field]) => `${field.in} ${name}`);
    expect(places).toEqual(["path thing", "query ids", "query flag", "query free", "body text", "body more"]);
    expect(requestFields(all)["thing"]?.schema).toBe(list.params?.["thing"]);
  });

  it("fill the path, in any encoding but never malformed Unicode", () => {
    expect(pathOf(list, { customerId: "c42", thing: "2026/11 ä", flag: true })).toBe("/things/c42/2026%2F11%20%C3%A4");
    expect(pathOf(list, {}, (_, name) => `:${name}`)).toBe("/things/:customerId/:thing");
    expect(() => pathOf(list, { customerId: "c42", thing: "\ud800" })).toThrow(URIError);
  });
});
