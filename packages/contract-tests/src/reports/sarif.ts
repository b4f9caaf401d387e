import { createHash } from "node:crypto";
import type { DriftFinding, VerifyReport } from "../deployment/verify-report.ts";
import { differenceOf, extentOf, nameOf, reasonOf } from "./text-report.ts";

const idOf = (kind: string) => kind.toLowerCase().replace(/[^a-z]+/g, "-");

function sarifResult(finding: DriftFinding, isNew: boolean, uri: string): object {
  const { operation, path, kind, reason, since } = finding;
  return {
    ruleId: idOf(kind),
    level: isNew ? "error" : "note",
    baselineState: isNew ? "new" : "unchanged",
    message: { text: `${nameOf(finding)}: ${differenceOf(finding)} (${extentOf(finding)})` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: [{ name: path, fullyQualifiedName: `${operation} ${path}`, kind: "member" }],
      },
    ],
    partialFingerprints: { "fleetwireDrift/v1": createHash("sha256").update(nameOf(finding)).digest("hex") },
    ...(!isNew && { suppressions: [{ kind: "external", justification: reason ?? `accepted on ${since}` }] }),
  };
}

/** The report as SARIF 2.1.0. `file` is the baseline, relative to the repository: viewers show differences in it, since no other file has the response. */
export function sarifOf(report: VerifyReport, version: string, file = "fleetwire-baseline.json"): string {
  const { status, findings, accepted, inconclusive, notChecked, date } = report;
  const kinds = [...new Set([...findings, ...accepted].map(({ kind }) => kind))].sort();
  const rules = kinds.map((kind) => ({ id: idOf(kind), shortDescription: { text: kind } }));
  const notifications = [
    ...inconclusive.map((one) => `could not check ${reasonOf(one)}`),
    ...notChecked.map((operation) => `${operation} was not checked in full`),
  ];
  const run = {
    tool: { driver: { name: "fleetwire-contract", semanticVersion: version, rules } },
    invocations: [
      {
        executionSuccessful: status !== "couldNotCheck",
        endTimeUtc: date,
        toolExecutionNotifications: notifications.map((text) => ({ level: "warning", message: { text } })),
      },
    ],
    results: [
      ...findings.map((finding) => sarifResult(finding, true, file)),
      ...accepted.map((finding) => sarifResult(finding, false, file)),
    ],
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}
