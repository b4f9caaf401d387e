import { expect, it } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { bearer, READ, tokensFile } from "./callers-under-test.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const LOCATE = rawCall("locate_vehicle", { query: "truck 12" });

it("fleetwire-mcp http serves the sandbox to whom it gave a token, prints its URL, logs no arguments, and ends on a signal", async () => {
  const { file, tokens } = tokensFile({ dispatch: READ });
  const args = ["http", "--port", "0", "--host", "localhost", "--sandbox", "--log", "info", "--caller-auth", "token"];
  const { child, ended } = start([...args, "--tokens-file", file, "--public-url", "https://fleet.example.com/mcp"]);
  const url = await readyAt(child);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const send = (token?: string) => raw(url, { ...LOCATE, headers: { ...LOCATE.headers, ...bearer(token) } });
  expect((await send(tokens.dispatch)).text).toContain('"assetName":"Truck 12"');
  expect([(await send(`${tokens.dispatch}x`)).status, (await send()).status]).toEqual([401, 401]);
  child.kill("SIGINT");
  const { stderr, ...exit } = await ended;
  expect(exit).toEqual({ code: 0, signal: null, stdout: "" });
  const lines = stderr.split("\n").filter((line) => line.includes('"msg":"request"'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { tool: "locate_vehicle", outcome: "ok" },
    { status: 401 },
    { status: 401 },
  ]);
  expect(stderr).not.toContain("truck 12");
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
