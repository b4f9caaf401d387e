import { textColumns } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/verify-report.ts";

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Expected and actual on one line. */
export function differenceOf({ expected, actual, examples }: DriftFinding): string {
  const form = examples.length === 0 ? "" : `, of the form ${examples.join(" or ")}`;
  return `expected ${expected}; actual ${actual.join(" or ")}${form}`;
}

/** How often a difference occurred, and since when. */
export function extentOf({ records, of, calls, since, expires, reason }: DriftFinding): string {
  return [
    `${records} of ${plural(of, "record")} in ${calls.join(", ")}`,
    ...(since === undefined ? [] : [`accepted on ${since}`]),
    ...(expires === undefined ? [] : [`until ${expires}`]),
    ...(reason === undefined ? [] : [reason]),
  ].join("; ");
}

export const nameOf = ({ operation, path, kind }: { operation: string; path: string; kind: string }) => `${operation} ${path} ${kind}`;

/** A call that was not checked, and why. */
export const reasonOf = ({ operation, call, reason }: VerifyReport["skipped"][number]) => `${operation} (${call}): ${reason}`;

/** The result in one sentence. */
export function summaryOf({ status, findings, checked, accepted, notChecked, inconclusive }: VerifyReport): string {
  const calls = plural(checked.length, "call");
  const known = accepted.length === 0 ? "" : `, apart from ${plural(accepted.length, "accepted difference")}`;
  if (status === "same") return `The deployment matches the contract in ${calls}${known}.`;
  if (status === "differs") return `The deployment differs from the contract in ${plural(findings.length, "place")} (${calls} completed).`;
  if (inconclusive.length > 0 || checked.length === 0) return `The deployment could not be checked (${calls} completed).`;
  return `The deployment was checked in part (${calls} completed): ${notChecked.join(", ")} not checked in full. With --allow-partial, this counts as a match.`;
}

const WIDEST = 110;
const shortened = (text: string) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 2)} …` : text);

/** A table of findings, each followed by what was expected. What has expired was accepted too. */
function tableOf(findings: readonly DriftFinding[]): string[] {
  if (findings.length === 0) return [];
  const dated = findings.some(({ since }) => since !== undefined);
  const rows = findings.map(({ operation, path, kind, records, of, calls, since = "" }) => {
    return [operation, path, kind, `${records} of ${of}`, calls.length, ...(dated ? [since] : [])];
  });
  const heads = ["operation", "path", "kind", "records", "calls", ...(dated ? ["accepted"] : [])];
  const [head = "", ...lines] = textColumns([heads, ...rows]).split("\n");
  const details = (finding: DriftFinding) => [
    `    ${shortened(differenceOf(finding))}`,
    ...(finding.reason ? [`    reason: ${finding.reason}`] : []),
    ...(finding.expires ? [`    accepted until ${finding.expires}`] : []),
  ];
  return [head, ...findings.flatMap((finding, at) => [lines[at] ?? "", ...details(finding)])];
}

/** The report for a terminal. */
export function textReport(report: VerifyReport): string {
  const { findings, accepted, vanished, notSeen, inconclusive, skipped, jobsLeftBehind, observations } = report;
  return [
    ...tableOf(findings),
    ...(accepted.length > 0 ? ["", "Accepted:", ...tableOf(accepted), ""] : []),
    ...vanished.map((entry) => `vanished: ${nameOf(entry)} (accepted on ${entry.since}); remove it with --update-baseline`),
    ...notSeen.map((entry) => `not looked for: ${nameOf(entry)} (accepted on ${entry.since})`),
    ...inconclusive.map((one) => `could not check ${reasonOf(one)}`),
    ...skipped.map((one) => `skipped ${reasonOf(one)}`),
    ...jobsLeftBehind.map((number) => `job ${number} remains in the deployment`),
    ...observations,
    summaryOf(report),
  ].join("\n");
}
