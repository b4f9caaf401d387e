import { type Effect, FleetError, type FleetErrorCode, type FleetErrorDetails } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { NameQuestion, questionProperties, questionResult, type UnresolvedName } from "../../src/names/name-question.ts";
import { toFailure } from "../../src/text/failure.ts";
import { resultTokens } from "../../src/text/token-budget.ts";

const failure = (code: FleetErrorCode, details: FleetErrorDetails = {}, effect?: Effect, budget = 1_000, summary = "It failed") =>
  toFailure(new FleetError(code, summary, details), budget, effect);

describe("a failure", () => {
  it.each<[string, FleetErrorCode, FleetErrorDetails, Effect | undefined, string]>([
    ["of a read", "timeout", { advice: "Try later" }, undefined, "timeout: It failed. Next: Try later."],
    ["of a read that sent nothing", "input", {}, "read", "input: It failed. Next: Tell the user what happened."],
    ["of a creation", "rejected", { advice: "Fix it." }, "create", "rejected: It failed. This call created no job. Next: Fix it."],
    ["of an update", "rejected", { advice: "Fix it?" }, "update", "rejected: It failed. This call changed nothing. Next: Fix it?"],
    [
      "of a creation with invalid input",
      "input",
      { advice: "Fix it" },
      "create",
      "input: It failed. This call sent nothing. Next: Fix it.",
    ],
    [
      "of an update without configuration",
      "config",
      { advice: "Fix it" },
      "update",
      "config: It failed. This call sent nothing. Next: Fix it.",
    ],
    [
      "whose outcome is unknown",
      "unknownOutcome",
      { advice: "Look it up", jobNumber: "J\n1" },
      "create",
      "unknownOutcome: It failed. Whether anything changed is unknown. Job number used: J 1. Next: Look it up.",
    ],
    [
      "with invalid input after something was sent",
      "input",
      { changed: "unknown" },
      "update",
      "input: It failed. Whether anything changed is unknown. Next: Tell the user what happened.",
    ],
    [
      "that quotes the service",
      "rejected",
      { quotation: "no\nway", advice: "Fix it" },
      "read",
      "rejected: It failed. Next: Fix it. The service said: “no way”",
    ],
    [
      "of a response that is too large",
      "tooLarge",
      { advice: "Stream it" },
      "read",
      "tooLarge: It failed. Next: Request fewer records by id, group or a later start, or have FLEET_MAX_RESPONSE_BYTES raised.",
    ],
  ])("%s", (_, code, details, effect, error) => expect(failure(code, details, effect).error).toBe(error));

  it("has a record for programs", () => {
    expect(failure("timeout").structured).toStrictEqual({ error: { code: "timeout", changed: "no" } });
    const details = { changed: "unknown", jobNumber: "J1", status: 503, retryAfter: 500 } as const;
    expect(failure("upstream", details).structured).toEqual({ error: { code: "upstream", ...details } });
  });

  it.each<[Effect, string]>([
    ["read", "no"],
    ["create", "unknown"],
    ["update", "unknown"],
  ])("that is a bug says nothing about its cause, after a %s", (effect, changed) => {
    expect(toFailure(new Error("secret"), 1_000, effect)).toEqual({
      error: "internal: Fleetwire failed unexpectedly. Tell the user, and do not repeat a write.",
      structured: { error: { code: "internal", changed } },
    });
    expect(toFailure(new Error("secret"), 1_000).structured.error.changed).toBe("no");
  });

  it("is shortened evenly to fit the budget", () => {
    const lengthsWithin = (budget: number) => {
      const details = { advice: "a".repeat(2_000), quotation: "q".repeat(2_000) };
      const { error } = failure("rejected", details, "read", budget, "s".repeat(2_000));
      return [/s+/, /a{3,}/, /q+/].map((part) => part.exec(error.replace(/^rejected/, ""))?.[0].replace("service", "").length);
    };
    // Without the ellipses; "service" does not match, because the first run is the summary.
    const whole = [599, 1_199, 599];
    const tokens = Math.ceil((200 + 2 + "rejected: . Next: . The service said: “”".length + 2_400) / 4);
    expect(lengthsWithin(tokens)).toEqual(whole);
    expect(lengthsWithin(tokens - 1)).toEqual([239, 479, 239]);
    expect(lengthsWithin(310)).toEqual([239, 479, 239]);
    expect(lengthsWithin(200)).toEqual([59, 119, 59]);
    expect(lengthsWithin(1)).toEqual([59, 119, 59]);
  });

  it("shortens a long job number", () => {
    expect(failure("rejected", { jobNumber: "J".repeat(101) }).error).toContain(`Job number used: ${"J".repeat(99)}….`);
  });
});

const candidate = (label: string) => ({ label, record: { name: label } });
const UNRESOLVED: UnresolvedName = {
  total: 5,
  result: "ambiguous",
  field: "vehicle",
  query: "truck",
  noun: ["vehicle", "vehicles"],
  distinguishedBy: "registration",
  candidates: ["Truck 1", "Truck 2", "Truck 3", "Truck 4", "Truck 5"].map(candidate),
};
const NOT_FOUND: UnresolvedName = { ...UNRESOLVED, result: "notFound", query: "truck\n9" };
const AGAIN = "Ask the user, then call again with the full name or the text in brackets as vehicle.";

describe("a question about a name", () => {
  it.each<[string, Partial<UnresolvedName>, Effect, string]>([
    [
      "lists the first matches",
      { ...UNRESOLVED, total: 9 },
      "read",
      `9 vehicles match "truck". Which one: Truck 1; Truck 2; Truck 3; Truck 4; and 5 more? ${AGAIN}`,
    ],
    [
      "lists all of up to eight matches",
      { ...UNRESOLVED, total: 2, candidates: UNRESOLVED.candidates.slice(3) },
      "update",
      `2 vehicles match "truck". Which one: Truck 4; Truck 5? Nothing was sent. ${AGAIN}`,
    ],
    [
      "lists the nearest names",
      { ...NOT_FOUND, candidates: UNRESOLVED.candidates.slice(0, 2), alternative: "Or omit it." },
      "read",
      `No vehicle matches "truck 9". Did you mean one of these: Truck 1; Truck 2? ${AGAIN} Or omit it.`,
    ],
    [
      "names the nearest one",
      { ...NOT_FOUND, candidates: UNRESOLVED.candidates.slice(0, 1) },
      "create",
      `No vehicle matches "truck 9". Did you mean Truck 1? Nothing was sent. ${AGAIN}`,
    ],
    [
      "asks for something else if nothing is near",
      { ...NOT_FOUND, candidates: [] },
      "read",
      'No vehicle matches "truck 9". What is the registration? Ask the user, then call again with it as vehicle.',
    ],
    [
      "shortens a long name",
      { ...NOT_FOUND, candidates: [], query: "q".repeat(61) },
      "read",
      `No vehicle matches "${"q".repeat(59)}…". What is the registration? Ask the user, then call again with it as vehicle.`,
    ],
  ])("%s", (_, unresolved, effect, text) => expect(questionResult(unresolved as UnresolvedName, effect)(1_000).text).toBe(text));

  it("has a record for programs", () => {
    const { structured } = questionResult(UNRESOLVED, "update")(1_000);
    expect(structured).toEqual({
      ...{ result: "ambiguous", field: "vehicle", total: 5 },
      candidates: UNRESOLVED.candidates.map(({ record }) => record),
      question: '5 vehicles match "truck". Which one: Truck 1; Truck 2; Truck 3; Truck 4; Truck 5?',
      note: `Nothing was sent. ${AGAIN}`,
    });
    const { structured: notFound } = questionResult({ ...NOT_FOUND, candidates: [] }, "read")(1_000);
    expect(notFound).toEqual({
      ...{ result: "notFound", field: "vehicle", candidates: [] },
      question: 'No vehicle matches "truck 9". What is the registration?',
      note: "Ask the user, then call again with it as vehicle.",
    });
    expect(Object.keys(questionProperties)).toEqual(["result", "field", "candidates", "question"]);
    for (const { description } of Object.values(questionProperties)) expect(description).toMatch(/\w/);
    expect(questionProperties.candidates.items).toEqual({ type: "object" });
  });

  it("has as many candidates as fit the budget", () => {
    const render = questionResult(UNRESOLVED, "read");
    const two = { ...render(1_000) };
    const counts = [1_000, resultTokens(two), resultTokens(two) - 1, 130, 1].map(
      (budget) => (render(budget).structured["candidates"] as []).length,
    );
    expect(counts.slice(0, 3)).toEqual([5, 5, 4]);
    expect(counts.at(-1)).toBe(0);
    expect(render(1).text).toBe('5 vehicles match "truck". What is the registration? Ask the user, then call again with it as vehicle.');
  });

  it("is an error that names the argument, until it is shown", () => {
    const error = new NameQuestion(UNRESOLVED);
    expect([error.message, error.unresolved]).toEqual(["vehicle: ambiguous", UNRESOLVED]);
  });
});
