import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { type FleetService, fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, NOTICE, type Spawned, start } from "./spawned-bin.ts";

const request = (id: number | string, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

const INITIALIZE = request(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } });

const JOB = request(2, "tools/call", { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon" } });

interface Host extends Spawned {
  service: FleetService;
}

/** The built bin as started by a host, with a service behind it; writes are sent at once. */
async function host({ onTestFinished }: Pick<TestContext, "onTestFinished">, script: Script = {}): Promise<Host> {
  const service = await fleetService(script, onTestFinished);
  const spawned = start([], { ...environmentOf(service.origin), FLEET_CONFIRM: "never", FLEET_LOG: "info" }, onTestFinished);
  spawned.send(INITIALIZE);
  await spawned.lines(1);
  return { ...spawned, service };
}

const slow: Script = {
  createJob: async ({ body }) => {
    await pause(600);
    return { body: { job: { ...body, jobId: "j1" } } };
  },
};

/** A service whose job creations wait for the test to release them. */
function released(): { release: () => void; script: Script } {
  let release = () => {};
  const until = new Promise<void>((resolve) => (release = resolve));
  return {
    release: () => release(),
    script: {
      createJob: async ({ body }) => {
        await until;
        return { body: { job: { ...body, jobId: "j1" } } };
      },
    },
  };
}

type End = (host: Host) => unknown;

const stdinEnds: End = ({ child }) => child.stdin.end();
// A server only notices a broken stdout when it writes, hence the ping.
const stdoutBreaks: End = ({ child, send }) => {
  child.stdout.destroy();
  send(request(9, "ping"));
};
const everythingBreaks: End = ({ child, send }) => {
  send(request(9, "ping"));
  for (const stream of child.stdio) stream?.destroy();
};

const logOf = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

// They mostly wait.
describe.concurrent("the process ends with its host", () => {
  // stdio.test.ts has the signals and the end of stdin.
  it.for([["stdout breaks", stdoutBreaks, 1] as const, ["the host is killed", everythingBreaks, undefined] as const])(
    "when idle: %s",
    async ([_, end, code], context) => {
      const server = await host(context);
      end(server);
      const [ended] = await once(server.child, "exit");
      if (code !== undefined) context.expect(ended).toBe(code);
    },
  );

  it.for([
    ["stdin ends", stdinEnds, 0],
    ["stdout breaks", stdoutBreaks, 1],
    ["SIGTERM", ({ child }: Host) => child.kill("SIGTERM"), 0],
    ["the host is killed", everythingBreaks, undefined],
  ] as const)("during a call that the service never answers, long before the call would time out: %s", async ([_, end, code], context) => {
    const { expect } = context;
    const server = await host(context, { createJob: () => "silence" });
    server.send(JOB);
    await expect.poll(() => server.service.of("createJob").length).toBe(1);
    end(server);
    const [ended] = await once(server.child, "exit");
    if (code !== undefined) expect(ended).toBe(code);
    await server.service.of("createJob")[0]?.closed;
  });

  it("but not before the outcome of a write is known: stdout breaks", async (context) => {
    const { expect } = context;
    const server = await host(context, slow);
    server.send(JOB);
    await expect.poll(() => server.service.of("createJob").length).toBe(1);
    stdoutBreaks(server);
    const { code, stderr } = await server.ended;
    expect(code).toBe(1);
    expect(logOf(stderr)).toContainEqual(expect.objectContaining({ tool: "create_job", outcome: "ok" }));
  });

  it("and responds to what came before the end of stdin", async (context) => {
    const { expect } = context;
    const server = await host(context, slow);
    server.send(JOB);
    server.child.stdin.end();
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trimEnd().split("\n")[1] ?? "")).toMatchObject({
      id: 2,
      result: { structuredContent: { job: { jobId: "j1" } } },
    });
    expect(logOf(stderr)).toContainEqual(expect.objectContaining({ tool: "create_job", outcome: "ok" }));
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
    const byId = new Map(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    );
    expect(byId.get(3)).toMatchObject({ error: { message: expect.stringContaining("nothing was done") } });
    expect(byId.get(2)).toMatchObject({ result: { structuredContent: { job: { jobId: "j1" } } } });
    expect(server.service.of("createJob")).toHaveLength(1);
    expect(logOf(stderr)).toContainEqual(expect.objectContaining({ tool: "create_job", outcome: "ok" }));
  });

  it.sequential("in a broken pipeline: printf INITIALIZE | fleetwire-mcp | true", async ({ expect, onTestFinished }) => {
    const shell = spawn(
      "sh",
      ["-c", `{ printf '%s\\n' "$INITIALIZE" "$INITIALIZE"; sleep 120; } | { "$NODE" "$BIN" --sandbox; echo $? >&2; } | true`],
      { env: cleanEnv({ INITIALIZE: JSON.stringify(INITIALIZE), NODE: process.execPath, BIN }), detached: true },
    );
    onTestFinished(() => {
      try {
        process.kill(-(shell.pid as number), "SIGKILL");
      } catch {}
    });
    // Its input stays open for longer than the test may take.
    let expected = "";
    for await (const piece of shell.stderr.setEncoding("utf8")) {
      expected += piece;
      if (/^\d+$/m.test(expected)) break;
    }
    expect(expected).toMatch(/^[01]$/m);
  });
});

it.each(["tools", "call list_live_positions"])("%s ends quietly if nobody reads its output", async (verb) => {
  const shell = spawn("sh", ["-c", `{ "$NODE" "$BIN" ${verb} --sandbox; echo $? >&2; } | true`], {
    env: cleanEnv({ NODE: process.execPath, BIN }),
  });
  let printed = "";
  for await (const piece of shell.stderr.setEncoding("utf8")) printed += piece;
  expect(printed).toBe(`${NOTICE}0\n`);
});

it("a command has the same exit code if nobody reads its errors", async () => {
  const shell = spawn("sh", ["-c", `{ "$NODE" "$BIN" tools --sandbox 2>&1 >/dev/null; echo $? >&2; } | true`], {
    env: cleanEnv({ NODE: process.execPath, BIN }),
  });
  let printed = "";
  for await (const piece of shell.stderr.setEncoding("utf8")) printed += piece;
  expect(printed).toBe("0\n");
});

/** The process's peak memory in MiB, as reported by Linux. */
const peakOf = (pid: number) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Large enough that half of it is more than the garbage of a busy process. */
const LINE_MIB = 192;

it.skipIf(process.platform !== "linux")(`a line of ${LINE_MIB} MiB is refused without being buffered`, async (context) => {
  const server = await host(context);
  const pid = server.child.pid as number;
  const before = peakOf(pid);
  const mebibyte = "x".repeat(1_048_576);
  for (let count = 0; count < LINE_MIB; count++) if (!server.child.stdin.write(mebibyte)) await once(server.child.stdin, "drain");
  server.child.stdin.write("\n");
  server.send(request(8, "ping"));
  await server.lines(3);
  const grown = Math.round(peakOf(pid) - before);
  console.log(`a line of ${LINE_MIB} MiB on stdin: peak memory ${Math.round(before)} MiB before, ${grown} MiB more after`);
  expect(grown).toBeLessThan(LINE_MIB / 2);
});
