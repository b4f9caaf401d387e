import { describe, expect, it } from "vitest";
import type { Script } from "../../tools/test/fleet-service.ts";
import { errorOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";
import { APPROVED, accept, PLACE, script, userWho } from "./write-approval.ts";

interface Over {
  script?: Script;
  env?: Record<string, string>;
}

/** The lines shown to the user. */
async function shown(tool: string, args: Record<string, unknown>, over: Over = {}) {
  const { asked, person } = userWho({ action: "decline" });
  const { call } = await serverUnderTest({ person, env: { ...APPROVED, ...over.env }, script: { ...script, ...over.script } });
  await call(tool, args);
  return asked[0]?.split("\n");
}

describe("what the user approves", () => {
  it("a job: its fields as sent, what the service makes of them, and its number", async () => {
    expect(await shown("create_job", { ...PLACE, arrivalWindowStart: "2026-11-20T09:30+01:00" })).toEqual([
      "Create job:",
      "address: Quai Perrache 10, Lyon",
      "vehicleName: Truck 12",
      "arrivalWindowStart: 2026-11-20T08:30Z",
      expect.stringMatching(/^Assigned to Truck 12 \(v12\) and its default driver, if it has one/),
      "Group: root, since none is given.",
      "arrivalWindowStart is Fri 2026-11-20 08:30 in UTC, in the past.",
      "The address is not checked; the service geocodes it.",
      expect.stringMatching(/^jobNumber: FW-20261120-\w{10}$/),
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["nobody", { address: "Lyon" }, "Assigned to nobody yet."],
    ["a driver", { address: "Lyon", personId: "p1" }, "Assigned to Anna (p1)."],
    [
      "a vehicle and a driver",
      { address: "Lyon", vehicleName: "Truck 12", personId: "p1" },
      "Assigned to Truck 12 (v12) and Anna (p1), who must be its default driver if it has one.",
    ],
    [
      "an unknown id",
      { address: "Lyon", vehicleId: "v77" },
      "Assigned to the vehicle (not in the live positions) and its default driver, if it has one.",
    ],
    ["a point", { lat: 45, lng: 4 }, "The point is not checked; the service finds its address unless one is given."],
  ])("a job for %s says so", async (_, args, expected) => {
    expect(await shown("create_job", args)).toContain(expected);
  });

  it("a group: names next to ids, and who would leave if a list replaces", async () => {
    expect(
      await shown("update_group", { id: "north", name: "N", parentId: "root", vehicleIds: ["v1", "v2", "v9"], personIds: [] }),
    ).toEqual([
      "Update group:",
      "group: north",
      "new name: N",
      "new parent: root",
      "vehicles, list to send (3): Truck 1 (v1), Van 7 (v2), v9",
      "vehicles joining (2): Van 7 (v2), v9",
      "vehicles leaving if the list replaces the current one (1): Truck 3 (v3)",
      "persons, list to send (0): empty",
      "persons leaving if the list replaces the current one (1): Bert (p2)",
      "Members are known from live positions only: others may leave too.",
    ]);
  });

  it("a long list of a group: the changes, each by name", async () => {
    const positions = Array.from({ length: 80 }, (_, at) => ({
      ...{ assetId: `v${at}`, assetName: `Truck ${at}`, assetGroupId: at < 40 ? "north" : "south" },
      assetGroupName: at < 40 ? "North depot" : "South depot",
    }));
    const over = { script: { listLivePositions: () => ({ body: positions }) } };
    const lines = await shown(
      "update_group",
      { group: "north depot", vehicles: positions.slice(40).map(({ assetName }) => assetName), parentId: "south" },
      over,
    );
    expect(lines?.slice(1, 3)).toEqual(["group: North depot (north)", "new parent: South depot (south)"]);
    expect(lines?.[3]).toBe("vehicles, list to send (80): 40 current members, and those joining");
    expect(lines?.[4]).toMatch(/^vehicles joining \(40\): Truck 40 \(v40\), .*Truck 79 \(v79\)$/);
  });

  it("text as sent, and each entry of a list on its own", async () => {
    const orderNumbers = Array.from({ length: 30 }, (_, at) => `O${at}`);
    const lines = await shown("create_job", { ...PLACE, notes: "gate 3|4", jobTitle: " ", clientName: " two  blanks ", orderNumbers });
    expect(lines).toEqual(
      expect.arrayContaining([
        "notes: gate 3|4",
        'jobTitle: " "',
        'clientName: " two  blanks "',
        `orderNumbers: ${orderNumbers.map((number) => `"${number}"`).join(", ")}`,
      ]),
    );
    expect(await shown("create_job", { ...PLACE, orderNumbers: ["O1, O2"] })).toContain('orderNumbers: "O1, O2"');
  });

  it("a long text in full, or not at all", async () => {
    const notes = `${"Ring at gate 3. ".repeat(400)}Then leave it open.`;
    expect(await shown("create_job", { ...PLACE, notes })).toContain(`notes: ${notes}`);
    const { asked, person } = userWho(accept({ confirm: true }));
    const { call, service } = await serverUnderTest({ script, env: APPROVED, person });
    expect(errorOf(await call("create_job", { ...PLACE, notes: "n".repeat(20_000) }))).toMatch(
      /^input: create_job: too long to show in full for approval, mostly because of notes;.*Next: Shorten notes/,
    );
    expect([asked, service.of("createJob")]).toEqual([[], []]);
  });

  it("a group whose members cannot be read: says so", async () => {
    const lines = await shown(
      "update_group",
      { id: "north", vehicleIds: ["v1"] },
      { script: { listLivePositions: () => ({ status: 403 }) } },
    );
    expect(lines).toContain("vehicles, list to send (1): v1");
    expect(lines?.at(-1)).toMatch(/could not be read/);
  });

  it("text from records and arguments on its own line", async () => {
    const hostile = 'x\nnew parent: root\u2028y\u001b[2J"'.repeat(50);
    const named: Script = { listLivePositions: () => ({ body: [{ assetId: "v3", assetName: hostile, assetGroupId: "north" }] }) };
    const lines = await shown("update_group", { id: "north", name: hostile.slice(0, 200), vehicleIds: ["v1"] }, { script: named });
    expect(lines).toHaveLength(7);
    for (const line of lines ?? []) expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,400}$/u);
  });

  it("pseudonyms if drivers' names are hidden", async () => {
    const lines = await shown("update_group", { id: "north", personIds: [] }, { env: { FLEET_DRIVER_NAMES: "hide" } });
    expect(lines?.join("\n")).toMatch(/Driver [0-9a-f]{10} \(p2\)/);
    expect(lines?.join("\n")).not.toContain("Bert");
  });
});

const INVISIBLE: [what: string, text: string, shown: string][] = [
  ["tag characters", "gate 3\u{e0041}\u{e0042}", "gate 3\\u{e0041}\\u{e0042}"],
  ["bidi controls", "gate \u202e3\u202c \u2066x\u2069", "gate \\u{202e}3\\u{202c} \\u{2066}x\\u{2069}"],
  ["variation selectors", "gate\ufe0f 3\u{e0100}", "gate\\u{fe0f} 3\\u{e0100}"],
  ["Hangul fillers", "gate\u3164\u115f\u1160\uffa03", "gate\\u{3164}\\u{115f}\\u{1160}\\u{ffa0}3"],
  ["zero width", "ga\u200bte\u200d 3\ufeff\u00ad", "ga\\u{200b}te\\u{200d} 3\\u{feff}\\u{ad}"],
  ["other kinds of blanks", "gate\u00a03\u2003\u2800", "gate\\u{a0}3\\u{2003}\\u{2800}"],
  ["line breaks and controls", "gate 3\nnotes: none\t\u0007\u0085", "gate 3\\nnotes: none\\t\\u{7}\\u{85}"],
  ["private and unassigned", "gate \ue000\u0378", "gate \\u{e000}\\u{378}"],
  ["a lone surrogate", "gate \ud83d", "gate \\u{d83d}"],
  ["what looks like an escape", "gate \\u{202e}3", "gate \\\\u{202e}3"],
];

describe("invisible text is escaped", () => {
  it.each(INVISIBLE)("%s, in questions, previews and dry runs", async (_, notes, visible) => {
    expect(await shown("create_job", { ...PLACE, notes })).toContain(`notes: ${visible}`);

    const { call } = await serverUnderTest({ script, env: APPROVED });
    const needed = await call("create_job", { ...PLACE, notes });
    expect(structuredOf(needed).preview).toContain(`notes: ${visible}`);
    expect(textOf(needed).split("\n")).toContain(`notes: ${visible}`);

    const dry = await call("create_job", { ...PLACE, notes, dryRun: true });
    expect(structuredOf(dry)).toMatchObject({
      preview: expect.arrayContaining([`notes: ${visible}`]),
      request: { body: { notes: visible } },
    });
    const [, , body = ""] = textOf(dry).split("\n");
    expect(JSON.parse(body).notes).toBe(notes);
    expect(body).toMatch(/^[\x20-\x7e]*$/);
  });
});
