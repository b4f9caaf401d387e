import { escapeMarkup } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/index.ts";
import { differenceOf, extentOf, summaryOf } from "./text-report.ts";

// XML does not allow control characters, even escaped.
const escaped = (text: string) => escapeMarkup(text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "\ufffd"));

interface Case {
  operation: string;
  name: string;
  milliseconds?: number;
  outcome?: "failure" | "error" | "skipped" | undefined;
  type?: string;
  message?: string;
  body?: string;
}

/** A body for readers of the file: one fact a line. */
const bodyOf = (finding: DriftFinding) =>
  [
    `path: ${finding.path}`,
    `expected: ${finding.expected}`,
    `actual: ${finding.actual.join(" or ")}`,
    ...(finding.examples.length > 0 ? [`form: ${finding.examples.join(" or ")}`] : []),
    `extent: ${extentOf(finding)}`,
  ].join("\n");

function casesOf(report: VerifyReport): Case[] {
  const { status, checked, findings, accepted, vanished, inconclusive, skipped } = report;
  // A partial run has no other case that is not green.
  const isPartial = status === "couldNotCheck" && inconclusive.length === 0;
  const differing = (finding: DriftFinding, outcome: Case["outcome"]) => {
    const { operation, path, kind } = finding;
    return { operation, name: `${path} ${kind}`, outcome, type: kind, message: differenceOf(finding), body: bodyOf(finding) };
  };
  const notChecked = ({ operation, call, reason }: VerifyReport["skipped"][number], outcome: Case["outcome"]) => {
    return { operation, name: call, outcome, type: "couldNotCheck", message: reason };
  };
  return [
    ...checked.map(({ operation, call, milliseconds }) => ({ operation, name: call, milliseconds })),
    ...findings.map((finding) => differing(finding, "failure")),
    ...accepted.map((finding) => ({
      ...differing(finding, "skipped"),
      message: `accepted: ${extentOf(finding)}; ${differenceOf(finding)}`,
    })),
    ...vanished.map(({ operation, path, kind }) => ({ operation, name: `${path} ${kind}` })),
    ...inconclusive.map((one) => notChecked(one, "error")),
    ...skipped.map((one) => notChecked(one, "skipped")),
    ...(isPartial
      ? [{ operation: "verify", name: "every read operation is checked", outcome: "error" as const, message: summaryOf(report) }]
      : []),
  ];
}

const seconds = (milliseconds = 0) => (milliseconds / 1000).toFixed(3);

function elementOf({ operation, name, milliseconds, outcome, type, message = "", body }: Case): string {
  const head = `    <testcase classname="${escaped(operation)}" name="${escaped(name)}" time="${seconds(milliseconds)}"`;
  if (!outcome) return `${head}/>`;
  const kind = type === undefined || outcome === "skipped" ? "" : ` type="${escaped(type)}"`;
  const text = body === undefined || outcome === "skipped" ? "/>" : `>${escaped(body)}</${outcome}>`;
  return `${head}>\n      <${outcome}${kind} message="${escaped(message)}"${text}\n    </testcase>`;
}

/** The report as JUnit XML: a test case for each call that completed, and one for each difference. Readers show one failure a case. */
export function junitOf(report: VerifyReport): string {
  const cases = casesOf(report);
  const count = (wanted: Case["outcome"]) => cases.filter(({ outcome }) => outcome === wanted).length;
  const total = report.checked.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${seconds(total)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fleetwire-contract" ${counts}>`,
    `  <testsuite name="fleetwire-contract verify" timestamp="${report.date.slice(0, 19)}" ${counts}>`,
    ...cases.map(elementOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
