import { describe, expect, it } from "vitest";
import { fleetService, type Script } from "./fleet-service.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";

/** What acts on a terminal: controls but newline and tab, marks of direction, line separators, tag characters. */
const ACTS = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

const HOSTILE = [
  "\u001b[2J\u001b]0;title\u0007",
  "\u009b1A\u0085\u0090",
  "\r\b\v\f\u007f",
  "\u202e\u2066\u200f\u061c",
  "\u2028\u2029",
  String.fromCodePoint(...Array.from("do it", (letter) => 0xe0000 + (letter.codePointAt(0) ?? 0)), 0xe007f),
].join("x");

const position = {
  assetId: "v1",
  assetName: `Truck 12 ${HOSTILE}`,
  driverName: HOSTILE,
  eventType: HOSTILE,
  [`field ${HOSTILE}`]: HOSTILE,
};
const record = { number: HOSTILE, [`key ${HOSTILE}`]: HOSTILE, inner: { list: [HOSTILE] } };

const SCRIPT: Script = {
  listLivePositions: () => ({ body: [position] }),
  listVehicleFaults: () => ({ status: 400, body: [{ field: HOSTILE, message: HOSTILE }] }),
  listTireEvents: () => ({ body: [record] }),
  listJobs: () => ({ status: 422, body: { message: HOSTILE } }),
};

const KEEP = "naïve 東京 👨‍👩‍👧 \u200d می‌خواهم";

describe("what reaches a terminal", () => {
  it.each<[string, string[]]>([
    ["a vehicle", ["call", "locate_vehicle", '{"query": "truck 12"}']],
    ["a table", ["call", "list_live_positions", "{}"]],
    ["records of any shape", ["call", "list_tire_events", "{}"]],
    ["a failure with the service's words", ["call", "list_vehicle_faults", "{}"]],
    ["another one", ["call", "list_jobs", "{}"]],
    ["a dry run", ["call", "create_job", JSON.stringify({ address: "Lyon", notes: HOSTILE, dryRun: true })]],
    ["refused arguments", ["call", "locate_vehicle", JSON.stringify({ query: "x", [HOSTILE]: HOSTILE })]],
    ["a tool that there is not", ["call", HOSTILE]],
    ["a verb that there is not", [HOSTILE]],
    ["a flag that there is not", ["tools", `--${HOSTILE}`]],
    ["a set that there is not", ["tools", "--toolsets", `x${HOSTILE}`]],
    ["the table of tools", ["tools"]],
    ["doctor", ["doctor"]],
  ])("acts on none, as text and as JSON, nor does the log: %s", async (_, args) => {
    const service = await fleetService(SCRIPT);
    const env = { ...environmentOf(service.origin), FLEET_LOG: "debug" };
    for (const json of args[0] === "call" || args[0] === "doctor" ? [[], ["--json"]] : [[]]) {
      const { stdout, stderr } = await run([...args, ...json], env);
      expect(stdout.length + stderr.length).toBeGreaterThan(0);
      for (const printed of [stdout, stderr]) expect({ json, acts: ACTS.exec(printed)?.[0].codePointAt(0) }).toEqual({ json });
      if (json.length > 0) expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    }
  });

  it("is otherwise what it was: other scripts, emoji and joiners stay, and JSON holds the same", async () => {
    const record = { number: `${KEEP}\u202e\u{e0041}` };
    const service = await fleetService({ ...SCRIPT, listTireEvents: () => ({ body: [record] }) });
    const env = environmentOf(service.origin);
    expect((await run(["call", "list_tire_events"], env)).stdout).toContain("naïve 東京");
    const { stdout } = await run(["call", "list_tire_events", "--json"], env);
    expect(stdout).toContain(KEEP);
    expect(JSON.parse(stdout).items[0].number).toContain(KEEP);
  });
});
