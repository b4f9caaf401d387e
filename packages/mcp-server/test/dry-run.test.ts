import { describe, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "../../tools/test/canned-fleet.ts";
import { CANARY, errorOf, serverUnderTest, structuredOf, textOf, tokens } from "./server-under-test.ts";
import { script } from "./write-approval.ts";

const JOB = { address: "Lyon", arrivalWindowStart: "2026-11-20T09:30+01:00", override: false, jobNumber: "J1" };
const JOB_REQUEST = {
  method: "POST",
  path: "/jobs/job/create",
  query: { override: "false" },
  body: { jobNumber: "J1", address: "Lyon", arrivalWindowStart: "2026-11-20T08:30Z" },
};
const GROUP_REQUEST = {
  method: "PUT",
  path: "/public/v1/customer/c42/group",
  query: {},
  body: { id: "north", name: "N", vehicleIds: [] },
};

describe("dryRun", () => {
  it.each([
    ["create_job", JOB, JOB_REQUEST, "POST /jobs/job/create?override=false"],
    ["update_group", GROUP_REQUEST.body, GROUP_REQUEST, "PUT /public/v1/customer/c42/group"],
  ])("of %s shows the exact request and sends nothing, whatever FLEET_CONFIRM is", async (tool, args, request, line) => {
    for (const confirm of ["auto", "never"]) {
      const { call, service } = await serverUnderTest({ env: { FLEET_CONFIRM: confirm }, person: () => ({ action: "cancel" }) });
      const result = await call(tool, { ...args, dryRun: true });
      const note = `Dry run of ${tool}: the arguments are valid; nothing was sent.`;
      const { preview, ...rest } = structuredOf(result);
      expect(rest).toEqual({ result: "dryRun", request, note });
      expect(textOf(result).split("\n")).toEqual([note, line, JSON.stringify(request.body), ...preview]);
      expect(JSON.stringify(result)).not.toContain(CANARY);
      expect(service.of("createJob").concat(service.of("updateGroup"))).toEqual([]);
    }
  });

  it("of a group names its members and says who may leave", async () => {
    const { call } = await serverUnderTest({ script });
    const result = await call("update_group", { id: "north", vehicleIds: ["v2"], dryRun: true });
    const { preview } = structuredOf(result);
    expect(preview).toEqual([
      "Update group:",
      "group: north",
      "vehicles, list to send (1): Van 7 (v2)",
      "vehicles joining (1): Van 7 (v2)",
      "vehicles leaving if the list replaces the current one (2): Truck 1 (v1), Truck 3 (v3)",
      "Members are known from live positions only: others may leave too.",
    ]);
    for (const line of preview) expect(textOf(result)).toContain(line);
  });

  it("shows what the call then sends", async () => {
    const { call, service } = await serverUnderTest({ script: { createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) } });
    const { request } = structuredOf(await call("create_job", { ...JOB, dryRun: true }));
    await call("create_job", { ...JOB, dryRun: false });
    const [sent] = service.of("createJob");
    expect({ path: sent?.url.pathname, query: Object.fromEntries(sent?.url.searchParams ?? []), body: sent?.body }).toEqual({
      path: request.path,
      query: request.query,
      body: request.body,
    });
  });

  it("shows its own job number if the client assigns them", async () => {
    const { call } = await serverUnderTest();
    const { request } = structuredOf(await call("create_job", { address: "Lyon", dryRun: true }));
    expect(request.body).toEqual({ address: "Lyon", jobNumber: expect.stringMatching(/^FW-20261120-/) });
    const service = await serverUnderTest({ env: { FLEET_JOB_NUMBERS: "service" } });
    expect(structuredOf(await service.call("create_job", { address: "Lyon", dryRun: true })).request.body).toEqual({ address: "Lyon" });
  });

  it("refuses what the call would refuse", async () => {
    const { call, service } = await serverUnderTest();
    expect(errorOf(await call("create_job", { lat: 1, dryRun: true }))).toMatch(/^input: .*lng: is required/);
    expect(errorOf(await call("update_group", { id: "North", dryRun: true }))).toMatch(/^input: /);
    expect(service.received).toEqual([]);
  });

  it.each(Object.entries(HOSTILE_TEXTS))("preserves lines and stays within the budget: %s", async (_, notes) => {
    const { call } = await serverUnderTest({ env: { FLEET_MAX_RESULT_TOKENS: "400" } });
    const result = await call("create_job", { address: "Lyon", notes, dryRun: true });
    const lines = textOf(result).split("\n");
    expect(lines.length).toBeLessThanOrEqual(10);
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ address: "Lyon" });
    expect(tokens(result)).toBeLessThanOrEqual(400);
  });
});
