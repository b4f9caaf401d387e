import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../tools/test/fleet-service.ts";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { environmentOf, errorOf, NOW, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";
import { APPROVED, accept, KEY, PLACE, script, twinOf } from "./write-approval.ts";

const JOB = { address: "Lyon" };
const listed = (jobNumber: string | undefined) => () => ({ body: { jobs: [{ jobNumber }] } });
const taken: Reply = { status: 409, body: { offendingFields: ["jobNumber"], errorMessage: "is taken" } };

describe("a confirmation issued by a process that has ended", () => {
  /** A preview in one process, then the same call with its token in another. */
  async function afterRestart(reply: Reply, key: string | undefined, args: Record<string, unknown> = PLACE) {
    const first = await serverUnderTest({ script, env: { ...APPROVED, ...(key && { FLEET_SEAL_KEY: key }) } });
    const { confirmation } = structuredOf(await first.call("create_job", PLACE));
    const twin = { ...APPROVED, ...twinOf(first) };
    const second = await serverUnderTest({ env: key ? twin : { ...twin, FLEET_SEAL_KEY: undefined }, now: () => NOW + 60_000 });
    first.service.script.createJob = () => reply;
    first.service.script.listJobs = listed(confirmation.split(".")[1]);
    const result = await second.call("create_job", { ...args, confirmation });
    return { result, text: textOf(result), number: confirmation.split(".")[1], sent: first.service.of("createJob").length };
  }

  it("means that the job exists if only its number is refused", async () => {
    const { result, number, sent } = await afterRestart(taken, KEY);
    expect(structuredOf(result)).toMatchObject({ job: { jobNumber: number }, note: expect.stringContaining("Inferred: ") });
    expect(sent).toBe(1);
  });

  it("creates the job if there is none", async () => {
    const { result, number, sent } = await afterRestart({ body: { job: { jobId: "j1" } } }, KEY);
    expect(structuredOf(result)).toEqual({ job: { jobNumber: number, jobId: "j1" }, note: "Job created." });
    expect(sent).toBe(1);
  });

  it.each<[what: string, reply: Reply, key: string | undefined, args: Record<string, unknown>, sent: number]>([
    ["anything else is refused", { status: 400, body: [{ offendingFields: ["address"] }] }, KEY, PLACE, 1],
    ["the credentials are refused", { status: 403 }, KEY, PLACE, 1],
    ["the arguments differ", taken, KEY, { ...PLACE, notes: "x" }, 0],
    ["the key is lost", taken, undefined, PLACE, 0],
    ["the call cannot be planned", taken, KEY, { ...PLACE, vehicleName: "Truck 99" }, 0],
  ])("leaves the outcome unknown if %s, and names the number and the call to look it up", async (_, reply, key, args, sent) => {
    const after = await afterRestart(reply, key, args);
    expect(after.text).toMatch(/^unknownOutcome: /);
    expect(after.text).toContain(`Job number used: ${after.number}.`);
    expect(after.text).toContain("Call list_jobs with ");
    expect(after.text).not.toMatch(/created no job|No job was created/);
    expect(after.text.includes("could not be verified")).toBe(sent === 0);
    expect(after.sent).toBe(sent);
  });
});

describe("a confirmation issued by a process that has ended, in a host that asks", () => {
  it.each(["legacy", "auto"] as const)("still means that the job exists if the user is asked again (%s)", async (mode) => {
    const first = await serverUnderTest({ script, env: { ...APPROVED, FLEET_SEAL_KEY: KEY } });
    const { confirmation } = structuredOf(await first.call("create_job", PLACE));
    const second = await serverUnderTest({ mode, env: { ...APPROVED, ...twinOf(first) }, person: () => accept({ confirm: true }) });
    first.service.script.createJob = () => taken;
    first.service.script.listJobs = listed(confirmation.split(".")[1]);
    const result = structuredOf(await second.call("create_job", { ...PLACE, confirmation }));
    expect(result).toMatchObject({ job: { jobNumber: confirmation.split(".")[1] }, note: expect.stringContaining("Inferred: ") });
  });

  it("names the number given by the caller", async () => {
    const numbered = { ...PLACE, jobNumber: "J-77" };
    const first = await serverUnderTest({ script, env: APPROVED });
    const { confirmation } = structuredOf(await first.call("create_job", numbered));
    const second = await serverUnderTest({ env: { ...APPROVED, ...twinOf(first) } });
    expect(errorOf(await second.call("create_job", { ...numbered, confirmation }))).toMatch(
      /^unknownOutcome: .*Job number used: J-77\. Next: Call list_jobs with where "jobNumber=J-77" and look for J-77 /,
    );
  });
});

/** A service whose job creations wait for the test to release them. */
async function waiting() {
  const open: ((reply: Reply) => void)[] = [];
  const service = await fleetService({ createJob: () => new Promise<Reply>((resolve) => open.push(resolve)) });
  const release = async (count = 1) => {
    while (open.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const resolve of open.splice(0)) resolve({ body: { job: { jobNumber: "S-1" } } });
  };
  return { service, release };
}

interface Line {
  tool?: string;
  jobNumber?: string;
  outcome?: string;
  msg: string;
}

const logged = (stderr: string): Line[] =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ tool, msg }) => tool === "create_job" && msg !== "tool call");

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const CREATE = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "create_job", arguments: JOB } };

describe("a server that ends during a creation", () => {
  it.each<[how: string, outcome: string | undefined, end: (host: ReturnType<typeof start>) => void]>([
    ["killed", undefined, ({ child }) => child.kill("SIGKILL")],
    ["terminated", "created", ({ child }) => child.kill("SIGTERM")],
    ["its host exits", "created", ({ child }) => child.stdin.end()],
    [
      "its host cancels, then exits",
      "created",
      ({ child, send }) => {
        send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: CREATE.id } });
        child.stdin.end();
      },
    ],
  ])("%s: the log, at its default level, has the number, and the outcome if known", async (_, outcome, end) => {
    const { service, release } = await waiting();
    const host = start([], { ...environmentOf(service.origin), FLEET_LOG: "warn" });
    host.send(INITIALIZE);
    await host.lines(1);
    host.send(CREATE);
    while (service.of("createJob").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    end(host);
    await release();
    const { stderr } = await host.ended;
    const jobNumber = service.of("createJob")[0]?.body.jobNumber;
    expect(jobNumber).toMatch(/^FW-/);
    expect(logged(stderr)).toEqual([
      expect.objectContaining({ tool: "create_job", jobNumber, msg: "sending" }),
      ...(outcome === undefined ? [] : [expect.objectContaining({ tool: "create_job", outcome, msg: "sent" })]),
    ]);
    expect(stderr).not.toContain("Lyon");
  });
});

describe("a result that did not reach its caller", () => {
  /** Calls create_job over HTTP and hangs up once the service has the request. */
  async function callAndHangUp(url: string, arrived: () => boolean, params: object = CREATE.params): Promise<void> {
    const body = JSON.stringify({ ...CREATE, params });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    const call = request(url, { method: "POST", headers }).on("error", () => {});
    call.end(body);
    while (!arrived()) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = new Promise((resolve) => call.once("close", resolve));
    call.destroy();
    await closed;
  }

  it.each(["legacy", "auto"] as const)("is returned once to the same call; after that, another job is created (%s)", async (mode) => {
    const { service, release } = await waiting();
    const { http, host } = await httpUnderTest({}, environmentOf(service.origin));
    await callAndHangUp(http.url, () => service.of("createJob").length === 1);
    const client = await host(mode);
    const again = () => client.callTool({ name: "create_job", arguments: JOB });
    const repeated = again();
    await release();
    const first = await repeated;
    expect(service.of("createJob")).toHaveLength(1);
    expect(structuredOf(first).job).toEqual({ jobNumber: "S-1" });
    for (const expected of [textOf(first), structuredOf(first).note]) {
      expect(expected).toContain("an identical earlier call whose result was lost: nothing was sent this time. To repeat it, call again.");
    }

    const next = again();
    await release();
    expect(textOf(await next)).not.toContain("earlier call");
    expect(service.of("createJob")).toHaveLength(2);
  });

  it("is returned even if the caller left before anything was sent, however many callers leave", async () => {
    let located = () => {};
    const positions = new Promise<Reply>((resolve) => {
      located = () => resolve({ body: [{ assetId: "v12", assetName: "Truck 12" }] });
    });
    const { service, http, host } = await httpUnderTest({
      listLivePositions: () => positions,
      createJob: () => ({ body: { job: { jobNumber: "S-1" } } }),
    });
    const call = { name: "create_job", arguments: PLACE };
    // Both leave while the fleet is still being read for the first one.
    for (let count = 0; count < 2; count++) await callAndHangUp(http.url, () => service.of("listLivePositions").length === 1, call);
    const client = await host("auto");
    const repeated = client.callTool(call);
    located();
    expect(textOf(await repeated)).toContain("an identical earlier call");
    expect(service.of("createJob")).toHaveLength(1);
    expect(textOf(await client.callTool(call))).not.toContain("earlier call");
    expect(service.of("createJob")).toHaveLength(2);
  });

  it("does not affect other arguments, and is forgotten once delivered", async () => {
    const { service, release } = await waiting();
    const { host } = await httpUnderTest({}, environmentOf(service.origin));
    const client = await host("auto");
    for (const [count, args] of [JOB, JOB, { ...JOB, notes: "x" }].entries()) {
      const call = client.callTool({ name: "create_job", arguments: args });
      await release();
      expect(textOf(await call)).not.toContain("earlier call");
      expect(service.of("createJob")).toHaveLength(count + 1);
    }
  });

  it("is the failure if the outcome stayed unknown, and is dropped if the service refused", async () => {
    for (const [reply, expected, requests] of [
      ["reset", /^unknownOutcome: .*identical earlier call/, 1],
      [{ status: 400, body: [] }, /^rejected: (?!.*earlier call)/, 2],
    ] as const) {
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { service, http, host } = await httpUnderTest(
        {
          createJob: async () => {
            await gate;
            return reply as Reply;
          },
        },
        { FLEET_JOB_NUMBERS: "service" },
      );
      await callAndHangUp(http.url, () => service.of("createJob").length === 1);
      release();
      const client = await host("auto");
      expect(errorOf(await client.callTool({ name: "create_job", arguments: JOB }))).toMatch(expected);
      expect(service.of("createJob")).toHaveLength(requests);
    }
  });
});
