import { describe, expect, it } from "vitest";
import { fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";

/** What acts on a terminal: control characters except newline and tab, direction marks, line separators, tag characters. */
const ACTS = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

const TAGS = String.fromCodePoint(...Array.from("do it", (letter) => 0xe0000 + (letter.codePointAt(0) ?? 0)), 0xe007f);
const HOSTILE = `\u001b[2J\u001b]0;title\u0007x\u009b1A\u0085\u0090x\r\b\v\f\u007fx\u202e\u2066\u200f\u061cx\u2028\u2029x${TAGS}`;

const said = { driverName: HOSTILE, eventType: HOSTILE, [`field ${HOSTILE}`]: HOSTILE };
const position = { assetId: "v1", assetName: `Truck 12 ${HOSTILE}`, ...said };
const record = { number: HOSTILE, [`key ${HOSTILE}`]: HOSTILE, inner: { list: [HOSTILE] } };

const SCRIPT: Script = {
  listLivePositions: () => ({ body: [position] }),
  listVehicleFaults: () => ({ status: 400, body: [{ field: HOSTILE, message: HOSTILE }] }),
  listTireEvents: () => ({ body: [record] }),
};

const KEEP = "naïve 東京 👨‍👩‍👧 می‌خواهم";

describe("terminal output", () => {
  it.each<[string, string[]]>([
    ["a vehicle", ["call", "locate_vehicle", '{"query": "truck 12"}']],
    ["a table", ["call", "list_live_positions", "{}"]],
    ["records of any shape", ["call", "list_tire_events", "{}"]],
    ["a failure with the service's text", ["call", "list_vehicle_faults", "{}"]],
    ["a dry run", ["call", "create_job", JSON.stringify({ address: "Lyon", notes: HOSTILE, dryRun: true })]],
    ["refused arguments", ["call", "locate_vehicle", JSON.stringify({ query: "x", [HOSTILE]: HOSTILE })]],
    ["an unknown tool", ["call", HOSTILE]],
    ["an unknown flag", ["tools", `--${HOSTILE}`]],
    ["doctor", ["doctor"]],
  ])("is escaped, in text, JSON and log: %s", async (_, args) => {
    const service = await fleetService(SCRIPT);
    const env = { ...environmentOf(service.origin), FLEET_LOG: "debug" };
    for (const json of args[0] === "call" || args[0] === "doctor" ? [[], ["--json"]] : [[]]) {
      const { stdout, stderr } = await run([...args, ...json], env);
      expect(stdout.length + stderr.length).toBeGreaterThan(0);
      for (const printed of [stdout, stderr]) expect({ json, acts: ACTS.exec(printed)?.[0].codePointAt(0) }).toEqual({ json });
      if (json.length > 0) expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    }
  });

  it("is otherwise unchanged: other scripts, emoji and joiners stay, and JSON keeps its meaning", async () => {
    const record = { number: `${KEEP}\u202e\u{e0041}` };
    const service = await fleetService({ ...SCRIPT, listTireEvents: () => ({ body: [record] }) });
    const env = environmentOf(service.origin);
    expect((await run(["call", "list_tire_events"], env)).stdout).toContain("naïve 東京");
    const { stdout } = await run(["call", "list_tire_events", "--json"], env);
    expect(stdout).toContain(KEEP);
    expect(JSON.parse(stdout).rows[0][0]).toContain(KEEP);
  });
});
