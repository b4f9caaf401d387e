import { describe, expect, it } from "vitest";
import { addIdempotencyKey, type CreationKey, rejectsOnly } from "../../src/client/idempotency-key.ts";
import { WriteOutcome } from "../../src/client/write-outcome.ts";
import { FleetError, type FleetErrorCode, operations } from "../../src/index.ts";

const { createJob, updateGroup, listJobs } = operations;
const failed = (code: FleetErrorCode, status?: number, fields?: string[]) =>
  new FleetError(code, "failed", { operation: "createJob", status, errors: fields ? [{ offendingFields: fields }] : [] });
const creation = ({ key = { value: "N1", generated: true } as CreationKey, maybeSent = false } = {}) =>
  new WriteOutcome(createJob, key, maybeSent);
const noKey: CreationKey = { value: undefined, generated: false };

describe("a failed creation", () => {
  it.each<[FleetErrorCode, number | undefined, boolean, "no" | "unknown"]>([
    ["network", undefined, false, "no"],
    ["network", undefined, true, "unknown"],
    ["timeout", 408, true, "unknown"],
    ["timeout", 408, false, "no"],
    ["contract", 421, true, "unknown"],
    ["contract", 425, true, "unknown"],
    ["contract", 499, true, "unknown"],
    ["contract", 200, true, "unknown"],
    ["tooLarge", 200, true, "unknown"],
    ["contract", 299, true, "unknown"],
    ["rejected", 200, true, "no"],
    ["contract", 304, true, "unknown"],
    ["rejected", 300, true, "unknown"],
    ["rejected", 399, true, "unknown"],
    ["rejected", 400, true, "no"],
    ["contract", 418, true, "no"],
    ["upstream", 500, true, "unknown"],
    ["upstream", 503, true, "unknown"],
  ])("with %s, status %s, sent %s: changed %s", (code, status, sent, changed) => {
    const outcome = creation();
    expect(outcome.fail(failed(code, status), sent)).toBeUndefined();
    const error = outcome.finalError(failed(code, status));
    expect(error).toMatchObject({ changed, jobNumber: "N1", code: changed === "unknown" ? "unknownOutcome" : code });
  });

  it("stays unknown once a response was lost", () => {
    const outcome = creation();
    outcome.fail(failed("network"), true);
    outcome.fail(failed("rejected", 400), true);
    const error = outcome.finalError(
      new FleetError("rejected", "failed", {
        quotation: "no",
        operation: "createJob",
        status: 400,
        errors: [{ errorCode: 1 }],
        retryAfter: 5,
      }),
    );
    expect(error).toMatchObject({
      code: "unknownOutcome",
      summary: "failed; an earlier response was lost, so it is not known whether the record was created",
      quotation: "no",
      operation: "createJob",
      status: 400,
      errors: [{ errorCode: 1 }],
      retryAfter: 5,
      jobNumber: "N1",
      changed: "unknown",
      advice:
        'Check whether N1 exists before trying again, for example with listJobs({ query: { jobNumber: "N1" } }), and reuse the same number',
    });
  });

  it("says how to look for a record without a number", () => {
    const outcome = creation({ key: noKey });
    outcome.fail(failed("network"), true);
    expect(outcome.finalError(failed("network"))).toMatchObject({
      summary: "failed; it is not known whether the record was created",
      advice: "Check whether it exists before trying again, for example with listJobs()",
    });
    const { idempotencyKey: _, ...unlisted } = createJob;
    const other = new WriteOutcome(unlisted, { value: undefined, generated: false }, true);
    expect(other.finalError(failed("network"))).toMatchObject({
      summary: "failed; an earlier response was lost, so it is not known whether the record was created",
      advice: "Check whether it exists before trying again",
    });
    const keyless = new WriteOutcome(unlisted, { value: "N1", generated: true }, true);
    expect(keyless.fail(failed("rejected", 400, ["jobNumber"]), true)).toBeUndefined();
  });

  it.each([
    ["a generated number rejected after a lost response", {}, true, ["jobNumber"], true],
    ["a number rejected at the first attempt", {}, false, ["jobNumber"], false],
    ["another field rejected", {}, true, ["notes"], false],
    ["the caller's own number rejected", { key: { value: "N1", generated: false } }, true, ["jobNumber"], false],
    ["no number", { key: { value: undefined, generated: true } }, true, ["jobNumber"], false],
  ])("is known to have succeeded by %s", (_, options, lost, fields, inferred) => {
    const outcome = creation(options);
    if (lost) outcome.fail(failed("network"), true);
    expect(outcome.fail(failed("conflict", 409, fields), true)).toEqual(
      inferred ? { job: { jobNumber: "N1" }, inferred: true } : undefined,
    );
  });

  const [timeout, brokenConnection] = [failed("timeout"), failed("network")];
  it.each<[string, boolean, Parameters<WriteOutcome["fail"]>[], boolean]>([
    ["a timeout", false, [[timeout, true]], true],
    [
      "a timeout, then a broken connection",
      false,
      [
        [timeout, true],
        [brokenConnection, true],
      ],
      true,
    ],
    ["a timeout during the response", false, [[timeout, true, true]], false],
    ["a timeout before the request was sent", false, [[timeout, false]], false],
    ["a broken connection", false, [[brokenConnection, true]], false],
    ["408", false, [[failed("timeout", 408), true]], true],
    ["499", false, [[failed("contract", 499), true]], true],
    ["503", false, [[failed("upstream", 503), true]], false],
    ["504", false, [[failed("upstream", 504), true]], true],
    ["524", false, [[failed("upstream", 524), true]], true],
    ["an earlier call", true, [], true],
  ])("after %s may still be running", (_, maybeSent, failures, isInDoubt) => {
    const outcome = creation({ maybeSent });
    for (const failure of failures) outcome.fail(...failure);
    const taken = failed("conflict", 409, ["jobNumber"]);
    outcome.fail(taken, true);
    expect(outcome.isInDoubt(taken)).toBe(isInDoubt);
    expect(outcome.isInDoubt(failed("conflict", 409, ["notes"]))).toBe(false);
  });

  it("can be retried if it has a number or was not sent", () => {
    expect([creation().canRetry(true), creation({ key: noKey }).canRetry(true), creation({ key: noKey }).canRetry(false)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("the response to a creation", () => {
  it.each([
    ["the same number", "N1", true, false],
    ["no number", undefined, true, false],
    ["another number, at the first attempt", "N2", false, false],
    ["another number, after a lost response", "N2", true, true],
  ])("with %s", (_, jobNumber, lost, refused) => {
    const outcome = creation();
    if (lost) outcome.fail(failed("network"), true);
    const output = { job: { jobNumber } };
    if (!refused) expect(outcome.succeed(output, 200)).toEqual({ job: { jobNumber: jobNumber ?? "N1" } });
    else
      expect(() => outcome.succeed(output, 200)).toThrow(
        expect.objectContaining({
          code: "contract",
          operation: "createJob",
          status: 200,
          summary: "createJob: the response has a different jobNumber from the one sent",
        }),
      );
  });
});

describe("an update", () => {
  const update = () => new WriteOutcome(updateGroup, { value: undefined, generated: false }, false);
  it("can be repeated, keeps its error, and says whether it may have changed anything", () => {
    const outcome = update();
    expect(outcome.canRetry(true)).toBe(true);
    expect(outcome.succeed("x", 200)).toBe("x");
    outcome.fail(failed("network"), true);
    expect(outcome.succeed("x", 200)).toBe("x");
    expect(outcome.finalError(failed("network"))).toMatchObject({ code: "network", changed: "unknown" });
  });
});

describe("an idempotency key", () => {
  const settings = { generateKeys: true, now: () => Date.parse("2026-11-21T10:00:00Z") };
  it("is generated if the caller has none", () => {
    const input: Record<string, unknown> = {};
    const key = addIdempotencyKey(createJob, input, settings);
    expect(key).toEqual({ value: expect.stringMatching(/^FW-20261121-/), generated: true });
    expect(input["jobNumber"]).toBe(key?.value);
  });

  it.each<[object, boolean, unknown]>([
    [{ jobNumber: "N1" }, true, { value: "N1", generated: false }],
    [{}, false, { value: undefined, generated: false }],
  ])("of %j, generating %s", (input, generateKeys, key) => {
    const sent = { ...input };
    expect(addIdempotencyKey(createJob, sent, { ...settings, generateKeys })).toEqual(key);
    expect(sent).toEqual(input);
  });

  it("does not exist for other operations", () => {
    expect(addIdempotencyKey(listJobs, {}, settings)).toBeUndefined();
  });

  it("that cannot be generated is a configuration error", () => {
    expect(() => addIdempotencyKey(createJob, {}, { ...settings, now: () => Number.NaN })).toThrow(
      expect.objectContaining({
        code: "config",
        operation: "createJob",
        message: "createJob: could not generate jobNumber",
        advice: "Check the client's clock and the operation's idempotencyKey; nothing was sent",
      }),
    );
  });

  it.each<[FleetErrorCode, string[][], boolean]>([
    ["rejected", [["jobNumber"]], true],
    ["conflict", [["job.jobNumber"], ["jobNumber"]], true],
    ["forbidden", [["jobNumber"]], false],
    ["rejected", [], false],
    ["rejected", [[]], false],
    ["rejected", [["jobNumber"], []], false],
    ["rejected", [["jobNumber", "notes"]], false],
    ["rejected", [["jobNumber"], ["notes"]], false],
    ["rejected", [["myjobNumber"]], false],
    ["rejected", [["jobNumber.x"]], false],
  ])("is the only thing rejected by %s of %j: %s", (code, fields, only) => {
    const errors = fields.map((offendingFields) => ({ offendingFields }));
    expect(rejectsOnly(new FleetError(code, "failed", { errors }), "jobNumber")).toBe(only);
  });

  it("is not rejected by an error that names no fields", () => {
    expect(rejectsOnly(new FleetError("rejected", "failed", { errors: [{ errorMessage: "no" }] }), "jobNumber")).toBe(false);
  });
});
