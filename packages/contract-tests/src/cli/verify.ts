import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { type DriftBaseline, type PlanOutcome, reportOf, runPlan, updatedBaseline, type VerifyReport } from "../deployment/index.ts";
import { loadFixtures } from "../fixtures/load-fixtures.ts";
import { profileOf, type SeenCall } from "../learn/learn.ts";
import { annotationsOf, htmlOf, junitOf, markdownOf, sarifOf, textReport } from "../reports/index.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { readDriftBaseline } from "./baseline-file.ts";
import { type ConnectionOptions, progress, withConnection, withDeployment } from "./connection.ts";
import { annotate, CouldNotRun, EXIT, print, say } from "./print.ts";
import { parseRate, parseRequests, type Selection, selectionOf, withSelection } from "./selection.ts";

interface VerifyOptions extends ConnectionOptions, Selection {
  baseline?: string;
  updateBaseline?: boolean;
  allowPartial?: boolean;
  maxRequests?: number;
  rate?: number;
  fixtures?: string;
  allowWrites?: boolean;
  json?: boolean;
  junit?: string;
  sarif?: string;
  html?: string;
  profile?: string;
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const EXIT_CODES: Record<VerifyReport["status"], number> = { same: EXIT.holds, differs: EXIT.broken, couldNotCheck: EXIT.couldNotRun };

/** Annotates a run on GitHub, where these variables are set. */
function reportToGitHub(report: VerifyReport, file: string | undefined): void {
  if (process.env["GITHUB_ACTIONS"] === "true") for (const line of annotationsOf(report, file)) annotate(line);
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, markdownOf(report));
}

function checkOptions({ baseline, updateBaseline, junit, sarif, html, profile }: VerifyOptions): void {
  if (updateBaseline && baseline === undefined) throw new CouldNotRun("--update-baseline needs --baseline, the file to write");
  const written = [junit, sarif, html, profile, ...(updateBaseline ? [baseline] : [])].filter((file) => file !== undefined);
  for (const file of written) checkWritable(file, "file");
}

/** The calls of a run, which a profile is learned from. */
const seenIn = ({ outcomes }: PlanOutcome, at: Date): SeenCall[] =>
  outcomes.flatMap(({ step: { operation }, exchange }) => (exchange ? [{ operation, exchange, at: at.getTime() }] : []));

async function verify(options: VerifyOptions, version: string): Promise<void> {
  const { baseline, updateBaseline = false, allowPartial = false, allowWrites = false, fixtures } = options;
  checkOptions(options);
  const recorded = fixtures === undefined ? [] : loadFixtures(fixtures);
  const before: DriftBaseline = baseline === undefined ? { accepted: [] } : readDriftBaseline(baseline, updateBaseline);
  const { outcome, at } = await withDeployment(options, async (deployment) => {
    const { only, except, maxRequests, rate: perSecond } = options;
    const readsForInput = only !== undefined && !except?.includes("listLivePositions");
    const limits = { selects: selectionOf(options), readsForInput, maxRequests, perSecond, allowWrites };
    const plan = { ...deployment, ...limits, userAgent: `fleetwire-contract/${version}`, onProgress: progress };
    return { at: new Date(deployment.now()), outcome: await runPlan(plan) };
  });
  const reportFor = ({ accepted }: DriftBaseline) => reportOf(outcome, { recorded, accepted, allowPartial, at });
  let report = reportFor(before);
  if (updateBaseline && baseline !== undefined) {
    const { vanished } = report;
    const after = updatedBaseline(report, before, at.toISOString().slice(0, 10));
    writeAtomically(new Map([[baseline, jsonText(after)]]));
    report = { ...reportFor(after), vanished };
    say(`${baseline} updated: review the changes`);
  }
  const file = baseline === undefined ? undefined : relative(process.cwd(), baseline).replaceAll("\\", "/");
  const files = [
    [options.junit, () => junitOf(report)],
    [options.sarif, () => sarifOf(report, version, file)],
    [options.html, () => htmlOf(report)],
    [options.profile, () => jsonText(profileOf(seenIn(outcome, at)))],
  ] as const;
  writeAtomically(new Map(files.flatMap(([path, content]) => (path === undefined ? [] : [[path, content()] as const]))));
  print(options.json ? JSON.stringify(report, null, 2) : textReport(report));
  reportToGitHub(report, file);
  process.exitCode = EXIT_CODES[report.status];
}

export function addVerify(program: Command, version: string): void {
  const command = program
    .command("verify")
    .description("call the read operations of a deployment and report where responses differ from the contract")
    .option("--baseline <file>", "accepted differences; only others fail")
    .option("--update-baseline", "accept the differences found, and remove those that have vanished");
  withSelection(command, "check")
    .option("--allow-partial", "exit with 0 although some read operations were not checked in full")
    .option("--max-requests <number>", "maximum requests to send, including those for tokens", parseRequests)
    .option("--rate <number>", "maximum requests per second", parseRate)
    .option("--fixtures <folder>", "recordings of this deployment; fields that have since vanished are reported")
    .option("--allow-writes", "also set a group's name to its current one, and create a job, which remains")
    .option("--json", "print the report as JSON")
    .option("--junit <file>", "also write the report as JUnit XML")
    .option("--sarif <file>", "also write the report as SARIF")
    .option("--html <file>", "also write the report as a page that opens without a network")
    .option("--profile <file>", "also write a profile of the deployment, as learn does, for FLEET_PROFILE");
  withConnection(command).action((options: VerifyOptions) => verify(options, version));
}
