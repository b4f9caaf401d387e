import type { DriftFinding, VerifyReport } from "../deployment/verify-report.ts";
import { differenceOf, extentOf, nameOf, reasonOf, summaryOf } from "./text-report.ts";

const data = (text: string) => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string) => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");

/** GitHub shows ten annotations of a kind for each step. */
const SHOWN = 10;

/** Workflow commands that annotate a run on GitHub. `file` is the baseline, relative to the repository. */
export function annotationsOf(report: VerifyReport, file: string | undefined): string[] {
  const { status, findings, vanished } = report;
  const place = file === undefined ? "" : `file=${property(file)},line=1,`;
  const shown = findings.length > SHOWN ? findings.slice(0, SHOWN - 1) : findings;
  const more = findings.length - shown.length;
  return [
    ...shown.map((finding) => {
      return `::error ${place}title=${property(nameOf(finding))}::${data(`${differenceOf(finding)}\n${extentOf(finding)}`)}`;
    }),
    ...(more > 0 ? [`::error ${place}title=More differences::${more} more: see the job summary`] : []),
    ...(status === "couldNotCheck" ? [`::error title=Could not check::${data(summaryOf(report))}`] : []),
    ...vanished
      .slice(0, SHOWN)
      .map((entry) => `::notice ${place}title=Vanished drift::${data(nameOf(entry))}: remove it with --update-baseline`),
  ];
}

/** Text in a cell of a Markdown table, shown as it is. */
const cell = (text: string) => `<code>${text.replace(/[&<>|\\`*_[\]\n]/g, (unit) => `&#${unit.charCodeAt(0)};`)}</code>`;

const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`### ${title}`, "", ...lines, ""]);

function tableOf(findings: readonly DriftFinding[]): string[] {
  const rows = findings.map((finding) => {
    const { operation, path, kind, expected, actual, examples } = finding;
    const cells = [operation, path, kind, expected, [...actual, ...examples].join(", "), extentOf(finding)];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  const heads = ["| operation | path | kind | expected | actual | extent |", "| --- | --- | --- | --- | --- | --- |"];
  return rows.length === 0 ? [] : [...heads, ...rows];
}

const listOf = (lines: readonly string[]) => lines.map((line) => `- ${cell(line)}`);

/** The report as Markdown, for the summary of a job. */
export function markdownOf(report: VerifyReport): string {
  const { findings, accepted, vanished, inconclusive, skipped, observations } = report;
  return [
    "## Contract of the fleet service",
    "",
    summaryOf(report),
    "",
    ...section("Differences", tableOf(findings)),
    ...section("Accepted differences", tableOf(accepted)),
    ...section("Accepted differences that have vanished", listOf(vanished.map(nameOf))),
    ...section("Could not check", listOf([...inconclusive, ...skipped].map(reasonOf))),
    ...section("Observations", listOf(observations)),
    "",
  ].join("\n");
}
