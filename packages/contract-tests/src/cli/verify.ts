import { escapeMarkup, textColumns } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { type DeploymentReport, reportOf, runPlan } from "../deployment/index.ts";
import { loadFixtures } from "../fixtures/load-fixtures.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { type ConnectionOptions, progress, withConnection, withDeployment } from "./connection.ts";
import { EXIT, print } from "./print.ts";

// XML does not allow control characters, even escaped.
const escaped = (text: string) => escapeMarkup(text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "\ufffd"));

/** The report as JUnit XML, with a test case for each call. */
function junitOf({ findings, inconclusive, checked, skipped }: DeploymentReport): string {
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

interface VerifyOptions extends ConnectionOptions {
  fixtures?: string;
  allowWrites?: boolean;
  json?: boolean;
  junit?: string;
}

const EXIT_CODES: Record<DeploymentReport["status"], number> = { holds: EXIT.holds, drift: EXIT.broken, couldNotRun: EXIT.couldNotRun };

/** Combines equal findings of several calls into one line. */
function merged(findings: DeploymentReport["findings"]): (string | number)[][] {
  const rows = new Map<string, [string, string, string, number, number]>();
  for (const { operation, path, kind, count } of findings) {
    const key = JSON.stringify([operation, path, kind]);
    const [, , , counted = 0, calls = 0] = rows.get(key) ?? [];
    rows.set(key, [operation, path, kind, counted + count, calls + 1]);
  }
  return [...rows.values()];
}

function report({ status, findings, inconclusive, checked, skipped, jobsLeftBehind, observations }: DeploymentReport): void {
  if (findings.length > 0) print(textColumns([["operation", "path", "kind", "count", "calls"], ...merged(findings)]));
  for (const { operation, step, reason } of inconclusive) print(`could not check ${operation} (${step}): ${reason}`);
  for (const { operation, step, reason } of skipped) print(`skipped ${operation} (${step}): ${reason}`);
  for (const number of jobsLeftBehind) print(`job ${number} remains in the deployment`);
  for (const observation of observations) print(observation);
  const calls = `${checked.length} ${checked.length === 1 ? "call" : "calls"}`;
  const summaries = {
    holds: `The deployment matches the contract in ${calls}.`,
    drift: `The deployment differs from the contract (${calls} completed).`,
    couldNotRun: `The deployment could not be checked (${calls} completed).`,
  };
  print(summaries[status]);
}

async function verify({ fixtures, allowWrites = false, json, junit, ...connection }: VerifyOptions, version: string): Promise<void> {
  if (junit !== undefined) checkWritable(junit, "file");
  const recorded = fixtures === undefined ? [] : loadFixtures(fixtures);
  const outcome = await withDeployment(connection, ({ config, signal, now }) =>
    runPlan({ config, userAgent: `fleetwire-contract/${version}`, allowWrites, signal, now, onProgress: progress }),
  );
  const found = reportOf(outcome, recorded);
  if (junit !== undefined) writeAtomically(new Map([[junit, junitOf(found)]]));
  if (json) print(JSON.stringify(found, null, 2));
  else report(found);
  process.exitCode = EXIT_CODES[found.status];
}

export function addVerify(program: Command, version: string): void {
  const command = program
    .command("verify")
    .description("call the read operations of a deployment and report where responses differ from the contract")
    .option("--fixtures <folder>", "recordings of this deployment; fields that have since vanished are reported")
    .option("--allow-writes", "also set a group's name to its current one, and create a job, which remains")
    .option("--json", "print the report as JSON")
    .option("--junit <file>", "also write the report as JUnit XML");
  withConnection(command).action((options: VerifyOptions) => verify(options, version));
}
