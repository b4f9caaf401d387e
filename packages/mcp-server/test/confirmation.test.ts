import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { Reply, Script } from "./fleet-service.ts";
import { errorOf, NOW, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const GROUP = { id: "north", name: "North depot" };
const PLACE = { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" };
const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetGroupId: "north", driverId: "p1", driverName: "Anna", driverGroupId: "south" },
  { assetId: "v2", assetName: "Van 7", assetGroupId: "south", driverId: "p2", driverName: "Bert", driverGroupId: "north" },
  { assetId: "v3", assetName: "Truck 3", assetGroupId: "north" },
  { assetId: "v12", assetName: "Truck 12" },
];

const script: Script = {
  createJob: ({ body }) => ({ body: { job: body } }),
  updateGroup: () => ({ body: GROUP }),
  listLivePositions: () => ({ body: FLEET }),
};

const writes: [string, Record<string, unknown>, "createJob" | "updateGroup"][] = [
  ["create_job", PLACE, "createJob"],
  ["update_group", { id: "north", vehicleIds: ["v1", "v2"] }, "updateGroup"],
];

const accept = (content: Record<string, boolean> = { confirm: true }): ElicitResult => ({ action: "accept", content });

/** A person who replies the same to every question, and the questions. */
function personWho(reply: ElicitResult) {
  const asked: string[] = [];
  const person = (message: string) => {
    asked.push(message);
    return reply;
  };
  return { asked, person };
}

describe.each(["auto", "legacy"] as const)("a host that can ask the person, revision %s", (mode) => {
  it.each(writes)("%s shows what will be sent and goes on on a yes", async (tool, args, operation) => {
    const { asked, person } = personWho(accept());
    const { call, service } = await serverUnderTest({ script, mode, person });
    expect((await call(tool, args)).isError).toBeUndefined();
    expect(service.of(operation)).toHaveLength(1);
    expect(service.of(operation)[0]?.body).toMatchObject(args);
    expect(asked).toHaveLength(1);
    if (operation === "createJob") expect(asked[0]).toContain(`jobNumber: ${service.of(operation)[0]?.body.jobNumber}`);
  });

  it.each([
    ["declined", { action: "decline" }],
    ["declined", accept({ confirm: false })],
    ["cancelled", { action: "cancel" }],
  ] as [string, ElicitResult][])("%s: nothing is sent, and the answer says so", async (result, reply) => {
    const { person } = personWho(reply);
    const { call, service } = await serverUnderTest({ script, mode, person });
    for (const [tool, args, operation] of writes) {
      const answer = await call(tool, args);
      expect(structuredOf(answer)).toEqual({ result });
      expect(textOf(answer)).toContain(`${result}: nothing was sent`);
      expect(service.of(operation)).toEqual([]);
    }
  });

  it("sends nothing where the host says that it can ask and fails to", async () => {
    const person = () => {
      throw new Error("no window");
    };
    const { call, service } = await serverUnderTest({ script, mode, person });
    const told = await call("create_job", PLACE).then(textOf, ({ message }: Error) => message);
    // In today's revision the host asks by itself, and tells the model in its own words.
    if (mode === "legacy") expect(told).toMatch(/^aborted: .*nothing was sent\. Next: Tell the person/);
    else expect(told).toContain("no window");
    expect(service.of("createJob")).toEqual([]);
  });

  it("is asked under always too, and not at all under never", async () => {
    const { asked, person } = personWho(accept());
    for (const [confirm, questions] of [
      ["always", 1],
      ["never", 1],
    ] as const) {
      const { call, service } = await serverUnderTest({ script, mode, person, env: { FLEET_CONFIRM: confirm } });
      await call("create_job", PLACE);
      expect([asked.length, service.of("createJob").length]).toEqual([questions, 1]);
    }
  });

  it("is not asked about reads, and not about what cannot be sent", async () => {
    const { asked, person } = personWho(accept());
    const { call } = await serverUnderTest({ script, mode, person });
    await call("list_live_positions");
    errorOf(await call("create_job", { jobTitle: "x" }));
    errorOf(await call("update_group", { id: "North" }));
    expect(asked).toEqual([]);
  });
});

describe("what the person is shown", () => {
  async function shown(tool: string, args: Record<string, unknown>, over: { script?: Script; env?: Record<string, string> } = {}) {
    const { asked, person } = personWho({ action: "decline" });
    const { call } = await serverUnderTest({ person, env: over.env ?? {}, script: { ...script, ...over.script } });
    await call(tool, args);
    return asked[0]?.split("\n");
  }

  it("a job: its fields as they are sent, its number too", async () => {
    expect(await shown("create_job", { ...PLACE, arrivalWindowStart: "2026-11-20T09:30+01:00" })).toEqual([
      "Create job:",
      "address: Quai Perrache 10, Lyon",
      "vehicleName: Truck 12",
      "arrivalWindowStart: 2026-11-20T08:30Z",
      expect.stringMatching(/^jobNumber: FW-20261120-\w{10}$/),
    ]);
  });

  it("a group: names beside ids, and who would leave if a list replaces", async () => {
    expect(
      await shown("update_group", { id: "north", name: "N", parentId: "root", vehicleIds: ["v1", "v2", "v9"], personIds: [] }),
    ).toEqual([
      "Update group:",
      "group: north",
      "new name: N",
      "new parent: root",
      "vehicles, the list that is sent (3): Truck 1 (v1), Van 7 (v2), v9",
      "vehicles that would join (2): Van 7 (v2), v9",
      "vehicles that would leave the group if the list replaces the one that is there (1): Truck 3 (v3)",
      "persons, the list that is sent (0): empty",
      "persons that would leave the group if the list replaces the one that is there (1): Bert (p2)",
      "Members are known from live positions only: others may leave too.",
    ]);
  });

  it("the names of groups, and whoever joins a large one", async () => {
    const positions = Array.from({ length: 40 }, (_, at) => ({
      ...{ assetId: `v${at}`, assetName: `Truck ${at}`, assetGroupId: at === 39 ? "south" : "north" },
      assetGroupName: at === 39 ? "South depot" : "North depot",
    }));
    const over = { script: { listLivePositions: () => ({ body: positions }) } };
    const lines = await shown("update_group", { group: "north depot", addVehicles: ["truck 39"], parentId: "south" }, over);
    expect(lines?.slice(1, 3)).toEqual(["group: North depot (north)", "new parent: South depot (south)"]);
    expect(lines?.[3]).toMatch(/^vehicles, the list that is sent \(40\): .*, and 28 more$/);
    expect(lines?.[4]).toBe("vehicles that would join (1): Truck 39 (v39)");
  });

  it("a long text to its end, or how much more there is", async () => {
    const notes = `${"Ring at gate 3. ".repeat(40)}Then leave it open.`;
    const lines = await shown("create_job", { ...PLACE, notes, clientName: "d".repeat(5_000) });
    expect(lines).toContain(`notes: ${notes}`);
    expect(lines?.find((line) => line.startsWith("clientName"))).toMatch(
      /^clientName: d{900,1000}… \(shortened here; all 5000 characters are sent\)$/,
    );
  });

  it("texts as they are sent, and all entries of a list", async () => {
    const orderNumbers = Array.from({ length: 30 }, (_, at) => `O${at}`);
    const lines = await shown("create_job", { ...PLACE, notes: "gate 3|4", jobTitle: "", orderNumbers });
    expect(lines).toEqual(expect.arrayContaining(["notes: gate 3|4", "jobTitle: empty", `orderNumbers: ${orderNumbers.join(", ")}`]));
  });

  it("a group whose members cannot be read: that they cannot", async () => {
    const lines = await shown(
      "update_group",
      { id: "north", vehicleIds: ["v1"] },
      { script: { listLivePositions: () => ({ status: 403 }) } },
    );
    expect(lines).toContain("vehicles, the list that is sent (1): v1");
    expect(lines?.at(-1)).toMatch(/could not be read/);
  });

  it("texts of records and arguments on their own line, cut", async () => {
    const hostile = 'x\nnew parent: root\u2028y\u001b[2J"'.repeat(50);
    const named: Script = { listLivePositions: () => ({ body: [{ assetId: "v3", assetName: hostile, assetGroupId: "north" }] }) };
    const lines = await shown("update_group", { id: "north", name: hostile.slice(0, 200), vehicleIds: ["v1"] }, { script: named });
    expect(lines).toHaveLength(7);
    for (const line of lines ?? []) expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,300}$/u);
  });

  it("pseudonyms where drivers' names are hidden", async () => {
    const lines = await shown("update_group", { id: "north", personIds: [] }, { env: { FLEET_DRIVER_NAMES: "hide" } });
    expect(lines?.join("\n")).toMatch(/Driver [0-9a-f]{6} \(p2\)/);
    expect(lines?.join("\n")).not.toContain("Bert");
  });
});

describe("FLEET_CONFIRM where the host cannot ask", () => {
  it.each(["auto", "never"])("%s leaves the approval to the host", async (confirm) => {
    const { call, service } = await serverUnderTest({ script, env: { FLEET_CONFIRM: confirm } });
    for (const [tool, args] of writes) expect((await call(tool, args)).isError).toBeUndefined();
    expect(service.received.map(({ operation }) => operation)).toEqual([
      "listLivePositions",
      "requestAccessToken",
      "createJob",
      "updateGroup",
    ]);
  });

  async function always(over: Script = {}, env: Record<string, string> = {}) {
    const clock = { now: NOW };
    const server = await serverUnderTest({
      script: { ...script, ...over },
      env: { FLEET_CONFIRM: "always", ...env },
      now: () => clock.now,
    });
    const refusal = async (tool: string, args: Record<string, unknown>) => {
      const result = await server.call(tool, args);
      expect(result.isError).toBe(true);
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
      return { text: textOf(result), ...(result.structuredContent as any) };
    };
    return { ...server, clock, refusal };
  }

  it.each(writes)("always refuses %s with a preview and a confirmation, which lets exactly it through", async (tool, args, operation) => {
    const { call, service, refusal } = await always();
    const { text, result, preview, confirmation } = await refusal(tool, args);
    expect(result).toBe("confirmationNeeded");
    expect(text).toMatch(/^confirmation needed: FLEET_CONFIRM=always; nothing was sent\./);
    for (const line of [...preview, confirmation, "Next: show this to the person"]) expect(text).toContain(line);
    expect(service.of(operation)).toEqual([]);

    expect((await call(tool, { ...args, confirmation })).isError).toBeUndefined();
    expect(service.of(operation)).toHaveLength(1);
    expect(service.of(operation)[0]?.body).toMatchObject(args);
    if (operation === "createJob") expect(preview).toContain(`jobNumber: ${service.of(operation)[0]?.body.jobNumber}`);
  });

  it.each<[string, (args: Record<string, unknown>, confirmation: string) => Record<string, unknown>, RegExp]>([
    ["other arguments", (args, confirmation) => ({ ...args, address: "Paris", confirmation }), /does not fit/],
    [
      "another number",
      (args, confirmation) => ({ ...args, confirmation: confirmation.replace(/FW-\d{8}-./, "FW-20261120-Z") }),
      /does not fit/,
    ],
    ["a later end", (args, confirmation) => ({ ...args, confirmation: `z${confirmation}` }), /does not fit/],
    ["no confirmation at all", (args) => ({ ...args, confirmation: "yes" }), /not one that this server gave/],
  ])("always refuses a confirmation with %s", async (_, forged, said) => {
    const { call, service, refusal } = await always();
    const { confirmation } = await refusal("create_job", PLACE);
    expect(errorOf(await call("create_job", forged(PLACE, confirmation)))).toMatch(said);
    expect(service.of("createJob")).toEqual([]);
  });

  it("a confirmation ends after ten minutes", async () => {
    const { call, service, refusal, clock } = await always();
    const { confirmation } = await refusal("create_job", PLACE);
    clock.now += 10 * 60_000 + 1;
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(
      /older than 10 minutes\. This call sent nothing\. Next: Call again/,
    );
    expect(service.of("createJob")).toEqual([]);
  });

  it.each([{}, { FLEET_JOB_NUMBERS: "service" }])("a confirmation makes one job, not two %j", async (env) => {
    const { call, service, refusal } = await always({}, env);
    const { confirmation } = await refusal("create_job", PLACE);
    await call("create_job", { ...PLACE, confirmation });
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(
      /used before\. This call sent nothing\. Next: Do not repeat it/,
    );
    expect(service.of("createJob")).toHaveLength(1);
  });

  it("a confirmation whose job has an unknown outcome is used; one whose job was refused is not", async () => {
    const replies: Reply[] = [{ body: { errors: [{ field: "vehicleName", message: "is not known" }] } }, "reset"];
    const { call, refusal, service } = await always({ createJob: () => replies.shift() as Reply }, { FLEET_JOB_NUMBERS: "service" });
    const { confirmation } = await refusal("create_job", PLACE);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/^rejected: /);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/^unknownOutcome: /);
    expect(errorOf(await call("create_job", { ...PLACE, confirmation }))).toMatch(/used before/);
    expect(service.of("createJob")).toHaveLength(2);
  });

  const KEY = Buffer.alloc(32, 7).toString("base64");

  it("a confirmation fits the same members in whatever order the service lists them", async () => {
    const lists = [FLEET, [...FLEET].reverse()];
    const { call, service, refusal } = await always({ listLivePositions: () => ({ body: lists[0] }) });
    const add = { id: "north", addVehicles: ["Van 7"] };
    const { confirmation } = await refusal("update_group", add);
    lists.reverse();
    expect((await call("update_group", { ...add, confirmation })).isError).toBeUndefined();
    expect(service.of("updateGroup")[0]?.body).toEqual({ id: "north", vehicleIds: ["v1", "v3", "v2"] });
  });

  it("another process with the same key sends the same number, and nothing where the service gives the numbers", async () => {
    const env = { FLEET_SEAL_KEY: KEY };
    const [first, second] = [await always({}, env), await always({}, env)];
    const { confirmation, preview } = await first.refusal("create_job", PLACE);
    await second.call("create_job", { ...PLACE, confirmation });
    expect(preview).toContain(`jobNumber: ${second.service.of("createJob")[0]?.body.jobNumber}`);

    const unnumbered = { ...env, FLEET_JOB_NUMBERS: "service" };
    const [third, fourth] = [await always({}, unnumbered), await always({}, unnumbered)];
    const { confirmation: seal } = await third.refusal("create_job", PLACE);
    expect(errorOf(await fourth.call("create_job", { ...PLACE, confirmation: seal }))).toMatch(/does not fit/);
    expect(fourth.service.of("createJob")).toEqual([]);
  });

  it("a process with another key takes no confirmation", async () => {
    const [first, second] = [await always(), await always()];
    const { confirmation } = await first.refusal("update_group", { id: "north" });
    expect(errorOf(await second.call("update_group", { id: "north", confirmation }))).toMatch(/does not fit/);
  });

  it("the preview keeps to the budget and says what it leaves out", async () => {
    const { refusal } = await always({}, { FLEET_MAX_RESULT_TOKENS: "300" });
    const { text, preview } = await refusal("create_job", {
      ...PLACE,
      notes: "n".repeat(2_000),
      jobTitle: "t".repeat(2_000),
      clientName: "c".repeat(900),
    });
    expect(preview.at(-1)).toMatch(/\d more lines are left out for FLEET_MAX_RESULT_TOKENS/);
    expect(text).toContain("Next: show this to the person");
  });
});
