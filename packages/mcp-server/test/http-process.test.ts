import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { messagesIn, start } from "./spawned-bin.ts";

describe("fleetwire-mcp http", () => {
  it.each<[string, string[], NodeJS.Signals]>([
    ["by default on 127.0.0.1", [], "SIGTERM"],
    ["on localhost", ["--host", "localhost"], "SIGINT"],
  ])("serves the sandbox on a free port, prints its URL, logs without arguments, and ends on a signal: %s", async (_, args, signal) => {
    const { child, ended } = start(["http", "--port", "0", "--sandbox", "--log", "info", ...args]);
    const url = await readyAt(child);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { text } = await raw(url, rawCall("locate_vehicle", { query: "truck 12" }));
    expect(text).toContain('"assetName":"Truck 12"');
    child.kill(signal);
    const { stderr, ...exit } = await ended;
    expect(exit).toEqual({ code: 0, signal: null, stdout: "" });
    const lines = stderr.split("\n").slice(3, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ tool: "locate_vehicle", outcome: "ok" })]);
    expect(stderr).not.toContain("truck 12");
  });

  it.each<[string, string[], RegExp]>([
    [
      "every address",
      ["--host", "0.0.0.0"],
      /--host 0\.0\.0\.0 is reachable from other machines.*Use 127\.0\.0\.1.*or --caller-auth token or oauth/,
    ],
    ["every IPv6 address", ["--host", "::"], /--host :: is reachable/],
    ["an address that only looks like loopback", ["--host", "127.0.0"], /--host 127\.0\.0 is reachable/],
    ["a name", ["--host", "fleet.example.com"], /--host fleet\.example\.com is reachable/],
    ["an invalid port", ["--port", "65536"], /--port .*whole number from 0 to 65535/],
    ["a negative port", ["--port", "-1"], /--port .*whole number from 0 to 65535/],
    ["a port that is not a number", ["--port", "http"], /--port .*whole number/],
    ["a missing configuration", ["--port", "0"], /FLEET_CUSTOMER_ID is missing/],
  ])("refuses %s in one line, exit code 2", async (_, args, expected) => {
    const { code, stdout, stderr } = await run(["http", ...(args.includes("--port") ? [] : ["--port", "0", "--sandbox"]), ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  it("rejects in one line a FLEET_REDIS_URL that cannot be decoded, exit code 2", async () => {
    const env = { FLEET_SEAL_KEY: Buffer.alloc(32, 1).toString("base64"), FLEET_REDIS_URL: "redis://:p%ZZ@127.0.0.1:1" };
    const { code, stderr } = await run(["http", "--port", "0", "--sandbox"], env);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("FLEET_REDIS_URL must be a URL such as") });
    expect(stderr).not.toMatch(/p%ZZ|\n\s+at /);
  });

  it("reports in one line that the port is in use, exit code 2", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(["http", "--port", String(port), "--sandbox"]);
    expect([code, messagesIn(stderr).at(-1)]).toEqual([2, `port ${port} is in use; choose another --port, or 0 for a free one`]);
  });

  it("serves on another address of 127.0.0.0/8, and ends on a signal during a write that the service never answers", async () => {
    const service = await fleetService({ createJob: () => "silence" });
    const { child, ended } = start(["http", "--port", "0", "--host", "127.0.0.2"], environmentOf(service.origin));
    const url = await readyAt(child);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/mcp$/);
    const job = raw(url, rawCall("create_job", { address: "Quai Perrache 10, Lyon" }));
    await expect.poll(() => service.of("createJob").length).toBe(1);
    child.kill("SIGTERM");
    expect((await job).text).toContain("it is not known whether anything changed");
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });
});
