import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { served, tokensFile } from "./callers-under-test.ts";
import { environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const page = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");

/** The words in backticks in the first column of the table with this heading. */
function firstColumn(heading: string): string[] {
  const [, table = ""] = page.split(new RegExp(`^\\| ${heading} .*\\n.*\\n`, "m"));
  const rows = table.split("\n\n")[0]?.split("\n") ?? [];
  return rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word));
}

const messages = firstColumn("`msg`");
const fields = firstColumn("field");

const sources = readdirSync(new URL("../src", import.meta.url), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(import.meta.dirname, "../src", name), "utf8"));

describe("docs/operating.md", () => {
  it("lists every message that the server logs, and no other", () => {
    const logged = sources.flatMap((source) =>
      [...source.matchAll(/\blog\??[.[][^;]*?, *(?:[^;,"]*\? "([^"]+)" : )?"([^"]+)"\)/g)].flatMap(([, ...found]) => found.filter(Boolean)),
    );
    expect([...new Set(logged)].sort()).toEqual(messages.filter((message) => message !== "ready at URL").sort());
  });

  it("lists every field that occurs in the log", async () => {
    const service = await fleetService({
      listLivePositions: () => ({ body: [{ assetId: "v12", assetName: "Truck 12", canary: 1, eventType: "flying" }] }),
      createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }),
    });
    const { file, tokens } = tokensFile({ dispatch: { scopes: ["fleet:read", "fleet:write"] } });
    const { call, list, log } = await served({ ...environmentOf(service.origin), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });
    await call("locate_vehicle", { query: "truck 12" }, tokens.dispatch);
    await call("create_job", { address: "canary-street", vehicleId: "v12" }, tokens.dispatch);
    writeFileSync(file, "{");
    const problem = async () => (await list("canary-unknown")) && log.find((line) => "problem" in line);
    await expect.poll(problem, { timeout: 30_000, interval: 200 }).toBeDefined();
    await expect.poll(() => log.filter(({ msg }) => msg === "request").length).toBeGreaterThan(2);
    const seen = new Set(log.flatMap((line) => Object.keys(line)));
    expect([...seen].filter((field) => !fields.includes(field))).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining(["requestId", "outcome", "jobNumber", "fields", "drift", "problem", "status", "ms"]));
  });

  it("lists every field that occurs in the log of the built bin from its start", async () => {
    const service = await fleetService({ listLivePositions: () => ({ status: 401 }) });
    const { child, ended } = start(["http", "--port", "0"], { ...environmentOf(service.origin), FLEET_LOG: "info" });
    await new Promise<void>((resolve) => child.stderr.on("data", (chunk: string) => chunk.includes("ready at") && resolve()));
    child.kill("SIGTERM");
    const lines = (await ended).stderr.trimEnd().split("\n");
    expect(lines.flatMap((line) => Object.keys(JSON.parse(line))).filter((field) => !fields.includes(field))).toEqual([]);
  });
});
