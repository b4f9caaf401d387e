import { type FleetConfig, operations } from "@fleetwire/core";
import { type Command, InvalidArgumentError } from "commander";
import { type FuzzReport, runFuzz } from "../fuzz/run-fuzz.ts";
import { type ConnectionOptions, withConnection, withDeployment } from "./connection.ts";
import { CouldNotRun, EXIT, print, say } from "./print.ts";
import { parseRate, parseRequests, type Selection, selectionOf, withSelection } from "./selection.ts";

interface FuzzCommandOptions extends ConnectionOptions, Selection {
  staging?: boolean;
  host?: string;
  seed?: number;
  sequences: number;
  allowWrites?: boolean;
  maxWrites: number;
  maxRequests: number;
  rate?: number;
  json?: boolean;
}

/** Whether a host fits a pattern, in which * stands for any characters. */
const fits = (host: string, pattern: string) =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replace(/[^\w-]/g, "\\$&"))
      .join(".*")}$`,
    "i",
  ).test(host);

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
    throw new CouldNotRun(
      "fuzz sends invalid input: say that the deployment is not production with --staging, and what its hosts look like with --host, such as --host '*.staging.example.com'",
    );
  if (pattern.split("*").length > 4 || (pattern.includes("*") && !namesSomething(pattern)))
    throw new CouldNotRun(`--host ${pattern} fits too many hosts: name a part that production does not have`);
  const others = [...new Set(Object.values(servers).map((url) => new URL(String(url)).hostname))].filter((host) => !fits(host, pattern));
  if (others.length > 0) throw new CouldNotRun(`nothing was sent: ${others.join(", ")} does not fit --host ${pattern}`);
}

function textOf({ seed, sequences, requests, findings, skipped, left }: FuzzReport): string {
  return [
    ...findings.flatMap(({ problem, curl }, at) => [`${at + 1}. ${problem}`, ...curl.map((line) => `   ${line}`)]),
    ...skipped.map(({ operation, reason }) => `skipped ${operation}: ${reason}`),
    ...left.map((one) => `remains: ${one}`),
    `${findings.length === 0 ? "Nothing breaks the contract" : `${findings.length} ${findings.length === 1 ? "problem" : "problems"}`} (${sequences} sequences, ${requests} requests, --seed ${seed}).`,
  ].join("\n");
}

async function fuzz(options: FuzzCommandOptions, version: string): Promise<void> {
  const { seed = Math.floor(Math.random() * 1e9), sequences, allowWrites = false, maxWrites, maxRequests, rate, json } = options;
  const report = await withDeployment(options, async (deployment) => {
    checkStaging(options, deployment.config);
    const limits = { sequences, maxWrites: allowWrites ? maxWrites : 0, maxRequests, perSecond: rate };
    return runFuzz({ ...deployment, ...limits, userAgent: `fleetwire-contract/${version}`, seed, selects: selectionOf(options), say });
  });
  print(json ? JSON.stringify(report, null, 2) : textOf(report));
  const called = Object.keys(operations).length - report.skipped.length;
  process.exitCode = report.findings.length > 0 ? EXIT.broken : called > 0 && report.sequences > 0 ? EXIT.holds : EXIT.couldNotRun;
}

function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Must be a whole number of at most nine digits.");
  return Number(text);
}

export function addFuzz(program: Command, version: string): void {
  const command = program
    .command("fuzz")
    .description("attack a staging copy: generated calls, valid and invalid, and what of the answers breaks the contract")
    .option("--staging", "the deployment is not production; needed")
    .option("--host <pattern>", "what its hosts look like, such as *.staging.example.com; needed")
    .option("--seed <number>", "makes the same calls again", parseSeed)
    .option("--sequences <number>", "sequences of up to four calls", parseRequests, 300)
    .option("--allow-writes", "also create jobs, which remain, and rename groups, which get their names back")
    .option("--max-writes <number>", "the most writes", parseRequests, 200)
    .option("--max-requests <number>", "the most requests", parseRequests, 10_000)
    .option("--rate <number>", "maximum requests per second", parseRate);
  withSelection(command, "call").option("--json", "print the report as JSON");
  withConnection(command).action((options: FuzzCommandOptions) => fuzz(options, version));
}
