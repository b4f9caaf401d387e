import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { VerifyReport } from "../src/deployment/verify-report.ts";
import { run } from "./run-command.ts";

const FAULTS = ["--faults", "listLivePositions:drift-type,listVehicleFaults:drift-extra"];

/** What verify writes for a sandbox with two differences, one of them accepted. */
async function reports() {
  const folder = temporaryFolder();
  const [baseline, junit, sarif, html, summary] = ["b.json", "r.xml", "r.sarif", "r.html", "s.md"].map((name) => join(folder, name));
  await run(["verify", "--sandbox", "--faults", "listVehicleFaults:drift-extra", "--baseline", `${baseline}`, "--update-baseline"]);
  const files = ["--junit", `${junit}`, "--sarif", `${sarif}`, "--html", `${html}`];
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: `${summary}` };
  const { stdout, stderr } = await run(["verify", "--sandbox", ...FAULTS, "--baseline", `${baseline}`, "--json", ...files], env);
  const read = (file = "") => readFileSync(file, "utf8");
  return {
    report: JSON.parse(stdout),
    stderr,
    junit: read(junit),
    sarif: JSON.parse(read(sarif)),
    html: read(html),
    summary: read(summary),
  };
}

describe("the reports of verify", () => {
  it("say the same", { timeout: 60_000 }, async () => {
    const { report, stderr, junit, sarif, html, summary } = await reports();

    expect(VerifyReport.parse(report)).toEqual(report);
    const [finding] = report.findings;
    expect(report).toMatchObject({ status: "differs", findings: [{ operation: "listLivePositions", kind: "wrong type" }] });
    expect(report.accepted).toMatchObject([{ operation: "listVehicleFaults", kind: "unknown field", since: "2026-11-20" }]);
    expect(finding.records).toBeLessThan(finding.of);
    const { path, expected, actual } = finding;

    // JUnit: a case for each call and each difference.
    expect(junit).toMatch(/<testsuites name="fleetwire-contract" tests="21" failures="1" errors="0" skipped="3" time="\d+\.\d{3}">/);
    expect(junit).toMatch(/<testcase classname="listLivePositions" name="list-live-positions" time="\d+\.\d{3}"\/>/);
    const failure =
      /<testcase classname="listLivePositions" name="([^"]+)"[^>]*>\s*<failure type="wrong type" message="expected ([^;]+); [^>]+>path: ([^\n]+)\nexpected: ([^\n]+)\nactual: ([^\n]+)\n/.exec(
        junit,
      );
    expect(failure?.slice(1)).toEqual([`${path} wrong type`, expected, path, expected, actual.join(" or ")]);
    expect(junit).toMatch(/<skipped message="accepted: \d+ of \d+ records in [^"]+; accepted on 2026-11-20; /);

    // SARIF: accepted drift is suppressed.
    const [{ results }] = sarif.runs;
    expect(results.map(({ baselineState }: { baselineState: string }) => baselineState)).toEqual(["new", "unchanged"]);
    expect(results[0].message.text).toContain(`expected ${expected}; actual ${actual.join(" or ")}`);
    expect(results[1].suppressions).toEqual([{ kind: "external", justification: "accepted on 2026-11-20" }]);

    // GitHub: an annotation for new drift only, and a summary of all.
    const commands = stderr.split("\n").filter((line) => line.startsWith("::"));
    expect(commands).toEqual([
      expect.stringMatching(
        /^::error file=[^,]*b\.json,line=1,title=listLivePositions \$\[\*\]\.\w+ wrong type::expected .+%0A\d+ of \d+ records in /,
      ),
    ]);
    expect(summary).toContain("### Differences\n");
    expect(summary).toContain("### Accepted differences\n");

    // HTML: complete, without scripts and without addresses.
    for (const text of [path, "addedByAnotherVersion", "list-tire-events", "writes need --allow-writes"]) expect(html).toContain(text);
    expect(html).toContain("<h2>Fields of the interface in responses (");
    expect(html).not.toMatch(/<script|<link|<img|https?:|\son\w+=/);
  });

  it("contain a case that fails if the run is partial", async () => {
    const file = join(temporaryFolder(), "r.xml");
    await run(["verify", "--sandbox", "--except", "listJobs", "--junit", file]);
    expect(readFileSync(file, "utf8")).toMatch(/errors="1"[\s\S]*<error message="The deployment was checked in part/);
  });
});
