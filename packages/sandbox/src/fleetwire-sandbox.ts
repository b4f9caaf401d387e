#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { commandError, parseDateTime } from "@fleetwire/core/internal";
import { Command, InvalidArgumentError, Option } from "commander";
import { type RunningClock, runningClock } from "./clock.ts";
import { createSandbox, type SandboxOptions } from "./sandbox.ts";
import { FAULTS } from "./service/fault-injection.ts";

const START_FAILED = 2;

const number = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

/** Reads `[instant][@speed]` as a clock. */
function readClock(text: string): RunningClock {
  const [when = "", speed, ...more] = text.split("@");
  const from = when === "" ? Date.now() : parseDateTime(when);
  const isSpeed = speed === undefined || /^\d+(\.\d+)?$/.test(speed);
  if (from === undefined || !isSpeed || text === "" || more.length > 0)
    throw new InvalidArgumentError("Must be an ISO 8601 date-time, a speed or both, such as 2026-12-25T03:00:00Z@60.");
  return runningClock(from, Number(speed ?? 1));
}

/** An option with a few values, the first of which is the default. */
const choice = (flags: string, description: string, ...values: [string, ...string[]]) =>
  new Option(flags, description).choices(values).default(values[0]);

const faultLines = Object.entries(FAULTS)
  .map(([name, effect]) => `  ${name.padEnd(15)} ${effect}`)
  .join("\n");

interface Flags extends SandboxOptions {
  readonly port: number;
  readonly cors?: string;
}

// A sandbox outlives the reader of its log.
process.stderr.on("error", () => {});

const log: NonNullable<SandboxOptions["log"]> = ({ method, path, status, ms }) => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${method.padEnd(6)} ${path} ${status || "reset"} ${ms.toFixed(0)} ms\n`);
};

function fail(message: string): never {
  process.stderr.write(`fleetwire-sandbox: ${message}\n`);
  process.exit(START_FAILED);
}

async function run({ port, cors, ...options }: Flags): Promise<void> {
  try {
    const sandbox = createSandbox({ ...options, log });
    const { origin, env } = await sandbox.listen({ port, console: true, ...(cors !== undefined && { cors }) });
    const others = sandbox.customers.slice(1).map((customer) => customer.env);
    process.stdout.write(`${JSON.stringify({ origin, env, ...(others.length > 0 && { otherCustomers: others }) })}\n`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => sandbox.close().then(() => process.exit(0)));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") fail(`port ${port} is in use; choose another --port, or 0 for any free one`);
    if (code === "EACCES") fail(`no permission to use port ${port}; choose another --port, or 0 for any free one`);
    // An option that is refused.
    if (error instanceof RangeError) fail(error.message);
    throw error;
  }
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

const program = new Command("fleetwire-sandbox")
  .version(version)
  .description(
    "Simulates every operation of the fleet service on 127.0.0.1, for a fleet that moves as time passes.\n" +
      "When ready, it prints one line of JSON: its origin (open it in a browser for the console) and the environment variables for clients.",
  )
  .option("--port <number>", "port to listen on; 0 picks a free one", number, 0)
  .option("--seed <number>", "seed for vehicles, people, journeys and credentials", number, 1)
  .option("--vehicles <number>", "vehicles per customer", number, 50)
  .option("--customers <number>", "number of customers, isolated from each other", number, 1)
  .addOption(
    new Option("--clock <when>", "[instant][@speed]: where the clock starts and how fast it runs, such as 2026-12-25T03:00:00Z@60")
      .argParser(readClock)
      .default(runningClock(), "the real clock"),
  )
  .addOption(choice("--rhythm <how>", "whether the fleet drives at all hours or works ordinary weeks", "nonstop", "week"))
  .option("--token-ttl <seconds>", "lifetime of access tokens", number, 3600)
  .addOption(
    choice("--group-lists <how>", "whether the lists in a group update replace earlier assignments or add to them", "replace", "add"),
  )
  .addOption(choice("--duplicate-jobs <how>", "what happens to a second job with the same number", "refuse", "overwrite", "conflict"))
  .option("--cors <origin>", "origin of web pages that may call, such as http://localhost:5173")
  .option("--faults <list>", "faults to inject into requests; see below")
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
  .configureOutput({ outputError: (text, write) => write(`fleetwire-sandbox: ${commandError(text)}\n`) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : START_FAILED))
  .action(run);

await program.parseAsync();
