import { escapeMarkup } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/verify-report.ts";
import { differenceOf, extentOf, summaryOf } from "./text-report.ts";

// XML does not allow control characters, even escaped.
const escaped = (text: string) => escapeMarkup(text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "\ufffd"));

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);

/** A test case; `inner` is the element of what is not green. */
function testcase(operation: string, name: string, milliseconds = 0, inner?: string): string {
  const head = `    <testcase classname="${escaped(operation)}" name="${escaped(name)}" time="${seconds(milliseconds)}"`;
  return inner === undefined ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`;
}

const message = (text: string) => ` message="${escaped(text)}"`;

/** A failure, with a body for readers of the file: one fact a line. */
function failure(finding: DriftFinding): string {
  const { path, kind, expected, actual, examples } = finding;
  const body = [
    `path: ${path}`,
    `expected: ${expected}`,
    `actual: ${actual.join(" or ")}`,
    ...(examples.length > 0 ? [`form: ${examples.join(" or ")}`] : []),
    `extent: ${extentOf(finding)}`,
  ].join("\n");
  return `<failure type="${escaped(kind)}"${message(differenceOf(finding))}>${escaped(body)}</failure>`;
}

/** The report as JUnit XML: a test case for each call that completed, and one for each difference. Readers show one failure a case. */
export function junitOf(report: VerifyReport): string {
  const { status, date, checked, findings, accepted, vanished, inconclusive, skipped } = report;
  const ofDrift = ({ operation, path, kind }: Pick<DriftFinding, "operation" | "path" | "kind">, inner?: string) =>
    testcase(operation, `${path} ${kind}`, 0, inner);
  const error = (text: string) => `<error type="couldNotCheck"${message(text)}/>`;
  // A partial run has no other case that is not green.
  const isPartial = status === "couldNotCheck" && inconclusive.length === 0;
  const cases = [
    ...checked.map(({ operation, call, milliseconds }) => testcase(operation, call, milliseconds)),
    ...findings.map((finding) => ofDrift(finding, failure(finding))),
    ...accepted.map((one) => ofDrift(one, `<skipped${message(`accepted: ${extentOf(one)}; ${differenceOf(one)}`)}/>`)),
    ...vanished.map((entry) => ofDrift(entry)),
    ...inconclusive.map(({ operation, call, reason }) => testcase(operation, call, 0, error(reason))),
    ...skipped.map(({ operation, call, reason }) => testcase(operation, call, 0, `<skipped${message(reason)}/>`)),
    ...(isPartial ? [testcase("verify", "every read operation is checked", 0, `<error${message(summaryOf(report))}/>`)] : []),
  ];
  const total = checked.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const errors = inconclusive.length + Number(isPartial);
  const counts = `tests="${cases.length}" failures="${findings.length}" errors="${errors}" skipped="${accepted.length + skipped.length}" time="${seconds(total)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fleetwire-contract" ${counts}>`,
    `  <testsuite name="fleetwire-contract verify" timestamp="${date.slice(0, 19)}" ${counts}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
