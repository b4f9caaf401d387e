import type { DriftFinding, VerifyReport } from "../deployment/index.ts";
import { differenceOf, extentOf, nameOf, summaryOf } from "./text-report.ts";

const data = (text: string) => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string) => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");

/** GitHub shows ten annotations of a kind for each step. */
const SHOWN = 10;

/** Workflow commands that annotate a run on GitHub. `file` is the baseline, relative to the repository. */
export function annotationsOf(report: VerifyReport, file: string | undefined): string[] {
  const { status, findings, vanished } = report;
  const place = file === undefined ? "" : `file=${property(file)},line=1,`;
  const errors = findings.map((finding) => ({ title: nameOf(finding), text: `${differenceOf(finding)}\n${extentOf(finding)}` }));
  const shown = errors.length > SHOWN ? errors.slice(0, SHOWN - 1) : errors;
  const more = errors.length - shown.length;
  return [
    ...shown.map(({ title, text }) => `::error ${place}title=${property(title)}::${data(text)}`),
    ...(more > 0 ? [`::error ${place}title=More differences::${more} more: see the job summary`] : []),
    ...(status === "couldNotCheck" ? [`::error title=Could not check::${data(summaryOf(report))}`] : []),
    ...vanished
      .slice(0, SHOWN)
      .map((entry) => `::notice ${place}title=Vanished drift::${data(nameOf(entry))}: remove it with --update-baseline`),
  ];
}

/** Text in a cell of a Markdown table, shown as it is. */
const cell = (text: string) => `<code>${text.replace(/[&<>|\\`*_[\]\n]/g, (unit) => `&#${unit.charCodeAt(0)};`)}</code>`;

function tableOf(title: string, findings: readonly DriftFinding[]): string[] {
  if (findings.length === 0) return [];
  return [
    `### ${title}`,
    "",
    "| operation | path | kind | expected | actual | extent |",
    "| --- | --- | --- | --- | --- | --- |",
    ...findings.map((finding) => {
      const { operation, path, kind, expected, actual, examples } = finding;
      const cells = [operation, path, kind, expected, [...actual, ...examples].join(", "), extentOf(finding)];
      return `| ${cells.map(cell).join(" | ")} |`;
    }),
    "",
  ];
}

function listOf(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, "", ...lines.map((line) => `- ${cell(line)}`), ""];
}

/** The report as Markdown, for the summary of a job. */
export function markdownOf(report: VerifyReport): string {
  const { findings, accepted, vanished, inconclusive, skipped, observations } = report;
  const reasonOf = ({ operation, call, reason }: { operation: string; call: string; reason: string }) =>
    `${operation} (${call}): ${reason}`;
  return [
    "## Contract of the fleet service",
    "",
    summaryOf(report),
    "",
    ...tableOf("Differences", findings),
    ...tableOf("Accepted differences", accepted),
    ...listOf("Accepted differences that have vanished", vanished.map(nameOf)),
    ...listOf("Could not check", [...inconclusive, ...skipped].map(reasonOf)),
    ...listOf("Observations", observations),
    "",
  ].join("\n");
}
