import { describe, expect, it } from "vitest";
import { type Args, JOB, PLACE, recordOf, servedWrites } from "./served-writes.ts";

/** The lines that the user is asked about. */
async function shown(args: Args, tool = "create_job", setup: Parameters<typeof servedWrites>[0] = {}) {
  const { tools } = await servedWrites(setup);
  const asked = await tools.call(tool, args, { elicitation: {} });
  return (asked.ok && asked.question?.text.split("\n")) || [asked.text];
}

describe("the user approves", () => {
  it("a job's fields as sent, what the service makes of them, and its number", async () => {
    expect(await shown({ ...JOB, arrivalWindowStart: "2026-11-20T09:30+01:00" })).toEqual([
      "Create job:",
      "address: Quai Perrache 10, Lyon",
      "vehicleName: Truck 12",
      "arrivalWindowStart: 2026-11-20T08:30Z",
      "Assigned to Truck 12 (v12) and its default driver, if it has one.",
      "Group: root, since none is given.",
      "arrivalWindowStart is Fri 2026-11-20 08:30 in UTC, in the past.",
      "The address is not checked; the service geocodes it.",
      expect.stringMatching(/^jobNumber: FW-20261120-\w{10}$/),
    ]);
  });

  it.each<[string, Args, string]>([
    ["blanks that would not be visible", { jobTitle: " " }, 'jobTitle: " "'],
    ["blanks around text", { clientName: " two  blanks " }, 'clientName: " two  blanks "'],
    ["each entry of a list, which may hold the separator", { orderNumbers: ["O1, O2", 'c"'] }, 'orderNumbers: "O1, O2", "c\\""'],
    ["a long text in full", { notes: `${"Ring. ".repeat(1_000)}Leave it open.` }, `notes: ${"Ring. ".repeat(1_000)}Leave it open.`],
  ])("%s", async (_, args, line) => expect(await shown({ ...JOB, ...args })).toContain(line));

  it("nothing that is too long to be shown in full", async () => {
    const { tools, create, sent, another } = await servedWrites();
    const tooLong = { ...JOB, notes: "x".repeat(16_000) };
    const error =
      /^input: create_job: too long to show in full for approval, mostly because of notes; .*This call sent nothing\. Next: Shorten notes/;
    expect((await create(tooLong, { elicitation: {} })).text).toMatch(error);
    expect((await tools.byName.get("create_job")?.preview(tooLong))?.text).toMatch(error);
    const { text } = await another({ maxResultTokens: 300 }).call("create_job", { ...JOB, notes: "n".repeat(2_000) });
    expect(text).toMatch(/too long to show in full.*Next: Shorten notes, or raise FLEET_MAX_RESULT_TOKENS/);
    expect(sent()).toEqual([]);
  });

  it("text from records and arguments, each on its own line", async () => {
    const hostile = 'x\nnew parent: root\u2028y\u001b[2J"'.repeat(50);
    const positions = { body: [{ assetId: "v3", assetName: hostile, assetGroupId: "north" }] };
    const args = { id: "north", name: hostile.slice(0, 200), vehicleIds: ["v1"] };
    const lines = await shown(args, "update_group", { script: { listLivePositions: () => positions } });
    expect(lines).toHaveLength(7);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,400}$/u);
  });

  it("pseudonyms if drivers' names are hidden", async () => {
    const text = (await shown({ id: "north", personIds: [] }, "update_group", { env: { FLEET_DRIVER_NAMES: "hide" } })).join("\n");
    expect(text).toMatch(/Driver [0-9a-f]{10} \(p2\)/);
    expect(text).not.toContain("Bert");
  });
});

it("invisible text is escaped in questions, previews, dry runs and their request", async () => {
  const { tools, create } = await servedWrites();
  const notes = "gate \u202e3\u{e0041}\nnotes: none \\u{202e}3";
  const line = "notes: gate \\u{202e}3\\u{e0041}\\nnotes: none \\\\u{202e}3";
  const dry = await create({ ...JOB, notes, dryRun: true });
  const [asked, preview] = [
    await create({ ...JOB, notes }, { elicitation: {} }),
    await tools.byName.get("create_job")?.preview({ ...JOB, notes }),
  ];
  for (const { text = "" } of [asked, preview ?? {}, await create({ ...JOB, notes }, {})] as { text?: string }[])
    expect(text.split("\n")).toContain(line);
  expect(recordOf(dry)).toMatchObject({ preview: expect.arrayContaining([line]), request: { body: { notes: line.slice(7) } } });
  const [, , body = ""] = dry.text.split("\n");
  expect(JSON.parse(body).notes).toBe(notes);
  expect(body).toMatch(/^[\x20-\x7e]*$/);
});

describe("a dry run", () => {
  const NUMBERED = { ...PLACE, arrivalWindowStart: "2026-11-20T08:30Z", jobNumber: "J1" };
  const JOB_PATH = "/jobs/job/create";
  const GROUP_PATH = "/public/v1/customer/c42/group";
  const GROUP = { id: "north", name: "N", vehicleIds: ["v2"] };
  const OVERRIDE = { override: false };

  it.each<[string, Args, object, string]>([
    [
      "create_job",
      { ...NUMBERED, ...OVERRIDE },
      { method: "POST", path: JOB_PATH, query: { override: "false" }, body: NUMBERED },
      "?override=false",
    ],
    ["update_group", GROUP, { method: "PUT", path: GROUP_PATH, query: {}, body: GROUP }, ""],
  ])("of %s shows the exact request and sends nothing, whatever FLEET_CONFIRM is", async (tool, args, request, search) => {
    for (const confirm of ["auto", "never"]) {
      const { tools, service, sent } = await servedWrites({ env: { FLEET_CONFIRM: confirm, FLEET_CLIENT_SECRET: "canary-5ecret" } });
      const result = await tools.call(tool, { ...args, dryRun: true }, { elicitation: {} });
      const { preview, ...rest } = recordOf(result);
      const note = `Dry run of ${tool}: the arguments are valid; nothing was sent.`;
      expect(rest).toEqual({ result: "dryRun", request, note });
      const { method, path, query, body } = rest.request;
      expect(result.text.split("\n")).toEqual([note, `${method} ${path}${search}`, JSON.stringify(body), ...preview]);
      expect(preview).toEqual((await tools.byName.get(tool)?.preview(args))?.text.split("\n"));
      expect(JSON.stringify(result)).not.toContain("canary");
      expect(sent()).toEqual([]);

      await tools.call(tool, { ...args, dryRun: false }, { approved: true });
      const { url, body: written } = service.received.at(-1) ?? {};
      expect([url?.pathname, Object.fromEntries(url?.searchParams ?? []), written]).toEqual([path, query, body]);
    }
  });

  it("shows a generated job number, unless the service numbers jobs", async () => {
    const { record, another } = await servedWrites();
    const { request } = await record("create_job", { ...PLACE, dryRun: true });
    expect(request.body).toEqual({ ...PLACE, jobNumber: expect.stringMatching(/^FW-20261120-/) });
    const dry = await another({ jobNumbers: "service" }).call("create_job", { ...PLACE, dryRun: true });
    expect(recordOf(dry).request.body).toEqual(PLACE);
  });

  it.each<[string, number, number, string]>([["long texts where the whole does not fit", 1_200, 4_000, `${"n".repeat(399)}…`]])(
    "shortens %s",
    async (_, maxResultTokens, length, notes) => {
      const { record } = await servedWrites({ config: { maxResultTokens } });
      const { request, preview, note } = await record("create_job", { ...PLACE, notes: "n".repeat(length), dryRun: true });
      expect(request.body.notes).toBe(notes);
      const isCut = notes.endsWith("…");
      expect([preview === undefined, note.includes("Shortened to fit FLEET_MAX_RESULT_TOKENS")]).toEqual([isCut, isCut]);
    },
  );
});
