import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./run-command.ts";

const EXTRA = ["--faults", "listVehicleFaults:drift-extra"];
const PATH = "$.items[*].addedByAnotherVersion";

/** Accepts the drift of a sandbox, and returns the file. */
async function acceptedIn(folder: string, faults = EXTRA): Promise<string> {
  const file = join(folder, "baseline.json");
  const { code, stderr } = await run(["verify", "--sandbox", ...faults, "--baseline", file, "--update-baseline"]);
  expect(stderr).toContain(`${file} updated: review the changes\n`);
  expect(code).toBe(0);
  return file;
}

const editedIn = (file: string, edit: (entry: Record<string, unknown>) => void) => {
  const baseline = JSON.parse(readFileSync(file, "utf8"));
  for (const entry of baseline.accepted) edit(entry);
  writeFileSync(file, JSON.stringify(baseline));
};

describe("verify --baseline", () => {
  it("holds accepted drift, sorted and without values", async () => {
    const file = await acceptedIn(temporaryFolder(), ["--faults", "drift-extra,listLivePositions:drift-type"]);
    const { accepted } = JSON.parse(readFileSync(file, "utf8"));
    expect(accepted.map(({ operation, path, kind }: Record<string, string>) => `${operation} ${path} ${kind}`)).toEqual([
      "listLivePositions $[*].addedByAnotherVersion unknown field",
      "listLivePositions $[*].speed wrong type",
      "listVehicleFaults $.items[*].addedByAnotherVersion unknown field",
      "queryTachoActivity $.data[*].addedByAnotherVersion unknown field",
      "requestAccessToken $.addedByAnotherVersion unknown field",
    ]);
    expect(accepted[1]).toEqual({
      operation: "listLivePositions",
      path: "$[*].speed",
      kind: "wrong type",
      expected: "number in km/h",
      actual: ["string"],
      since: "2026-11-20",
    });
  });

  it("lists accepted drift, and exits with 0", async () => {
    const file = await acceptedIn(temporaryFolder());
    editedIn(file, (entry) => Object.assign(entry, { reason: "They promised\r\nto document it", expires: "2027-01-31" }));
    const { code, stdout } = await run(["verify", "--sandbox", ...EXTRA, "--baseline", file]);
    expect(stdout).toMatch(
      /\nAccepted:\n[^\n]+\nlistVehicleFaults +\$\.items\[\*\]\.addedByAnotherVersion +unknown field +\d+ of \d+ +\d +2026-11-20\n/,
    );
    expect(stdout).toContain("    reason: They promised to document it\n    accepted until 2027-01-31\n");
    expect(stdout).toMatch(/apart from 1 accepted difference\.\n$/);
    expect(code).toBe(0);
  });

  it("fails on new drift only, and says what was expected", async () => {
    const file = await acceptedIn(temporaryFolder());
    const faults = "listVehicleFaults:drift-extra,queryTachoActivity:drift-type";
    const { code, stdout } = await run(["verify", "--sandbox", "--faults", faults, "--baseline", file]);
    expect(stdout).toMatch(
      /^operation[^\n]+\nqueryTachoActivity +\S+ +wrong type +\d+ of \d+ +\d\n +expected \w+; actual \w+, of the form [^\n]+\n\nAccepted:/,
    );
    expect(stdout).toMatch(/differs from the contract in 1 place /);
    expect(code).toBe(1);
  });

  it("fails on another type at an accepted place", async () => {
    const file = await acceptedIn(temporaryFolder());
    editedIn(file, (entry) => Object.assign(entry, { actual: ["boolean"] }));
    expect((await run(["verify", "--sandbox", ...EXTRA, "--baseline", file])).code).toBe(1);
  });

  it("says what has vanished, and removes it on the next update", async () => {
    const file = await acceptedIn(temporaryFolder());
    const { code, stdout } = await run(["verify", "--sandbox", "--baseline", file]);
    expect(stdout).toContain(`vanished: listVehicleFaults ${PATH} unknown field (accepted on 2026-11-20)`);
    expect(code).toBe(0);
    await run(["verify", "--sandbox", "--baseline", file, "--update-baseline"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ accepted: [] });
  });

  it("keeps what a run could not look for", async () => {
    const file = await acceptedIn(temporaryFolder());
    const args = ["verify", "--sandbox", "--except", "listVehicleFaults", "--baseline", file, "--update-baseline"];
    const { stdout } = await run(args);
    expect(stdout).toContain(`not looked for: listVehicleFaults ${PATH}`);
    expect(JSON.parse(readFileSync(file, "utf8")).accepted).toHaveLength(1);
  });

  it("no longer accepts what has expired, also after an update", async () => {
    const file = await acceptedIn(temporaryFolder());
    editedIn(file, (entry) => Object.assign(entry, { reason: "until the next release", expires: "2026-11-19" }));
    const { code, stdout } = await run(["verify", "--sandbox", ...EXTRA, "--baseline", file, "--update-baseline"]);
    expect(stdout).toContain("    accepted until 2026-11-19\n");
    expect(code).toBe(1);
    expect(readFileSync(file, "utf8")).toContain('"reason": "until the next release"');
  });

  it.each<[string, string | undefined, string[], RegExp]>([
    ["a missing file", undefined, [], /does not exist: create it with --update-baseline/],
    ["a file that is no JSON", "{", [], /is not a JSON file/],
    [
      "an invalid entry",
      '{"accepted": [{"operation": "a", "path": "$", "kind": "b", "expected": "c", "actual": ["d"], "since": "may"}]}',
      [],
      /is invalid: accepted\.0\.since: /,
    ],
    ["an unknown property", '{"accepted": [], "ignore": "all"}', ["--update-baseline"], /is invalid: .*ignore/],
  ])("exits with 2 for %s", async (_, content, args, message) => {
    const file = join(temporaryFolder(), "baseline.json");
    if (content !== undefined) writeFileSync(file, content);
    const { code, stderr, stdout } = await run(["verify", "--sandbox", "--baseline", file, ...args]);
    expect(stderr).toMatch(message);
    expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
    expect(existsSync(file)).toBe(content !== undefined);
  });
});

describe("a partial run", () => {
  it.each([
    [
      "--only",
      ["--only", "listVehicleFaults"],
      /checked in part \(3 calls completed\): requestAccessToken, listLivePositions, .* not checked in full/,
    ],
    ["--except", ["--except", "listTireEvents, listJobs"], /checked in part \(15 calls completed\): listTireEvents, listJobs not checked/],
    ["--max-requests", ["--max-requests", "3"], /checked in part \(3 calls completed\)/],
  ])("exits with 2 with %s, and with 0 if that is allowed", async (_, args, message) => {
    const { code, stdout } = await run(["verify", "--sandbox", ...args]);
    expect(stdout).toMatch(message);
    expect(code).toBe(2);
    expect((await run(["verify", "--sandbox", ...args, "--allow-partial"])).code).toBe(0);
  });

  it("reads live positions for the input of a selected operation, without checking them", async () => {
    const { stdout } = await run(["verify", "--sandbox", "--only", "updateGroup", "--allow-writes", "--json"]);
    expect(JSON.parse(stdout).checked.map(({ call }: { call: string }) => call)).toEqual(["update-group-unchanged"]);
  });

  it.each([
    [["--only", "listCars"], "Unknown operation listCars. Operations: "],
    [["--max-requests", "0"], "Must be a whole number from 1 to 999999."],
    [["--rate", "fast"], "Must be a number from 0.01 to 1000."],
    [["--update-baseline"], "--update-baseline needs --baseline, the file to write"],
  ])("%s is rejected in one line", async (args, message) => {
    const { code, stderr } = await run(["verify", "--sandbox", ...args]);
    expect(stderr).toMatch(/^fleetwire-contract: [^\n]*\n$/);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
