import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { type FleetService, fleetService, type Script } from "./fleet-service.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, type Spawned, start } from "./spawned-bin.ts";

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

const ENDS: [string, End, number][] = [
  ["stdin ends", stdinEnds, 0],
  ["stdout breaks", stdoutBreaks, 1],
  ["SIGTERM", ({ child }) => child.kill("SIGTERM"), 0],
  ["SIGINT", ({ child }) => child.kill("SIGINT"), 0],
];

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

  it.for([...ENDS, ["the host is killed", everythingBreaks, undefined] as const])(
    "during a call that the service never answers, long before the call would time out: %s",
    async ([_, end, code], context) => {
      const { expect } = context;
      const server = await host(context, { createJob: () => "silence" });
      server.send(JOB);
      await expect.poll(() => server.service.of("createJob").length, { timeout: 10_000 }).toBe(1);
      const startedAt = performance.now();
      end(server);
      const [ended] = await once(server.child, "exit");
      if (code !== undefined) expect(ended).toBe(code);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      await server.service.of("createJob")[0]?.closed;
    },
  );

  it.for(ENDS)("but not before the outcome of a write is known: %s", async ([_, end, code], context) => {
    const { expect } = context;
    const server = await host(context, slow);
    server.send(JOB);
    await expect.poll(() => server.service.of("createJob").length, { timeout: 10_000 }).toBe(1);
    end(server);
    const { code: ended, stderr } = await server.ended;
    expect(ended).toBe(code);
    expect(logOf(stderr)).toContainEqual(expect.objectContaining({ tool: "create_job", outcome: "ok" }));
  });

  it("and responds to what came before the end of stdin", async (context) => {
    const { expect } = context;
    const server = await host(context, slow);
    server.send(JOB);
    server.child.stdin.end();
    const { stdout } = await server.ended;
    expect(JSON.parse(stdout.trimEnd().split("\n")[1] ?? "")).toMatchObject({
      id: 2,
      result: { structuredContent: { job: { jobId: "j1" } } },
    });
  });

  it.sequential("and refuses further calls meanwhile", async (context) => {
    const { expect } = context;
    const server = await host(context, slow);
    server.send(JOB);
    await expect.poll(() => server.service.of("createJob").length, { timeout: 10_000 }).toBe(1);
    server.child.kill("SIGTERM");
    await pause(150);
    server.send({ ...JOB, id: 3 });
    const { stdout } = await server.ended;
    const byId = new Map(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    );
    expect(byId.get(3)).toMatchObject({ error: { message: expect.stringContaining("nothing was done") } });
    expect(byId.get(2)).toMatchObject({ result: { structuredContent: { job: { jobId: "j1" } } } });
    expect(server.service.of("createJob")).toHaveLength(1);
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

const LARGE = 11 * 1_048_576;

/** The process's peak memory in MiB, as reported by Linux. */
const peakOf = (pid: number) => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

describe("an invalid message is refused with an explanation, and the next one is served", () => {
  const job = (address: string) => `"method":"tools/call","params":{"name":"create_job","arguments":{"address":"${address}"}}`;

  const MESSAGES: [string, string | Buffer, number | string | null, RegExp][] = [
    [
      "too large, its id first",
      `{"jsonrpc":"2.0","id":"a-7",${job("x".repeat(LARGE))}}`,
      "a-7",
      /has \d+ bytes.*1048576.*nothing was done/,
    ],
    ["too large, its id last", `{${job("x".repeat(LARGE))},"jsonrpc":"2.0","id":7}`, 7, /1048576/],
    ["too large, its id in the middle", `{"params":{"x":"${"x".repeat(LARGE)}"},"id":7,"method":"ping","jsonrpc":"2.0"}`, null, /1048576/],
    ["too large, with an id inside a value", `{${job(`x\\"id\\":5},{`)},"y":{"id":5,"z":"${"x".repeat(LARGE)}"}}`, null, /1048576/],
    ["not UTF-8", Buffer.from(`{"jsonrpc":"2.0","id":7,${job("Caf\xe9")}}`, "latin1"), 7, /UTF-8/],
    ["a batch", JSON.stringify([{ ...JOB }, { ...JOB, id: 3 }]), null, /[Bb]atch/],
    [
      "an argument named __proto__",
      `{"jsonrpc":"2.0","id":7,${job('x","__proto__":"y')}}`,
      7,
      /__proto__ is not an argument; nothing was done/,
    ],
    [
      "an argument named __proto__ inside another",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_jobs","arguments":{"query":{"__proto__":{"a":1}}}}}',
      7,
      /query\.__proto__ is not an argument/,
    ],
  ];

  it("whatever is wrong with it", async (context) => {
    const server = await host(context, slow);
    let count = 1;
    for (const [what, message, id, expected] of MESSAGES) {
      server.child.stdin.write(message);
      server.child.stdin.write("\n");
      server.send(request(8, "ping"));
      const [refusal, pong] = (await server.lines(count + 2)).slice(count).map((line) => JSON.parse(line));
      count += 2;
      expect(refusal, what).toMatchObject({
        jsonrpc: "2.0",
        id,
        error: { code: expect.any(Number), message: expect.stringMatching(expected) },
      });
      expect(pong, what).toMatchObject({ id: 8, result: {} });
    }
    expect(server.service.received).toEqual([]);
    server.child.stdin.end();
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(logOf(stderr)).toEqual(MESSAGES.map(() => expect.objectContaining({ msg: "message rejected" })));
  });

  it.skipIf(process.platform !== "linux")("without buffering it: 96 MiB in one line", async (context) => {
    const server = await host(context);
    const pid = server.child.pid as number;
    const before = peakOf(pid);
    const mebibyte = "x".repeat(1_048_576);
    for (let count = 0; count < 96; count++) if (!server.child.stdin.write(mebibyte)) await once(server.child.stdin, "drain");
    server.child.stdin.write("\n");
    server.send(request(8, "ping"));
    await server.lines(3);
    const grown = Math.round(peakOf(pid) - before);
    console.log(`a line of 96 MiB on stdin: peak memory ${Math.round(before)} MiB before, ${grown} MiB more after`);
    expect(grown).toBeLessThan(64);
  });
});
