import { textColumns } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/index.ts";
import { differenceOf, isExpired, nameOf, summaryOf } from "./describe-finding.ts";

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
