import { textColumns } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/index.ts";

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

/** Whether a finding was accepted until a day that has passed. */
const isExpired = ({ since }: DriftFinding): boolean => since !== undefined;

/** The result in one sentence. */
export function summaryOf({ status, findings, checked, accepted, notChecked, inconclusive }: VerifyReport): string {
  const calls = plural(checked.length, "call");
  const known = accepted.length === 0 ? "" : `, apart from ${plural(accepted.length, "accepted difference")}`;
  switch (status) {
    case "same":
      return `The deployment matches the contract in ${calls}${known}.`;
    case "differs":
      return `The deployment differs from the contract in ${plural(findings.length, "place")} (${calls} completed).`;
    default:
      return inconclusive.length > 0 || checked.length === 0
        ? `The deployment could not be checked (${calls} completed).`
        : `The deployment was checked in part (${calls} completed): ${notChecked.join(", ")} not checked in full. With --allow-partial, this counts as a match.`;
  }
}

const WIDEST = 110;
const shortened = (text: string) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 2)} …` : text);

/** A table of findings, each followed by what was expected. */
function tableOf(findings: readonly DriftFinding[], withDates: boolean): string[] {
  if (findings.length === 0) return [];
  const rows = findings.map(({ operation, path, kind, records, of, calls, since = "" }) => [
    operation,
    path,
    kind,
    `${records} of ${of}`,
    calls.length,
    ...(withDates ? [since] : []),
  ]);
  const heads = ["operation", "path", "kind", "records", "calls", ...(withDates ? ["accepted"] : [])];
  const [head = "", ...lines] = textColumns([heads, ...rows]).split("\n");
  const details = (finding: DriftFinding | undefined) =>
    finding
      ? [
          `    ${shortened(differenceOf(finding))}`,
          ...(finding.reason ? [`    reason: ${finding.reason}`] : []),
          ...(finding.expires ? [`    accepted until ${finding.expires}`] : []),
        ]
      : [];
  return [head, ...lines.flatMap((line, at) => [line, ...details(findings[at])])];
}

/** The report for a terminal. */
export function textReport(report: VerifyReport): string {
  const { findings, accepted, vanished, notSeen, inconclusive, skipped, jobsLeftBehind, observations } = report;
  return [
    ...tableOf(findings, findings.some(isExpired)),
    ...(accepted.length > 0 ? ["", "Accepted:", ...tableOf(accepted, true), ""] : []),
    ...vanished.map((entry) => `vanished: ${nameOf(entry)} (accepted on ${entry.since}); remove it with --update-baseline`),
    ...notSeen.map((entry) => `not looked for: ${nameOf(entry)} (accepted on ${entry.since})`),
    ...inconclusive.map(({ operation, call, reason }) => `could not check ${operation} (${call}): ${reason}`),
    ...skipped.map(({ operation, call, reason }) => `skipped ${operation} (${call}): ${reason}`),
    ...jobsLeftBehind.map((number) => `job ${number} remains in the deployment`),
    ...observations,
    summaryOf(report),
  ].join("\n");
}
