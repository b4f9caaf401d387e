import { createHash } from "node:crypto";
import type { DriftFinding, VerifyReport } from "../deployment/index.ts";
import { differenceOf, extentOf, nameOf } from "./text-report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const idOf = (kind: string) => kind.toLowerCase().replace(/[^a-z]+/g, "-");

/** Where viewers show a difference: in the baseline, since no file of the repository has the response. */
const DEFAULT_FILE = "fleetwire-baseline.json";

function sarifResult(finding: DriftFinding, baselineState: string, file: string): object {
  return {
    ruleId: idOf(finding.kind),
    level: baselineState === "unchanged" ? "note" : "error",
    baselineState,
    message: { text: `${nameOf(finding)}: ${differenceOf(finding)} (${extentOf(finding)})` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 1 } },
        logicalLocations: [{ name: finding.path, fullyQualifiedName: `${finding.operation} ${finding.path}`, kind: "member" }],
      },
    ],
    partialFingerprints: { "fleetwireDrift/v1": createHash("sha256").update(nameOf(finding)).digest("hex") },
    ...(baselineState === "unchanged" && {
      suppressions: [{ kind: "external", justification: finding.reason ?? `accepted on ${finding.since}` }],
    }),
  };
}

/** The report as SARIF 2.1.0. `file` is the baseline, relative to the repository. */
export function sarifOf(report: VerifyReport, version: string, file = DEFAULT_FILE): string {
  const { status, findings, accepted, inconclusive, notChecked, date } = report;
  const all = [...findings, ...accepted];
  const rules = [...new Set(all.map(({ kind }) => kind))].sort().map((kind) => ({ id: idOf(kind), shortDescription: { text: kind } }));
  const notifications = [
    ...inconclusive.map(({ operation, call, reason }) => `could not check ${operation} (${call}): ${reason}`),
    ...notChecked.map((operation) => `${operation} was not checked in full`),
  ];
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "fleetwire-contract", semanticVersion: version, rules } },
        invocations: [
          {
            executionSuccessful: status !== "couldNotCheck",
            endTimeUtc: date,
            toolExecutionNotifications: notifications.map((text) => ({ level: "warning", message: { text } })),
          },
        ],
        results: [
          ...findings.map((finding) => sarifResult(finding, "new", file)),
          ...accepted.map((finding) => sarifResult(finding, "unchanged", file)),
        ],
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
