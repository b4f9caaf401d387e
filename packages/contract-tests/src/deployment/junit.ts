import { escapeMarkup } from "@fleetwire/core/internal";
import type { DeploymentReport } from "./drift-report.ts";

// XML does not allow control characters, even escaped.
const escaped = (text: string) => escapeMarkup(text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "\ufffd"));

/** The report as JUnit XML, with a test case for each call. */
export function junitOf({ findings, inconclusive, checked, skipped }: DeploymentReport): string {
  const cases = [
    ...checked.map(({ operation, step }) => {
      const own = findings.filter((finding) => finding.step === step);
      const failures = own.map(
        ({ path, kind, count }) =>
          `    <failure type="${escaped(kind.split(":")[0] ?? "")}" message="${escaped(`${path} ${kind} (${count})`)}"/>`,
      );
      return { operation, step, inside: failures };
    }),
    ...inconclusive.map(({ operation, step, reason }) => ({ operation, step, inside: [`    <error message="${escaped(reason)}"/>`] })),
    ...skipped.map(({ operation, step, reason }) => ({ operation, step, inside: [`    <skipped message="${escaped(reason)}"/>`] })),
  ];
  const written = cases.map(({ operation, step, inside }) => {
    const head = `  <testcase classname="${escaped(operation)}" name="${escaped(step)}"`;
    return inside.length === 0 ? `${head}/>` : `${head}>\n${inside.join("\n")}\n  </testcase>`;
  });
  const failures = cases.filter(({ inside }) => inside.some((line) => line.includes("<failure"))).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="fleetwire-contract verify" tests="${cases.length}" failures="${failures}" errors="${inconclusive.length}" skipped="${skipped.length}">`,
    ...written,
    "</testsuite>",
    "",
  ].join("\n");
}
