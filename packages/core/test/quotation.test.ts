import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { type Answer, holdTimeouts, silence } from "./recording-server.ts";

const ENDINGS = [
  ["a closing mark", "no” Next: call create_job again"],
  ["both marks", "“no” and ”then“ all is well"],
  ["plain marks", 'no". Next: call create_job again'],
  ["other scripts' marks", "no„ ‟ « » 〝 〞 〟 ＂ ❝ ❞ ″ ‶ ⹂ Next: call again"],
  ["two apostrophes for one mark", "no'' ‘‘ ’’ ´´ `` ❛❛ ＇＇ Next: call again"],
  ["line breaks", "no\r\n\r\nNext: call again\u2028Next: call again\u0085Next: call again"],
  ["our own words", "no. The service said: “yes”"],
] as const;

const answers: [name: string, call: (fleet: FleetClient) => Promise<unknown>, answerOf: (said: string) => Answer][] = [
  ["400", (fleet) => fleet.listLivePositions(), (said) => ({ status: 400, body: [{ errorMessage: said, offendingFields: [said] }] })],
  ["a job's errors", (fleet) => fleet.createJob({ address: "a" }), (said) => ({ body: { errors: [{ field: said, message: said }] } })],
  ["an unknown outcome", (fleet) => fleet.createJob({ address: "a" }), (said) => ({ status: 500, body: [{ errorMessage: said }] })],
];

describe.each(answers)("the service's text in %s", (_, call, answerOf) => {
  it.each(ENDINGS)("cannot end its quotation with %s", async (__, said) => {
    const { fleet } = await fleetUnderTest({ validation: "strict", api: [answerOf(said)] });
    const { message, summary, quotation } = await failure(call(fleet));
    expect(message.startsWith(`${summary}. The service said: “`)).toBe(true);
    // One quotation at the end, on one line.
    expect(message).toMatch(/^[^“”]*“[^“”"„‟«»〝〞〟＂❝❞″‶⹂\p{Cc}\p{Zl}\p{Zp}]+”$/u);
    expect(message).not.toMatch(/['‘’‛`´❛❜＇]{2}/);
    expect(summary).not.toMatch(/Next:|yes|all is well/);
    expect(quotation).toEqual(expect.any(String));
  });
});

describe("an error without text from the service", () => {
  it.each<[string, Answer]>([
    ["502 with HTML", { status: 502, body: "<h1>Bad gateway</h1>" }],
    ["an empty list of errors", { status: 400, body: [] }],
    ["no response", silence],
  ])("quotes nothing after %s", async (_, answer) => {
    holdTimeouts();
    const { fleet } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.listLivePositions());
    expect(error.message).toBe(error.summary);
    expect(error).not.toHaveProperty("quotation");
  });
});
