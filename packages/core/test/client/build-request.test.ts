import { describe, expect, it } from "vitest";
import * as z from "zod";
import { basicCredentials, buildRequest } from "../../src/client/build-request.ts";
import { confidentialValues } from "../../src/client/confidential-input.ts";
import { previewRequest } from "../../src/client/preview-request.ts";
import { defineOperation, operations } from "../../src/index.ts";
import { annotate } from "../../src/schemas/field-metadata.ts";

const common = { summary: "A test", source: "a test", servers: ["base"], auth: ["basic"], output: z.void(), effect: "update" } as const;
const list = defineOperation({
  ...common,
  name: "listThings",
  method: "GET",
  path: "/things/{customerId}/{thing}",
  params: { thing: z.string() },
  query: { ids: z.array(z.string()).optional(), flag: z.boolean().optional(), free: z.record(z.string(), z.any()).optional() },
});
const save = defineOperation({
  ...common,
  name: "saveThing",
  method: "PUT",
  path: "/things/{customerId}",
  body: { text: z.any().optional(), more: z.any().optional() },
});
const form = defineOperation({
  ...common,
  name: "sendForm",
  method: "POST",
  path: "/form",
  contentType: "application/x-www-form-urlencoded",
  body: { a: z.string(), b: z.string().optional() },
});
const settings = { server: "https://x.example.com/api", customerId: "c42" };

describe("a request", () => {
  it("has the path and the query", () => {
    const input = { thing: "a/b ü", ids: ["1", "2,3"], flag: false, free: { "x y": [1, "&"], nothing: undefined, inner: { z: 5 } } };
    expect(buildRequest(list, input, settings)).toStrictEqual({
      method: "GET",
      url: "https://x.example.com/api/things/c42/a%2Fb%20%C3%BC?ids=1,2%2C3&flag=false&x%20y=1,%26&z=5",
      headers: { accept: "application/json" },
    });
  });

  it.each(["https://x.example.com", "https://x.example.com/", "https://x.example.com//"])(
    "has no query, if none is given, at %s",
    (server) => {
      expect(buildRequest(list, { thing: "t" }, { ...settings, server }).url).toBe("https://x.example.com/things/c42/t");
    },
  );

  it("has a JSON body with only its fields", () => {
    expect(buildRequest(save, { text: 1, more: undefined, other: 2 }, { ...settings, userAgent: "my app" })).toEqual({
      method: "PUT",
      url: "https://x.example.com/api/things/c42",
      headers: { accept: "application/json", "content-type": "application/json", "user-agent": "my app" },
      body: '{"text":1}',
    });
  });

  it("has a JSON body of another type", () => {
    const merge = { ...save, contentType: "application/merge+json" } as typeof save;
    expect(buildRequest(merge, { text: 1 }, settings)).toMatchObject({
      headers: { "content-type": "application/merge+json" },
      body: '{"text":1}',
    });
  });

  it("has a form", () => {
    expect(buildRequest(form, { a: "x &ü" }, settings)).toMatchObject({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a=x+%26%C3%BC",
    });
  });

  it("has dates in UTC, wherever it is built", () => {
    const free = { day: new Date(0), days: [new Date(1), "x"] };
    expect(buildRequest(list, { thing: new Date(2), free }, settings).url).toMatch(
      /\/1970-01-01T00%3A00%3A00\.002Z\?day=1970-01-01T00%3A00%3A00\.000Z&days=1970-01-01T00%3A00%3A00\.001Z,x$/,
    );
    expect(buildRequest(form, { a: new Date(0) }, settings).body).toBe("a=1970-01-01T00%3A00%3A00.000Z");
  });

  it.each([{ thing: { a: 1 } }, { thing: "t", ids: [{ a: 1 }] }, { thing: "t", free: new Map() }])(
    "cannot have an object in its URL: %o",
    (input) => {
      expect(() => buildRequest(list, input, settings)).toThrow("must not be an object");
    },
  );

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  it.each<[unknown, string]>([
    [1n, "a bigint"],
    [circular, "an object"],
  ])("cannot contain %o", (text, kind) => {
    expect(() => buildRequest(save, { more: 1, text }, settings)).toThrow(`saveThing: text: must be JSON-serializable (given: ${kind})`);
  });

  it.each<[object, string]>([
    [{ thing: "\ud800" }, "thing: must be well-formed Unicode (given: a string of 1 character)"],
    [{ thing: "t", ids: ["\udc00x"] }, "ids: must be well-formed Unicode (given: a string of 2 characters)"],
    [{ thing: "t", free: { "\ud800": 1 } }, "\ufffd: must be well-formed Unicode (given: a string of 1 character)"],
  ])("cannot contain a lone surrogate: %j", (input, problem) => {
    expect(() => buildRequest(list, input as never, settings)).toThrow(`listThings: ${problem}`);
  });

  it("may carry credentials in any script", () => {
    expect(basicCredentials({ clientId: "id", clientSecret: "pä:ss" })).toBe(Buffer.from("id:pä:ss").toString("base64"));
  });
});

describe("the preview of a request", () => {
  it("has the decoded query", () => {
    expect(previewRequest(list, { thing: "a b", ids: ["1", "2"] }, "c42")).toEqual({
      method: "GET",
      path: "/things/c42/a%20b",
      query: { ids: "1,2" },
    });
  });

  it("has the fields of the body", () => {
    expect(previewRequest(save, { text: { a: 1 } }, "c42")).toEqual({
      method: "PUT",
      path: "/things/c42",
      query: {},
      body: { text: { a: 1 } },
    });
    expect(previewRequest(form, { a: "x &ü" }, "c42").body).toEqual({ a: "x &ü" });
  });

  it("rejects invalid input", () => {
    expect(() => previewRequest(operations.createJob, {}, "c42")).toThrow("address");
  });
});

describe("confidential values", () => {
  const secret = <Schema extends z.ZodType>(schema: Schema) => annotate(schema, { holds: "text", confidential: true });
  const open = <Schema extends z.ZodType>(schema: Schema) => annotate(schema, { holds: "text" });
  it.each<[string, z.ZodType, unknown, string[]]>([
    ["a confidential field", secret(z.string()), "x", ["x"]],
    ["a confidential number", secret(z.int()), 5, ["5"]],
    ["a confidential object, at any depth", secret(z.any()), { a: ["x", { b: 5, c: true, d: null }] }, ["x", "5"]],
    ["a field that is not confidential", open(z.string()), "x", []],
    ["strings without metadata", z.any(), { a: ["x", 5, null] }, ["x"]],
    ["a number without metadata", z.any(), 5, []],
    [
      "in an optional list",
      z.array(z.object({ a: secret(z.string()), b: open(z.string()) })).optional(),
      [{ a: "x", b: "y", c: "z" }],
      ["x", "z"],
    ],
    ["in an object", z.object({ a: z.object({ b: secret(z.int()) }) }), { a: { b: 5 } }, ["5"]],
    ["a string in place of a list", z.array(z.object({ a: open(z.string()) })), "xyz", ["xyz"]],
    ["a string in place of an object", z.object({ a: open(z.string()) }), "xyz", ["xyz"]],
    ["nothing", z.any(), { a: undefined, b: "x" }, ["x"]],
    ["another value in place of an object", z.object({ a: open(z.string()) }), ["x"], ["x"]],
  ])("%s", (_, schema, value, values) => {
    const operation = defineOperation({ ...common, name: "saveSecret", method: "POST", path: "/{customerId}", body: { at: schema } });
    expect(confidentialValues(operation, { at: value })).toEqual(values);
  });

  it("include unknown fields", () => {
    expect(confidentialValues(save, { unknown: "x" })).toEqual(["x"]);
  });
});
