#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from "commander";
import { createSandbox, type RequestLogEntry } from "./sandbox.ts";
import { FAULTS, readFaults } from "./service/fault-plan.ts";

const BAD_START = 2;

function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(
        `It must be a whole number of at least ${least}${most < Number.MAX_SAFE_INTEGER ? ` and at most ${most}` : ""}.`,
      );
    return value;
  };
}

function readableFaults(text: string): string {
  try {
    readFaults(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

const faultLines = Object.entries(FAULTS)
  .map(([name, effect]) => `  ${name.padEnd(15)} ${effect}`)
  .join("\n");

interface Flags {
  readonly port: number;
  readonly seed: number;
  readonly vehicles: number;
  readonly customers: number;
  readonly tokenTtl: number;
  readonly groupLists: "replace" | "add";
  readonly duplicateJobs: "refuse" | "overwrite" | "conflict";
  readonly faults?: string;
}

function logRequest({ method, path, status, ms }: RequestLogEntry): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${method.padEnd(6)} ${path} ${status || "reset"} ${ms.toFixed(0)} ms\n`);
}

function fail(message: string): never {
  process.stderr.write(`fleetwire-sandbox: ${message}\n`);
  process.exit(BAD_START);
}

async function run({ port, ...options }: Flags): Promise<void> {
  const sandbox = createSandbox({ ...options, log: logRequest });
  try {
    const { origin, env } = await sandbox.listen({ port });
    const others = sandbox.customers.slice(1).map((customer) => customer.env);
    process.stdout.write(`${JSON.stringify({ origin, env, ...(others.length > 0 && { otherCustomers: others }) })}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") fail(`port ${port} is in use; choose another --port, or 0 for any free one`);
    if (code === "EACCES") fail(`port ${port} may not be used by this user; choose another --port, or 0 for any free one`);
    throw error;
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => sandbox.close().then(() => process.exit(0)));
}

const program = new Command("fleetwire-sandbox")
  .description(
    "Serves a stand-in for the fleet service on 127.0.0.1: every operation, and a fleet that moves with the clock.\n" +
      "Once ready it prints one line of JSON: its origin, and the environment under which clients reach it.",
  )
  .option("--port <number>", "port to listen on; 0 is any free one", whole(0, 65_535), 0)
  .option("--seed <number>", "decides vehicles, people, journeys and credentials", whole(0), 1)
  .option("--vehicles <number>", "vehicles of each customer", whole(1, 1_000_000), 50)
  .option("--customers <number>", "customers, who cannot see one another", whole(1, 1000), 1)
  .option("--token-ttl <seconds>", "for how long an access token holds", whole(1), 3600)
  .addOption(
    new Option("--group-lists <how>", "what the lists of a group update do to those assigned before")
      .choices(["replace", "add"])
      .default("replace"),
  )
  .addOption(
    new Option("--duplicate-jobs <how>", "what becomes of a second job with the same number")
      .choices(["refuse", "overwrite", "conflict"])
      .default("refuse"),
  )
  .option("--faults <list>", "faults that strike any request; see below", readableFaults)
  .addHelpText(
    "after",
    `
Faults are written [operation:]fault[=value][@rate] and separated by commas. A single request asks for its own in the header
x-sandbox-fault. By the seed, the same requests meet the same faults.
${faultLines}

Examples:
  fleetwire-sandbox --port 4010
  fleetwire-sandbox --port 4010 --seed 7 --vehicles 1000 --customers 2
  fleetwire-sandbox --port 4010 --faults "latency=200, createJob:reset-after@0.1, 503@0.05"

Requests are logged on stderr, without queries and credentials. Ctrl-C ends it.`,
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
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : BAD_START))
  .action(run);

await program.parseAsync();
