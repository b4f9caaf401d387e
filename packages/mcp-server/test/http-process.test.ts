import { expect, it } from "vitest";
import { bearer, READ, tokensFile } from "./callers-under-test.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { start } from "./spawned-bin.ts";

const LOCATE = rawCall("locate_vehicle", { query: "truck 12" });

it("fleetwire-mcp http serves the sandbox to whom it gave a token, prints its URL, logs no arguments, and ends on a signal", async () => {
  const { file, tokens } = tokensFile({ dispatch: READ });
  const args = ["http", "--port", "0", "--host", "localhost", "--sandbox", "--log", "info"];
  const env = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, FLEET_PUBLIC_URL: "https://fleet.example.com/mcp" };
  const { child, ended } = start(args, env);
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
