import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { run } from "./run-command.ts";

const EXTRA = ["--faults", "listVehicleFaults:drift-extra"];

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

  const TYPE = "listVehicleFaults:drift-extra,queryTachoActivity:drift-type";
  it.each<[what: string, entry: object, args: string[], says: RegExp[], code: number]>([
    [
      "lists accepted drift, and exits with 0",
      { reason: "They promised\r\nto document it", expires: "2027-01-31" },
      EXTRA,
      [
        /\nAccepted:\n[^\n]+\nlistVehicleFaults +\$\.items\[\*\]\.addedByAnotherVersion +unknown field +\d+ of \d+ +\d +2026-11-20\n/,
        /\n {4}reason: They promised to document it\n {4}accepted until 2027-01-31\n/,
        /apart from 1 accepted difference\.\n$/,
      ],
      0,
    ],
    [
      "fails on new drift only, and says what was expected",
      {},
      ["--faults", TYPE],
      [
        /^operation[^\n]+\nqueryTachoActivity +\S+ +wrong type +\d+ of \d+ +\d\n +expected \w+; actual \w+, of the form [^\n]+\n\nAccepted:/,
        /differs from the contract in 1 place /,
      ],
      1,
    ],
    ["fails on another type at an accepted place", { actual: ["boolean"] }, EXTRA, [], 1],
    ["fails on what has expired", { expires: "2026-11-19" }, [...EXTRA, "--update-baseline"], [/\n {4}accepted until 2026-11-19\n/], 1],
    ["says what has vanished", {}, [], [/vanished: listVehicleFaults \$\.items\[\*\]\.addedByAnotherVersion .*2026-11-20/], 0],
    ["says what it could not look for", {}, ["--except", "listVehicleFaults"], [/not looked for: listVehicleFaults /], 2],
  ])("%s", async (_, entry, args, says, code) => {
    const file = await acceptedIn(temporaryFolder());
    editedIn(file, (one) => Object.assign(one, entry));
    const ended = await run(["verify", "--sandbox", ...args, "--baseline", file]);
    for (const words of says) expect(ended.stdout).toMatch(words);
    expect(ended.code).toBe(code);
  });

  it.each<[string, string[], number]>([
    ["removes what has vanished", [], 0],
    ["keeps what a run could not look for", ["--except", "listVehicleFaults"], 1],
    ["keeps what is still there, with its reason", EXTRA, 1],
  ])("on an update %s", async (_, args, kept) => {
    const file = await acceptedIn(temporaryFolder());
    editedIn(file, (one) => Object.assign(one, { reason: "until the next release" }));
    await run(["verify", "--sandbox", ...args, "--baseline", file, "--update-baseline"]);
    const { accepted } = JSON.parse(readFileSync(file, "utf8"));
    expect(accepted.map(({ reason }: { reason: string }) => reason)).toEqual(Array(kept).fill("until the next release"));
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
    [["--only", "listCars"], "Unknown operation listCars. Known: "],
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
