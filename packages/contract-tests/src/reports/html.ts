import { escapeMarkup } from "@fleetwire/core/internal";
import type { DriftFinding, VerifyReport } from "../deployment/index.ts";
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

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => (cell.startsWith("<td") ? cell : `<td>${cell}</td>`)).join("")}</tr>`);
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table></div>`;
}

const section = (title: string, count: number, content: string, empty = "None.") =>
  `<section><h2>${title} (${count})</h2>\n${count === 0 ? `<p>${empty}</p>` : content}\n</section>`;

const number = (text: string | number) => `<td class="number">${text}</td>`;

function differences(findings: readonly DriftFinding[], withDates: boolean): string {
  const heads = ["Operation", "Path", "Difference", "Expected", "Actual", "Form", "Records", ...(withDates ? ["Accepted", "Reason"] : [])];
  const rows = findings.map(({ operation, path, kind, expected, actual, examples, records, of, since = "", expires, reason = "" }) => [
    code(operation),
    code(path),
    escapeMarkup(kind),
    escapeMarkup(expected),
    escapeMarkup(actual.join(" or ")),
    examples.map(code).join(" "),
    number(`${records} of ${of}`),
    ...(withDates ? [`${since}${expires ? ` until ${expires}` : ""}`, escapeMarkup(reason)] : []),
  ]);
  return tableOf(heads, rows);
}

/** The report as one page that needs nothing else and runs no script. */
export function htmlOf(report: VerifyReport): string {
  const { status, date, requests, findings, accepted, vanished, notSeen, inconclusive, checked, skipped, observations, coverage } = report;
  const open = [...inconclusive, ...skipped].map(({ operation, call, reason }) => [code(operation), code(call), escapeMarkup(reason)]);
  const calls = checked.map(({ operation, call, title, milliseconds }) => [
    code(operation),
    code(call),
    escapeMarkup(title),
    number(`${milliseconds} ms`),
  ]);
  const fields = coverage.map(({ operation, fields: all, seen, missing }) => [
    code(operation),
    number(`${seen} of ${all}`),
    `<meter min="0" max="${all}" value="${seen}"></meter>`,
    missing.length === 0 ? "" : `<details><summary>${missing.length} not seen</summary>${missing.map(code).join(" ")}</details>`,
  ]);
  const gone = [
    ...vanished.map((entry) => [entry, "no longer found"] as const),
    ...notSeen.map((entry) => [entry, "not looked for"] as const),
  ];
  const memory = gone.map(([entry, what]) => [code(nameOf(entry)), what, entry.since]);
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
${section("What differs", findings.length, differences(findings, false), "Nothing, apart from what is accepted.")}
${section("Accepted differences", accepted.length, differences(accepted, true))}
${section("Accepted differences that were not found", memory.length, tableOf(["Difference", "", "Accepted"], memory))}
${section("What could not be checked", open.length, tableOf(["Operation", "Call", "Reason"], open))}
${section("What was called", calls.length, tableOf(["Operation", "Call", "", "Time"], calls))}
${section("Fields of the interface in responses", fields.length, tableOf(["Operation", "Seen", "", "Not seen"], fields))}
${section("Observed, not documented", observations.length, `<ul>${observations.map((text) => `<li>${escapeMarkup(text)}</li>`).join("")}</ul>`)}
</body>
</html>
`;
}
