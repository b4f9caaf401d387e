import { type FleetConfig, operations } from "@fleetwire/core";
import type { Command } from "commander";
import { type FuzzReport, runFuzz } from "../fuzz/run-fuzz.ts";
import { limitsOf, type RunOptions, wholeNumber, withConnection, withDeployment, withRun } from "./connection.ts";
import { EXIT, print, say } from "./output.ts";

interface FuzzCommandOptions extends RunOptions {
  staging?: boolean;
  host?: string;
  seed?: number;
  sequences: number;
  maxWrites: number;
}

/** Whether a host fits a pattern, in which * stands for any characters. */
function fits(host: string, pattern: string): boolean {
  const source = pattern.replace(/[^\w-]/g, (character) => (character === "*" ? ".*" : `\\${character}`));
  return new RegExp(`^${source}$`, "i").test(host);
}

/** Whether a pattern names more than a top-level domain, such as com or co.uk: a label of some length, or two labels, before it. */
function namesSomething(pattern: string): boolean {
  const labels = pattern.split(".");
  const own = labels.length > 1 && !labels.at(-1)?.includes("*") ? labels.slice(0, -1) : labels;
  return own.some((label) => /[^*]{4}/.test(label)) || own.filter((label) => /^[^*]+$/.test(label)).length > 1;
}

/** Both are needed: that somebody says so, and that each host looks like it. */
function checkStaging({ staging, host: pattern, sandbox }: FuzzCommandOptions, { servers }: FleetConfig): void {
  if (sandbox) return;
  if (!staging || pattern === undefined)
    throw new Error(
      "fuzz sends invalid input: say that the deployment is not production with --staging, and what its hosts look like with --host, such as --host '*.staging.example.com'",
    );
  if (pattern.split("*").length > 4 || (pattern.includes("*") && !namesSomething(pattern)))
    throw new Error(`--host ${pattern} fits too many hosts: name a part that production does not have`);
  const others = [...new Set(Object.values(servers).map((url) => new URL(String(url)).hostname))].filter((host) => !fits(host, pattern));
  if (others.length > 0) throw new Error(`nothing was sent: ${others.join(", ")} does not fit --host ${pattern}`);
}

function textOf({ seed, sequences, requests, findings, skipped, left }: FuzzReport): string {
  return [
    ...findings.flatMap(({ problem, curl }, at) => [`${at + 1}. ${problem}`, ...curl.map((line) => `   ${line}`)]),
    ...skipped.map(({ operation, reason }) => `skipped ${operation}: ${reason}`),
    ...left.map((one) => `remains: ${one}`),
    `${findings.length === 0 ? "Nothing breaks the contract" : `${findings.length} ${findings.length === 1 ? "problem" : "problems"}`} (${sequences} sequences, ${requests} requests, --seed ${seed}).`,
  ].join("\n");
}

async function fuzz(options: FuzzCommandOptions): Promise<void> {
  const { seed = Math.floor(Math.random() * 1e9), sequences, allowWrites, json } = options;
  const report = await withDeployment(options, async (deployment) => {
    checkStaging(options, deployment.config);
    return runFuzz({ ...deployment, ...limitsOf(options), sequences, maxWrites: allowWrites ? options.maxWrites : 0, seed, say });
  });
  print(json ? JSON.stringify(report, null, 2) : textOf(report));
  const called = Object.keys(operations).length - report.skipped.length;
  process.exitCode = report.findings.length > 0 ? EXIT.broken : called > 0 && report.sequences > 0 ? EXIT.holds : EXIT.couldNotRun;
}

export function addFuzz(program: Command): void {
  const command = program
    .command("fuzz")
    .description("attack a staging copy: generated calls, valid and invalid, and what of the answers breaks the contract")
    .option("--staging", "the deployment is not production; needed")
    .option("--host <pattern>", "what its hosts look like, such as *.staging.example.com; needed")
    .option("--seed <number>", "makes the same calls again", wholeNumber(0, 999_999_999))
    .option("--sequences <number>", "sequences of up to four calls", wholeNumber(1, 999_999), 300)
    .option("--max-writes <number>", "the most writes", wholeNumber(1, 999_999), 200);
  withRun(command, "call", "also create jobs, which remain, and rename groups, which get their names back", 10_000);
  withConnection(command).action(fuzz);
}
