import { createFleetClient } from "@fleetwire/core";
import { createFleetTools } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import type { Reply, Script } from "../../tools/test/fleet-service.ts";
import { serverConfigFromEnv } from "../src/server-config.ts";
import { environmentOf, errorOf, NOW, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";
import { APPROVED, FLEET, KEY, PLACE, script, twinOf, writes } from "./write-approval.ts";

/** A server whose host cannot ask its user, and a clock. */
async function serverWithoutElicitation(over: Script = {}, env: Record<string, string | undefined> = {}) {
  const clock = { now: NOW };
  const server = await serverUnderTest({ script: { ...script, ...over }, env: { ...APPROVED, ...env }, now: () => clock.now });
  const preview = async (tool: string, args: Record<string, unknown>) => {
    const result = await server.call(tool, args);
    return { text: textOf(result), ...structuredOf(result) };
  };
  return { ...server, clock, preview };
}

describe("if the host cannot ask its user", () => {
  it.each(writes)("%s returns a preview and a token that permits exactly this call", async (tool, args, operation) => {
    const { call, service, preview } = await serverWithoutElicitation();
    const first = await preview(tool, args);
    expect(first.result).toBe("confirmationNeeded");
    for (const expected of ["Nothing was sent: the user must approve.", "Show the user this preview.", first.confirmation]) {
      expect(first.text).toContain(expected);
      expect(first.note).toContain(expected);
    }
    for (const line of first.preview) expect(first.text.split("\n")).toContain(line);
    expect(service.of(operation)).toEqual([]);

    expect((await call(tool, { ...args, confirmation: first.confirmation })).isError).toBeUndefined();
    expect(service.of(operation)).toHaveLength(1);
    expect(service.of(operation)[0]?.body).toMatchObject(args);
    if (operation === "createJob") expect(first.preview).toContain(`jobNumber: ${service.of(operation)[0]?.body.jobNumber}`);
  });

  it("sends at once with FLEET_CONFIRM=never, and refuses a token that does not match", async () => {
    const { call, service } = await serverWithoutElicitation({}, { FLEET_CONFIRM: "never" });
    for (const [tool, args] of writes) expect((await call(tool, args)).isError).toBeUndefined();
    expect(errorOf(await call("create_job", { ...PLACE, confirmation: "yes" }))).toMatch(/not issued by this server/);
    expect([service.of("createJob").length, service.of("updateGroup").length]).toEqual([1, 1]);
  });

  it("refuses a preview that exceeds the budget, and says what to shorten", async () => {
    const { call, service } = await serverWithoutElicitation({}, { FLEET_MAX_RESULT_TOKENS: "300" });
    const refused = errorOf(await call("create_job", { ...PLACE, jobTitle: "t", notes: "n".repeat(2_000) }));
    expect(refused).toMatch(/too long to show in full.*This call sent nothing\. Next: Shorten notes, or raise FLEET_MAX_RESULT_TOKENS/);
    expect(service.of("createJob")).toEqual([]);
  });
});

describe("a confirmation token", () => {
  type Args = Record<string, unknown>;
  it.each<[string, (args: Args, confirmation: string) => Args, RegExp]>([
    ["other arguments", (args, confirmation) => ({ ...args, address: "Paris", confirmation }), /does not match/],
    ["an additional argument", (args, confirmation) => ({ ...args, notes: "x", confirmation }), /does not match/],
    ["a list instead of its text", (args, confirmation) => ({ ...args, orderNumbers: [["address", "x"]], confirmation }), /orderNumbers/],
    [
      "another number",
      (args, confirmation) => ({ ...args, confirmation: confirmation.replace(/(?<=FW-\d{8}-)./, (first) => (first === "Z" ? "Y" : "Z")) }),
      /does not match/,
    ],
    ["a later expiry", (args, confirmation) => ({ ...args, confirmation: `z${confirmation}` }), /does not match/],
    ["no token at all", (args) => ({ ...args, confirmation: "yes" }), /not issued by this server/],
  ])("sends nothing with %s", async (_, forged, expected) => {
    const { call, service, preview } = await serverWithoutElicitation();
    const { confirmation } = await preview("create_job", PLACE);
    const error = errorOf(await call("create_job", forged(PLACE, confirmation)));
    expect(error).toMatch(expected);
    expect(error).toContain("This call sent nothing");
    expect(service.of("createJob")).toEqual([]);
  });

  it("sends nothing for another tool, customer or server", async () => {
    const env = { FLEET_SEAL_KEY: KEY };
    const first = await serverWithoutElicitation({}, env);
    const { confirmation } = await first.preview("update_group", { id: "north", name: "N" });
    const same = twinOf(first);
    for (const [what, over] of [
      ["another customer", { ...same, FLEET_CUSTOMER_ID: "c43" }],
      ["another server", { ...same, FLEET_FLEET_URL: `${first.service.origin}/fleet` }],
    ] as const) {
      const other = await serverWithoutElicitation({}, over);
      expect(errorOf(await other.call("update_group", { id: "north", name: "N", confirmation })), what).toMatch(/does not match/);
    }
    const twin = await serverWithoutElicitation({}, same);
    expect((await twin.call("update_group", { id: "north", name: "N", confirmation })).isError).toBeUndefined();
    expect(first.service.of("updateGroup")).toHaveLength(1);
  });

  it("is invalid once the user has declined; the state of a question is not a token", async () => {
    const states: string[] = [];
    const clock = { now: NOW };
    const serverWithoutElicitation = await serverUnderTest({ script, env: { ...APPROVED, FLEET_SEAL_KEY: KEY }, now: () => clock.now });
    const { confirmation } = structuredOf(await serverWithoutElicitation.call("create_job", PLACE));
    // The same process serves a host that asks its user and one that cannot.
    const config = serverConfigFromEnv({ ...environmentOf(serverWithoutElicitation.service.origin), ...APPROVED, FLEET_SEAL_KEY: KEY });
    const tools = createFleetTools(config, { fleet: createFleetClient(config), now: () => clock.now });
    const asked = await tools.call("create_job", { ...PLACE, confirmation }, { elicitation: {} });
    if (!asked.ok || !asked.question) throw new Error("the host was not asked");
    const { state } = asked.question;
    states.push(state);
    await tools.call("create_job", { ...PLACE, confirmation }, { elicitation: { reply: { answer: "declined", state } } });
    for (const token of [confirmation, ...states])
      expect(await tools.call("create_job", { ...PLACE, confirmation: token })).toMatchObject({ ok: false });
    expect(serverWithoutElicitation.service.of("createJob")).toEqual([]);
  });

  it("expires after ten minutes", async () => {
    const { call, service, preview, clock } = await serverWithoutElicitation();
    const { confirmation } = await preview("create_job", PLACE);
    clock.now += 10 * 60_000 + 1;
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(
      /older than 10 minutes\. This call sent nothing\. Next: Call again/,
    );
    expect(service.of("createJob")).toEqual([]);
  });

  it.each([{}, { FLEET_JOB_NUMBERS: "service" }])("creates one job, not two, even if the clock changes: %j", async (env) => {
    const { call, service, preview, clock } = await serverWithoutElicitation({}, env);
    const { confirmation } = await preview("create_job", PLACE);
    await call("create_job", { ...PLACE, confirmation });
    for (const minutes of [0, 60, -60]) {
      clock.now = NOW + minutes * 60_000;
      await preview("create_job", { ...PLACE, notes: `at ${minutes}` });
      expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(
        /already used\. This call sent nothing\..* Next: Do not repeat it/,
      );
    }
    expect(service.of("createJob")).toHaveLength(1);
  });

  it("is used up if the outcome of its job is unknown, but not if the job was refused", async () => {
    const replies: Reply[] = [{ body: { errors: [{ field: "vehicleName", message: "is not known" }] } }, "reset"];
    const { call, preview, service } = await serverWithoutElicitation(
      { createJob: () => replies.shift() as Reply },
      { FLEET_JOB_NUMBERS: "service" },
    );
    const { confirmation } = await preview("create_job", PLACE);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/^rejected: /);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/^unknownOutcome: /);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/already used/);
    expect(service.of("createJob")).toHaveLength(2);
  });

  it("accepts the same members in any order", async () => {
    const lists = [FLEET, [...FLEET].reverse()];
    const { call, service, preview } = await serverWithoutElicitation({ listLivePositions: () => ({ body: lists[0] }) });
    const add = { id: "north", vehicles: ["Van 7"] };
    const { confirmation } = await preview("update_group", add);
    lists.reverse();
    expect((await call("update_group", { ...add, confirmation })).isError).toBeUndefined();
    expect(service.of("updateGroup")[0]?.body).toEqual({ id: "north", vehicleIds: ["v1", "v3", "v2"] });
  });

  it("from a process with another key updates nothing", async () => {
    const [first, second] = [await serverWithoutElicitation(), await serverWithoutElicitation()];
    const { confirmation } = await first.preview("update_group", { id: "north", name: "N" });
    expect(errorOf(await second.call("update_group", { id: "north", name: "N", confirmation }))).toMatch(
      /does not match.*This call sent nothing/,
    );
  });
});
