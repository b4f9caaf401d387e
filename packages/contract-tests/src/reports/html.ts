import { escapeMarkup } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/verify-report.ts";
import { nameOf, summaryOf } from "./text-report.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --bad: #b3261e; --good: #146c2e; --open: #8a5a00 }
@media (prefers-color-scheme: dark) { :root { --bad: #f2b8b5; --good: #7fd89a; --open: #f0c060 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
.same { color: var(--good) } .differs { color: var(--bad) } .couldNotCheck { color: var(--open) }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top }
td.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap }
code { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
meter { width: 8rem }
`;

const code = (text: string) => `<code>${escapeMarkup(text)}</code>`;

/** A section with a table, or what is said if it is empty. Cells are markup. */
function section(title: string, heads: readonly string[], rows: readonly (readonly string[])[], empty = "None."): string {
  const cell = (content: string) => (content.startsWith("<td") ? content : `<td>${content}</td>`);
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map(cell).join("")}</tr>`).join("\n");
  const table = `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
  return `<section><h2>${title} (${rows.length})</h2>\n${rows.length === 0 ? `<p>${empty}</p>` : table}\n</section>`;
}

const number = (text: string) => `<td class="number">${text}</td>`;

const DIFFERENCE = ["Operation", "Path", "Difference", "Expected", "Actual", "Form", "Records", "Accepted", "Reason"];
const differences = (findings: readonly DriftFinding[]) =>
  findings.map(({ operation, path, kind, expected, actual, examples, records, of, since = "", expires, reason = "" }) => [
    ...[code(operation), code(path), ...[kind, expected, actual.join(" or ")].map(escapeMarkup), examples.map(code).join(" ")],
    ...[number(`${records} of ${of}`), `${since}${expires ? ` until ${expires}` : ""}`, escapeMarkup(reason)],
  ]);

/** The report as one page that needs nothing else and runs no script. */
export function htmlOf(report: VerifyReport): string {
  const { status, date, requests, findings, accepted, vanished, notSeen, inconclusive, checked, skipped, observations, coverage } = report;
  const open = [...inconclusive, ...skipped].map(({ operation, call, reason }) => [code(operation), code(call), escapeMarkup(reason)]);
  const calls = checked.map(({ operation, call, title, milliseconds }) => {
    return [code(operation), code(call), escapeMarkup(title), number(`${milliseconds} ms`)];
  });
  const fields = coverage.map(({ operation, fields: all, seen, missing }) => [
    code(operation),
    number(`${seen} of ${all}`),
    `<meter min="0" max="${all}" value="${seen}"></meter>`,
    missing.length === 0 ? "" : `<details><summary>${missing.length} not seen</summary>${missing.map(code).join(" ")}</details>`,
  ]);
  const gone = [
    ...vanished.map((entry) => [code(nameOf(entry)), "no longer found", entry.since]),
    ...notSeen.map((entry) => [code(nameOf(entry)), "not looked for", entry.since]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Contract of the fleet service: ${findings.length} differences</title>
<style>${STYLE}</style>
</head>
<body>
<h1 class="${status}">${escapeMarkup(summaryOf(report))}</h1>
<p><time datetime="${date}">${date.slice(0, 16).replace("T", " ")} UTC</time>, ${requests} requests. This page holds no values from records.</p>
${section("What differs", DIFFERENCE, differences(findings), "Nothing, apart from what is accepted.")}
${section("Accepted differences", DIFFERENCE, differences(accepted))}
${section("Accepted differences that were not found", ["Difference", "", "Accepted"], gone)}
${section("What could not be checked", ["Operation", "Call", "Reason"], open)}
${section("What was called", ["Operation", "Call", "", "Time"], calls)}
${section("Fields of the interface in responses", ["Operation", "Seen", "", "Not seen"], fields)}
${section(
  "Observed, not documented",
  ["Observation"],
  observations.map((text) => [escapeMarkup(text)]),
)}
</body>
</html>
`;
}
