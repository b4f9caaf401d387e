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
export const isExpired = ({ since }: DriftFinding): boolean => since !== undefined;

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
