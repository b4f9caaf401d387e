import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { FleetClient, FleetClientOptions } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, DEAD_ORIGIN, recordingServer, reset, silence, truncatedBody } from "./recording-server.ts";

const clientId = "canary-id-4711";
const clientSecret = "canary-:secret/+=ü";
const token = "issued-token.eyJhbGciOi";
const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
const base64 = btoa(String.fromCharCode(...bytes));
const secrets = [clientId, clientSecret, base64, token];

/** Every way in which an error could be printed. */
const shown = (error: Error) =>
  [
    String(error.stack),
    inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxStringLength: null, maxArrayLength: null }),
    JSON.stringify(error, [...Object.getOwnPropertyNames(error), "errors"]),
    JSON.stringify(error),
  ].join("\n");

const echo = `you sent ${secrets.join(" and ")} and Basic ${base64}`;
const echoes = { errorMessage: echo, offendingFields: [echo, token], trace: echo };

const answers: [what: string, answer: Answer][] = [
  ["echoes it in an error", { status: 400, body: [echoes, echoes] }],
  ["echoes it in HTML", { status: 502, body: `<html>${echo}` }],
  ["echoes it to a 401", { status: 401, body: echoes }],
  ["echoes it in a response that is not JSON", { body: echo }],
  ["echoes it in a response of the wrong shape", { body: JSON.stringify(echo) }],
  ["echoes it in a redirect", { status: 302, headers: { location: `/?x=${token}&y=${base64}` } }],
  ["echoes it in a job's errors", { body: { errors: [{ field: token, message: echo }] } }],
  ["echoes it as a field", { body: { [token]: 1, [base64]: 2, [clientSecret]: { a: 1 }, [clientId]: null } }],
  ["resets the connection", reset],
  ["breaks off", truncatedBody],
  ["never responds", silence],
];

const calls: { name: string; call: (fleet: FleetClient) => Promise<unknown> }[] = [
  { name: "createJob", call: (fleet) => fleet.createJob({ address: "a", notes: "canary-note: the gate code is 4711" }, { timeout: 100 }) },
  { name: "listVehicleFaults", call: (fleet) => fleet.listVehicleFaults({}, { timeout: 100 }) },
];

const options: Partial<FleetClientOptions> = {
  credentials: { clientId, clientSecret },
  validation: "strict",
  authSchemes: { listVehicleFaults: "bearer" },
};

describe.each(calls)("no secret shows when $name fails", ({ call }) => {
  it.each(answers)("because the service %s", async (_, answer) => {
    const { fleet, drift } = await fleetUnderTest({ ...options, api: [answer], auth: [tokenAnswer(token)] });
    const error = await failure(call(fleet));
    expect(error.cause).toBeUndefined();
    for (const secret of secrets) expect(shown(error) + inspect(drift, { depth: 9 })).not.toContain(secret);
  });

  it("because the connection is refused", async () => {
    const auth = await recordingServer(tokenAnswer(token));
    const { fleet } = await fleetUnderTest({ ...options, servers: { job: DEAD_ORIGIN, base: DEAD_ORIGIN, auth: auth.origin } });
    const error = await failure(call(fleet));
    for (const secret of secrets) expect(shown(error)).not.toContain(secret);
  });
});

describe("no secret shows", () => {
  it.each(answers.filter(([, answer]) => answer !== silence))("when the token service %s", async (_, answer) => {
    const { fleet } = await fleetUnderTest({ ...options, auth: [answer] });
    const error = await failure(fleet.listJobs());
    // A token that the service never issued is not one of the client's secrets.
    for (const secret of [clientId, clientSecret, base64]) expect(shown(error)).not.toContain(secret);
  });

  it("when the token itself is invalid", async () => {
    const { fleet } = await fleetUnderTest({ ...options, auth: [tokenAnswer(`${token}\n`)] });
    const error = await failure(fleet.listJobs());
    for (const secret of secrets) expect(shown(error)).not.toContain(secret);
  });

  it("of a token that was refreshed in the meantime", async () => {
    const { fleet } = await fleetUnderTest({
      ...options,
      auth: [tokenAnswer(token), tokenAnswer("second-token")],
      api: [{ body: { job: { jobId: "j1" } } }, { status: 401 }, { status: 400, body: echoes }],
    });
    await fleet.listJobs();
    const error = await failure(fleet.listJobs());
    expect(error.status).toBe(400);
    for (const secret of secrets) expect(shown(error)).not.toContain(secret);
  });

  it("when one secret is part of another", async () => {
    const { fleet } = await fleetUnderTest({
      credentials: { clientId: "cana", clientSecret: "canary-secret" },
      api: [{ status: 400, body: { errorMessage: "canary-secret" } }],
    });
    expect((await failure(fleet.listLivePositions())).message).toBe("listLivePositions: HTTP 400. The service said: “[redacted]”");
  });

  it("in a client that is printed", async () => {
    const { fleet } = await fleetUnderTest({ ...options, auth: [tokenAnswer(token)] });
    await fleet.listJobs();
    const text =
      inspect(fleet, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }) + JSON.stringify(fleet) + String(fleet);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

it.each<[what: string, answer: (said: unknown) => Answer, code: string]>([
  ["400", (said) => ({ status: 400, body: [{ errorMessage: said, offendingFields: [said] }] }), "rejected"],
  ["409", (said) => ({ status: 409, body: { errorMessage: said } }), "conflict"],
  ["a job's errors", (said) => ({ body: { errors: [{ field: "notes", message: said }] } }), "rejected"],
])("no error contains a confidential field of a job if %s repeats it", async (_, answer, code) => {
  const notes = 'canary-note: the gate code is "4711"\nring twice';
  const contactEmail = "canary-person@example.com";
  const { fleet } = await fleetUnderTest({ api: [answer(`${notes} or ${JSON.stringify(notes)} or ${contactEmail} is too long`)] });
  const error = await failure(fleet.createJob({ address: "a", notes, contactEmail }));
  expect(error).toMatchObject({ code, quotation: expect.stringContaining('[redacted] or "[redacted]" or [redacted] is too long') });
  expect(shown(error)).not.toMatch(/canary|4711/);
});
