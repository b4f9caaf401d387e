import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { reportOf, updatedBaseline } from "../deployment/drift-report.ts";
import { runPlan } from "../deployment/run-plan.ts";
import { DriftBaseline, type VerifyReport } from "../deployment/verify-report.ts";
import { loadFixtures } from "../fixtures/load-fixtures.ts";
import { jsonOf } from "../json-values.ts";
import { profileOf } from "../learn/learn.ts";
import { annotationsOf, markdownOf } from "../reports/github.ts";
import { htmlOf } from "../reports/html.ts";
import { junitOf } from "../reports/junit.ts";
import { sarifOf } from "../reports/sarif.ts";
import { textReport } from "../reports/text-report.ts";
import { limitsOf, progress, type RunOptions, withConnection, withDeployment, withRun } from "./connection.ts";
import { annotate, checkWritable, EXIT, jsonText, print, say, VERSION, writeAtomically } from "./output.ts";

interface VerifyOptions extends RunOptions {
  baseline?: string;
  updateBaseline?: boolean;
  allowPartial?: boolean;
  fixtures?: string;
  junit?: string;
  sarif?: string;
  html?: string;
  profile?: string;
}

const EXIT_CODES: Record<VerifyReport["status"], number> = { same: EXIT.holds, differs: EXIT.broken, couldNotCheck: EXIT.couldNotRun };

/** Annotates a run on GitHub, where these variables are set. */
function reportToGitHub(report: VerifyReport, file: string | undefined): void {
  if (process.env["GITHUB_ACTIONS"] === "true") for (const line of annotationsOf(report, file)) annotate(line);
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, markdownOf(report));
}

function checkOptions({ baseline, updateBaseline, junit, sarif, html, profile }: VerifyOptions): void {
  if (updateBaseline && baseline === undefined) throw new Error("--update-baseline needs --baseline, the file to write");
  const written = [junit, sarif, html, profile, ...(updateBaseline ? [baseline] : [])].filter((file) => file !== undefined);
  for (const file of written) checkWritable(file, "file");
}

/** Reads accepted drift. A file that does not exist accepts nothing if it is to be updated. */
function readBaseline({ baseline: file, updateBaseline }: VerifyOptions): DriftBaseline {
  if (file === undefined || (updateBaseline && !existsSync(file))) return { accepted: [] };
  if (!existsSync(file)) throw new Error(`the baseline ${file} does not exist: create it with --update-baseline`);
  const content = jsonOf(readFileSync(file, "utf8"));
  if (content === undefined) throw new Error(`the baseline ${file} is not a JSON file`);
  const { success, data, error } = DriftBaseline.safeParse(content);
  if (success) return data;
  const [issue] = error.issues;
  throw new Error(`the baseline ${file} is invalid: ${issue?.path.join(".")}: ${issue?.message}`);
}

async function verify(options: VerifyOptions): Promise<void> {
  const { baseline, updateBaseline, allowPartial = false, allowWrites = false, fixtures, only, except } = options;
  checkOptions(options);
  const recorded = fixtures === undefined ? [] : loadFixtures(fixtures);
  const before = readBaseline(options);
  const readsForInput = only !== undefined && !except?.includes("listLivePositions");
  const { outcome, at } = await withDeployment(options, async (deployment) => ({
    at: new Date(deployment.now()),
    outcome: await runPlan({ ...deployment, ...limitsOf(options), readsForInput, allowWrites, onProgress: progress }),
  }));
  const reportFor = ({ accepted }: DriftBaseline) => reportOf(outcome, { recorded, accepted, allowPartial, at });
  let report = reportFor(before);
  if (updateBaseline && baseline !== undefined) {
    const after = updatedBaseline(report, before);
    writeAtomically(new Map([[baseline, jsonText(after)]]));
    report = { ...reportFor(after), vanished: report.vanished };
    say(`${baseline} updated: review the changes`);
  }
  const calls = outcome.outcomes.flatMap(({ step: { operation }, exchange, body }) =>
    exchange ? [{ operation, status: exchange.status, body, at: at.getTime() }] : [],
  );
  const file = baseline === undefined ? undefined : relative(process.cwd(), baseline).replaceAll("\\", "/");
  const files = [
    [options.junit, () => junitOf(report)],
    [options.sarif, () => sarifOf(report, VERSION, file)],
    [options.html, () => htmlOf(report)],
    [options.profile, () => jsonText(profileOf(calls))],
  ] as const;
  writeAtomically(new Map(files.flatMap(([path, content]) => (path === undefined ? [] : [[path, content()] as const]))));
  print(options.json ? JSON.stringify(report, null, 2) : textReport(report));
  reportToGitHub(report, file);
  process.exitCode = EXIT_CODES[report.status];
}

export function addVerify(program: Command): void {
  const command = program
    .command("verify")
    .description("call the read operations of a deployment and report where responses differ from the contract")
    .option("--baseline <file>", "accepted differences; only others fail")
    .option("--update-baseline", "accept the differences found, and remove those that have vanished")
    .option("--allow-partial", "exit with 0 although some read operations were not checked in full")
    .option("--fixtures <folder>", "recordings of this deployment; fields that have since vanished are reported")
    .option("--junit <file>", "also write the report as JUnit XML")
    .option("--sarif <file>", "also write the report as SARIF")
    .option("--html <file>", "also write the report as a page that opens without a network")
    .option("--profile <file>", "also write a profile of the deployment, as learn does, for FLEET_PROFILE");
  withRun(command, "check", "also set a group's name to its current one, and create a job, which remains");
  withConnection(command).action(verify);
}
