#!/usr/bin/env node
import { readFileSync } from "node:fs";
import type { DeploymentProfile } from "@fleetwire/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { type RunningClock, runningClock } from "./clock.ts";
import type { RequestLogEntry, Rhythm } from "./sandbox.ts";
import { isOrigin } from "./service/cors.ts";
import { readForm } from "./service/date-times.ts";
import { FAULTS, readFaults } from "./service/fault-plan.ts";

const START_FAILED = 2;

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(
        most < Number.MAX_SAFE_INTEGER ? `Must be a whole number from ${least} to ${most}.` : `Must be a whole number, at least ${least}.`,
      );
    return value;
  };
}

/** Reads `[instant][@speed]` as a clock. */
function readClock(text: string): RunningClock {
  const [when = "", speed, ...more] = text.split("@");
  const from = when === "" ? Date.now() : readForm(when, "any");
  const isSpeed = speed === undefined || /^\d+(\.\d+)?$/.test(speed);
  if (from === undefined || !isSpeed || text === "" || more.length > 0)
    throw new InvalidArgumentError("Must be an ISO 8601 date-time, a speed or both, such as 2026-12-25T03:00:00Z@60.");
  return runningClock(from, Number(speed ?? 1));
}

function readableFaults(text: string): string {
  try {
    readFaults(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function readOrigin(text: string): string {
  if (!isOrigin(text)) throw new InvalidArgumentError("Must be an origin, such as http://localhost:5173.");
  return text;
}

const faultLines = Object.entries(FAULTS)
  .map(([name, effect]) => `  ${name.padEnd(15)} ${effect}`)
  .join("\n");

interface Flags {
  readonly port: number;
  readonly seed: number;
  readonly vehicles: number;
  readonly customers: number;
  readonly clock: RunningClock;
  readonly rhythm: Rhythm;
  readonly tokenTtl: number;
  readonly profile?: string;
  readonly groupLists?: "replace" | "add";
  readonly duplicateJobs: "refuse" | "overwrite" | "conflict";
  readonly cors?: string;
  readonly faults?: string;
}

// A sandbox outlives the reader of its log.
process.stderr.on("error", () => {});

function logRequest({ method, path, status, ms }: RequestLogEntry): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${method.padEnd(6)} ${path} ${status || "reset"} ${ms.toFixed(0)} ms\n`);
}

function fail(message: string): never {
  process.stderr.write(`fleetwire-sandbox: ${message}\n`);
  process.exit(START_FAILED);
}

/** Reads the profile in a file. */
async function profileIn(path: string): Promise<DeploymentProfile> {
  const [{ FleetError, readProfile }, { withFileContents }] = await Promise.all([
    import("@fleetwire/core"),
    import("@fleetwire/core/internal"),
  ]);
  try {
    const contents = withFileContents(
      { "--profile": path },
      { "--profile": { description: "deployment to imitate", jsonFile: true } },
      (file) => readFileSync(file, "utf8"),
    );
    return readProfile(contents["--profile"] ?? "");
  } catch (error) {
    if (error instanceof FleetError) fail(error.message);
    throw error;
  }
}

async function run({ port, cors, profile: file, ...options }: Flags): Promise<void> {
  // Not needed to refuse flags or to print the help.
  const { createSandbox } = await import("./sandbox.ts");
  const profile = file?.trim() ? await profileIn(file) : undefined;
  const sandbox = createSandbox({ ...options, ...(profile && { profile }), log: logRequest });
  if (profile) process.stderr.write(`profile: ${[`${profile.facts.length} facts`, ...sandbox.profileNotes].join("\nprofile: ")}\n`);
  try {
    const { origin, env } = await sandbox.listen({ port, console: true, ...(cors !== undefined && { cors }) });
    const others = sandbox.customers.slice(1).map((customer) => customer.env);
    process.stdout.write(`${JSON.stringify({ origin, env, ...(others.length > 0 && { otherCustomers: others }) })}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") fail(`port ${port} is in use; choose another --port, or 0 for any free one`);
    if (code === "EACCES") fail(`no permission to use port ${port}; choose another --port, or 0 for any free one`);
    throw error;
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => sandbox.close().then(() => process.exit(0)));
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

const program = new Command("fleetwire-sandbox")
  .version(version)
  .description(
    "Simulates every operation of the fleet service on 127.0.0.1, for a fleet that moves as time passes.\n" +
      "When ready, it prints one line of JSON: its origin (open it in a browser for the console) and the environment variables for clients.",
  )
  .option("--port <number>", "port to listen on; 0 picks a free one", wholeNumber(0, 65_535), 0)
  .option("--seed <number>", "seed for vehicles, people, journeys and credentials", wholeNumber(0), 1)
  .option("--vehicles <number>", "vehicles per customer", wholeNumber(1, 1_000_000), 50)
  .option("--customers <number>", "number of customers, isolated from each other", wholeNumber(1, 1000), 1)
  .addOption(
    new Option("--clock <when>", "[instant][@speed]: where the clock starts and how fast it runs, such as 2026-12-25T03:00:00Z@60")
      .argParser(readClock)
      .default(runningClock(), "the real clock"),
  )
  .addOption(
    new Option("--rhythm <how>", "whether the fleet drives at all hours or works ordinary weeks")
      .choices(["nonstop", "week"])
      .default("nonstop"),
  )
  .option("--token-ttl <seconds>", "lifetime of access tokens", wholeNumber(1), 3600)
  .addOption(
    new Option("--profile <file>", "deployment to imitate, from a profile that fleetwire-contract learn wrote").env("FLEET_PROFILE"),
  )
  .addOption(
    new Option(
      "--group-lists <how>",
      'whether the lists in a group update replace earlier assignments or add to them (default: "replace", or as in the profile)',
    ).choices(["replace", "add"]),
  )
  .addOption(
    new Option("--duplicate-jobs <how>", "what happens to a second job with the same number")
      .choices(["refuse", "overwrite", "conflict"])
      .default("refuse"),
  )
  .option("--cors <origin>", "origin of web pages that may call, such as http://localhost:5173", readOrigin)
  .option("--faults <list>", "faults to inject into requests; see below", readableFaults)
  .addHelpText(
    "after",
    `
Faults are a comma-separated list of [operation:]fault[=value][@rate]. To inject faults into a single request, send them in its
x-sandbox-fault header. With the same seed, the same requests get the same faults.
${faultLines}

Examples:
  fleetwire-sandbox --port 4010
  fleetwire-sandbox --port 4010 --seed 7 --vehicles 1000 --customers 2
  fleetwire-sandbox --port 4010 --clock 2026-12-25T03:00:00Z@60 --rhythm week
  fleetwire-sandbox --port 4010 --faults "latency=200, createJob:reset-after@0.1, 503@0.05"

Requests are logged to stderr, without query strings or credentials. Stop it with Ctrl-C.`,
  )
  .configureOutput({
    outputError: (text, write) =>
      write(
        `fleetwire-sandbox: ${text
          .trim()
          .replace(/^error: /, "")
          .replaceAll("\n", " ")}\n`,
      ),
  })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : START_FAILED))
  .action(run);

await program.parseAsync();
