import { randomBytes } from "node:crypto";
import type { FleetConfig } from "@fleetwire/core";
import { type Command, InvalidArgumentError } from "commander";
import { type PlanOutcome, reportOf, runPlan } from "../deployment/index.ts";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { type Change, changesIn, Pseudonyms, recordingOf, secretsIn, unmaskedIn, writeRecordings } from "../recording/index.ts";
import { checkWritable } from "../write-atomically.ts";
import { type ConnectionOptions, progress, withConnection, withDeployment } from "./connection.ts";
import { CouldNotRun, EXIT, print, say } from "./print.ts";

interface RecordCommandOptions extends ConnectionOptions {
  out: string;
  records: number;
  allowWrites?: boolean;
  dryRun?: boolean;
}

const DIFFERENCES_SHOWN = 12;

/** Sandbox data is fictional, so its recordings use the same pseudonyms everywhere. */
const SANDBOX_KEY = Buffer.from("made-up people of a made-up fleet");

function pseudonymKey(sandbox: boolean | undefined, sealKey: string | undefined): Buffer {
  if (sandbox) return SANDBOX_KEY;
  if (sealKey !== undefined) return Buffer.from(sealKey, "base64");
  say("FLEET_SEAL_KEY is not set: the pseudonyms of this recording will differ from those of the next");
  return randomBytes(32);
}

function secretsOf({ customerId, credentials, servers }: FleetConfig, { outcomes }: PlanOutcome): string[] {
  const tokens = outcomes.flatMap(({ exchange, value }) => [
    exchange?.requestHeaders["authorization"]?.split(" ")[1] ?? "",
    exchange?.requestHeaders["x-connect-token"]?.split(" ")[1] ?? "",
    (value as { accessToken?: string } | undefined)?.accessToken ?? "",
  ]);
  const hosts = Object.values(servers).flatMap((address) => (address === undefined ? [] : [new URL(address).host]));
  return [...new Set([customerId, credentials.clientId, credentials.clientSecret, ...tokens, ...hosts])].filter((secret) => secret !== "");
}

function refuseUnmasked(fixtures: readonly NamedFixture[], secrets: readonly string[], pseudonyms: Pseudonyms): void {
  const found = fixtures.flatMap((fixture) => {
    const left = secretsIn({ ...fixture, id: undefined, title: undefined }, secrets, pseudonyms);
    const [unmasked] = unmaskedIn(fixture, pseudonyms);
    if (unmasked !== undefined) left.push(`${unmasked} has a value that is no pseudonym`);
    return left.length > 0 ? [`${fixture.id}: ${left.join(", ")}`] : [];
  });
  if (found.length > 0) throw new CouldNotRun(`nothing was written: possible secrets or personal data remain in ${found.join("; ")}`);
}

function printChanges(changes: readonly Change[]): void {
  for (const { file, kind, differences } of changes) {
    if (kind === "same") continue;
    print(`${kind.padEnd(7)} ${file}`);
    for (const difference of differences.slice(0, DIFFERENCES_SHOWN)) print(`          ${difference}`);
    if (differences.length > DIFFERENCES_SHOWN) print(`          and ${differences.length - DIFFERENCES_SHOWN} more`);
  }
  const count = (wanted: Change["kind"]) => changes.filter(({ kind }) => kind === wanted).length;
  print(`${count("new")} new, ${count("changed")} changed, ${count("same")} unchanged`);
}

async function record({ out, records, allowWrites = false, dryRun, ...connection }: RecordCommandOptions, version: string): Promise<void> {
  if (!dryRun) checkWritable(out, "folder");
  const { config, outcome, at } = await withDeployment(connection, async (deployment) => ({
    config: deployment.config,
    at: new Date(deployment.now()),
    outcome: await runPlan({ ...deployment, userAgent: `fleetwire-contract/${version}`, allowWrites, onProgress: progress }),
  }));
  const pseudonyms = new Pseudonyms(pseudonymKey(connection.sandbox, config.sealKey));
  const { inconclusive, skipped, jobsLeftBehind } = reportOf(outcome, { at });
  const completed = outcome.outcomes.filter(({ step }) => !inconclusive.some((other) => other.call === step.name));
  const fixtures: NamedFixture[] = [];
  for (const one of completed) {
    const kind = connection.sandbox ? ("sandbox" as const) : ("live" as const);
    const recording = await recordingOf(one, { kind, date: at.toISOString().slice(0, 10), pseudonyms, records });
    if (!recording) continue;
    fixtures.push(recording.fixture);
    for (const place of new Set(recording.unexpected))
      say(`${one.step.name}: ${place} had a value of an unexpected kind, replaced with a pseudonym`);
  }
  refuseUnmasked(fixtures, secretsOf(config, outcome), pseudonyms);
  const changes = changesIn(out, fixtures);
  printChanges(changes);
  for (const { call, reason } of [...inconclusive, ...skipped]) print(`skipped ${call}: ${reason}`);
  for (const number of jobsLeftBehind) print(`job ${number} remains in the deployment`);
  if (dryRun) say("nothing was written: --dry-run");
  else writeRecordings(out, fixtures, changes);
  process.exitCode = inconclusive.length > 0 || fixtures.length === 0 ? EXIT.couldNotRun : EXIT.holds;
}

function parseWholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Must be a whole number from 1 to 9999.");
  return Number(text);
}

export function addRecord(program: Command, version: string): void {
  const command = program
    .command("record")
    .description("call the read operations of a deployment and record the exchanges as pseudonymized fixtures")
    .option("--out <folder>", "output folder", "contract-fixtures")
    .option("--records <number>", "maximum records per list; those that fill the most fields are kept", parseWholeNumber, 5)
    .option("--dry-run", "print what would change without writing it")
    .option("--allow-writes", "also set a group's name to its current one, and create a job, which remains");
  withConnection(command).action((options: RecordCommandOptions) => record(options, version));
}
