import { describe, expect, it } from "vitest";
import { ADVICE, errorCodeOf, normaliseErrors, quotationOf, statusError } from "../../src/client/status-error.ts";
import { operations } from "../../src/index.ts";

const { createJob, listJobs } = operations;
const redact = (text: string) => text.replaceAll("canary", "[redacted]");

it.each([
  [400, "rejected"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "notFound"],
  [408, "timeout"],
  [409, "conflict"],
  [418, "contract"],
  [422, "rejected"],
  [429, "rateLimited"],
  [499, "contract"],
  [500, "upstream"],
  [599, "upstream"],
])("HTTP %d is %s", (status, code) => {
  expect(errorCodeOf(status)).toBe(code);
});

describe("the service's errors", () => {
  const error = { errorCode: 7, errorMessage: "canary\nis wrong", offendingFields: ["notes", 5, "canary.x", "jobNumber.canary"] };
  const read = { errorCode: 7, errorMessage: "[redacted] is wrong", offendingFields: ["notes", "[redacted].x", "jobNumber.[redacted]"] };
  it.each<[string, unknown, unknown]>([
    ["one", error, [read]],
    ["a list", [error, error], [read, read]],
    ["with other entries", [null, "x", 5, {}, { other: 1 }, { errorMessage: "no" }], [{ errorMessage: "no" }]],
    ["of wrong types", { errorCode: "7", errorMessage: 5, offendingFields: "notes" }, []],
    ["with a fractional code", { errorCode: 7.5, errorMessage: "no" }, [{ errorMessage: "no" }]],
    ["with a code only", { errorCode: 7 }, [{ errorCode: 7 }]],
    ["with no fields", { offendingFields: [] }, [{ offendingFields: [] }]],
    ["undefined", undefined, []],
    ["text", "no", []],
  ])("%s", (_, body, errors) => {
    expect(normaliseErrors(createJob, body, redact)).toEqual(errors);
  });

  it("are limited to twenty, with twenty fields each", () => {
    const many = Array(21).fill({ offendingFields: Array(21).fill("notes") });
    expect(normaliseErrors(createJob, many, redact)).toEqual(Array(20).fill({ offendingFields: Array(20).fill("notes") }));
  });

  it("may name a field of the operation even if its name is secret, but no other", () => {
    const names = ["job", "customerId", "query", "notes", "jobNumber", "toString"];
    const hidden = normaliseErrors(createJob, { offendingFields: names }, () => "[redacted]")[0]?.offendingFields;
    expect(hidden).toEqual(["[redacted]", "[redacted]", "[redacted]", "notes", "jobNumber", "[redacted]"]);
    expect(normaliseErrors(listJobs, { offendingFields: ["query.notes"] }, () => "[redacted]")).toEqual([
      { offendingFields: ["[redacted]"] },
    ]);
  });
});

it.each<[object[], string | undefined, string]>([
  [[], undefined, ""],
  [[{}], undefined, ""],
  [[{ errorMessage: "no" }], "no", ""],
  [[{ offendingFields: ["a", "b"], errorMessage: "no" }], "a, b: no", ""],
  [[{ offendingFields: ["a"] }], "a", ""],
  [[{ errorCode: 7 }], "errorCode 7", ""],
  [[{ errorCode: 7, errorMessage: "no" }], "no", ""],
  [[{ errorMessage: "1" }, {}, { errorMessage: "3" }], "1; 3", ""],
  [
    [{ errorMessage: "1" }, { errorMessage: "2" }, { errorMessage: "3" }, { errorMessage: "4" }],
    "1; 2; 3",
    " with 4 errors, the first 3 quoted",
  ],
])("quotes %j", (errors, quotation, more) => {
  expect(quotationOf(errors)).toEqual({ quotation, more });
});

describe("the error for a status", () => {
  const response = (status: number, text = "", headers = {}) => ({ status, text, bytes: text.length, headers: new Headers(headers) });
  const settings = { redact, now: () => 0 };
  it.each([
    [
      304,
      "contract",
      "HTTP 304 Not Modified in response to an unconditional request",
      "Look for a cache between the client and the service, and exclude these requests from it",
    ],
    [
      0,
      "contract",
      "the service sent a redirect, which is not followed because it could leak credentials",
      "Configure the URL that the redirect points to, if it is the fleet service",
    ],
    [
      399,
      "contract",
      "the service sent a redirect, which is not followed because it could leak credentials",
      "Configure the URL that the redirect points to, if it is the fleet service",
    ],
    [400, "rejected", "HTTP 400", ADVICE.rejected],
    [503, "upstream", "HTTP 503", ADVICE.upstream],
  ])("%d", (status, code, message, advice) => {
    const error = statusError(listJobs, response(status), settings);
    expect(error.toJSON()).toEqual({
      name: "FleetError",
      ...{
        code,
        message: `listJobs: ${message}`,
        summary: `listJobs: ${message}`,
        operation: "listJobs",
        status,
        errors: [],
        advice,
        changed: "no",
      },
    });
  });

  it("has the service's errors, their quotation and the retry delay", () => {
    const body = Array(4).fill({ errorMessage: "no" });
    const error = statusError(listJobs, response(429, JSON.stringify(body), { "retry-after": "7" }), settings);
    expect(error).toMatchObject({
      summary: "listJobs: HTTP 429 with 4 errors, the first 3 quoted",
      quotation: "no; no; no",
      errors: body,
      retryAfter: 7_000,
    });
  });

  it("has the operation's own advice, if there is any", () => {
    const operation = { ...listJobs, errors: { 409: { advice: "Choose another number" } } } as never;
    expect(statusError(operation, response(409), settings).advice).toBe("Choose another number");
    expect(statusError(operation, response(404), settings).advice).toBe(ADVICE.notFound);
  });
});
