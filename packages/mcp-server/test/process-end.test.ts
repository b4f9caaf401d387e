import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, type TestContext } from "vitest";
import { type FleetService, fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { environmentOf, gate } from "./server-under-test.ts";
import { BIN, cleanEnv, initialize, memoryOf, NOTICE, request, type Spawned, start } from "./spawned-bin.ts";

const JOB = request(2, "tools/call", { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon" } });

interface Host extends Spawned {
  service: FleetService;
}

/** The built bin as started by a host, with a service behind it; writes are sent at once. */
async function host({ onTestFinished }: Pick<TestContext, "onTestFinished">, script: Script = {}): Promise<Host> {
  const service = await fleetService(script, onTestFinished);
  const spawned = start([], { ...environmentOf(service.origin), FLEET_CONFIRM: "never", FLEET_LOG: "info" }, onTestFinished);
  spawned.send(initialize(1));
  await spawned.lines(1);
  return { ...spawned, service };
}

/** A service whose job creations wait for the test to release them. */
function released(): { release: () => void; script: Script } {
  const { opened, open } = gate();
  return { release: open, script: { createJob: ({ body }) => opened.then(() => ({ body: { job: { ...body, jobId: "j1" } } })) } };
}

type End = (host: Host) => unknown;

// A server only notices a broken stdout when it writes, hence the ping.
const stdoutBreaks: End = ({ child, send }) => {
  child.stdout.destroy();
  send(request(9, "ping"));
};
const everythingBreaks: End = ({ child, send }) => {
  send(request(9, "ping"));
  for (const stream of child.stdio) stream?.destroy();
};

const SUCCEEDED = expect.objectContaining({ tool: "create_job", outcome: "ok" });
const CREATED = { id: 2, result: { structuredContent: { job: { jobId: "j1" } } } };

const jsonIn = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

// They mostly wait.
describe.concurrent("the process ends with its host", () => {
  it.for<[string, End, number | undefined]>([
    ["stdin ends", ({ child }) => child.stdin.end(), 0],
    ["stdout breaks", stdoutBreaks, 1],
    ["SIGTERM", ({ child }) => child.kill("SIGTERM"), 0],
    ["the host is killed", everythingBreaks, undefined],
  ])("during a call that the service never answers, long before a call would time out: %s", async ([_, end, code], context) => {
    const { expect } = context;
    const busy = await host(context, { createJob: () => "silence" });
    busy.send(JOB);
    await expect.poll(() => busy.service.of("createJob").length).toBe(1);
    end(busy);
    const [ended] = await once(busy.child, "exit");
    if (code !== undefined) expect(ended).toBe(code);
    await busy.service.of("createJob")[0]?.closed;
  });

  it("but not before the outcome of a write is known, and responds to what came before the end of stdin", async (context) => {
    const { expect } = context;
    for (const [end, code] of [[stdoutBreaks, 1] as const, [({ child }: Host) => child.stdin.end(), 0] as const]) {
      const { release, script } = released();
      const server = await host(context, script);
      // The first call loads the tools, which on a busy machine takes longer than the end of the process waits.
      server.send(request(8, "tools/call", { name: "list_tire_events", arguments: {} }));
      await server.lines(2);
      server.send(JOB);
      // What is still unread when stdin ends counts too.
      if (code === 1) await expect.poll(() => server.service.of("createJob").length).toBe(1);
      end(server);
      await expect.poll(() => server.service.of("createJob").length).toBe(1);
      setTimeout(release, 100);
      const ended = await server.ended;
      expect(ended.code).toBe(code);
      expect(jsonIn(ended.stderr)).toContainEqual(SUCCEEDED);
      if (code === 0) expect(jsonIn(ended.stdout).at(-1)).toMatchObject(CREATED);
    }
  });

  it("and refuses further calls after a signal, while it waits for the outcome of a write", async (context) => {
    const { expect } = context;
    const { release, script } = released();
    const server = await host(context, script);
    server.send(JOB);
    await expect.poll(() => server.service.of("createJob").length).toBe(1);
    server.child.kill("SIGINT");
    // Reads are served until the signal arrives.
    let probes = 0;
    const refused = async () => {
      server.send(request(10 + probes++, "tools/call", { name: "list_tire_events", arguments: {} }));
      return (await server.lines(1 + probes)).at(-1);
    };
    await expect.poll(refused).toContain("nothing was done");
    server.send({ ...JOB, id: 3 });
    await server.lines(2 + probes);
    release();
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    const message = expect.stringContaining("nothing was done");
    expect(jsonIn(stdout)).toContainEqual(expect.objectContaining({ id: 3, error: expect.objectContaining({ message }) }));
    expect(jsonIn(stdout).find(({ id }) => id === 2)).toMatchObject(CREATED);
    expect(server.service.of("createJob")).toHaveLength(1);
    expect(jsonIn(stderr)).toContainEqual(SUCCEEDED);
  });

  it("a command ends quietly, with the same exit code, if nobody reads its output or its errors", async ({ expect }) => {
    const commands = ["call list_live_positions --sandbox", "tools --sandbox 2>&1 >/dev/null"];
    const script = commands.map((command) => `"$NODE" "$BIN" ${command}; echo $? >&2`).join("; ");
    const shell = spawn("sh", ["-c", `{ ${script}; } | true`], { env: cleanEnv({ NODE: process.execPath, BIN }) });
    let printed = "";
    for await (const piece of shell.stderr.setEncoding("utf8")) printed += piece;
    expect(printed).toBe(`${NOTICE}0\n0\n`);
  });
});

it("what Node would print as text while serving over HTTP is a line of the log, without its message", async () => {
  const failures = 'process.emitWarning(["can", "ary"].join("")); setTimeout(() => { throw new RangeError(["can", "ary"].join("")) }, 50)';
  const load = `--import data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${failures} })`)}`;
  const { child, ended } = start(["http", "--sandbox", "--port", "0"], { FLEET_LOG: "info", NODE_OPTIONS: load });
  child.stderr.on("data", (line: string) => line.includes("ready at") && child.kill("SIGUSR2"));
  const { code, stderr } = await ended;
  expect(jsonIn(stderr)).toMatchObject([
    { version: expect.any(String), msg: expect.stringMatching(/^sandbox: /) },
    { msg: expect.stringMatching(/^console at /) },
    { msg: expect.stringMatching(/^ready at /) },
    { warning: "Warning", msg: "process warning" },
    { error: "RangeError", msg: "uncaught error", at: expect.arrayContaining([expect.stringMatching(/^at /)]) },
  ]);
  expect(code).toBe(1);
});

/** Large enough that half of it is more than the garbage of a busy process. */
const LINE_MIB = 192;

it.skipIf(process.platform !== "linux")(`a line of ${LINE_MIB} MiB is refused without being buffered`, async (context) => {
  const server = await host(context);
  const peak = () => memoryOf(server.child.pid, "VmHWM");
  const before = peak();
  const mebibyte = "x".repeat(1_048_576);
  for (let count = 0; count < LINE_MIB; count++) if (!server.child.stdin.write(mebibyte)) await once(server.child.stdin, "drain");
  server.child.stdin.write("\n");
  server.send(request(8, "ping"));
  await server.lines(3);
  expect(peak() - before).toBeLessThan(LINE_MIB / 2);
});
