import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetConfig } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type { Command } from "commander";
import { reportOf } from "../deployment/drift-report.ts";
import { type PlanOutcome, runPlan } from "../deployment/run-plan.ts";
import { fixtureText, type NamedFixture } from "../fixtures/fixture.ts";
import { describeChange, jsonDifferences, jsonOf } from "../json-values.ts";
import { Pseudonyms } from "../recording/pseudonyms.ts";
import { recordingOf } from "../recording/record.ts";
import { secretsIn, unmaskedIn } from "../recording/scrub.ts";
import { type ConnectionOptions, progress, wholeNumber, withConnection, withDeployment } from "./connection.ts";
import { checkWritable, EXIT, print, say, writeAtomically } from "./output.ts";

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
  if (found.length > 0) throw new Error(`nothing was written: possible secrets or personal data remain in ${found.join("; ")}`);
}

/** A recording, how it differs from the existing file, and its text. */
interface Change {
  file: string;
  text: string;
  kind: "new" | "changed" | "same";
  /** Messages that name the fields. */
  differences: string[];
}

/** Ignores the date: a new date alone is not a change. */
function undated(text: string, file: string): unknown {
  const fixture = jsonOf(text);
  if (!isRecord(fixture)) throw new Error(`${file}: the file is not JSON`);
  return { ...fixture, provenance: { ...Object(fixture["provenance"]), date: undefined } };
}

function changeOf(folder: string, { id, ...fixture }: NamedFixture): Change {
  const [file, text] = [join(folder, `${id}.json`), fixtureText(fixture)];
  if (!existsSync(file)) return { file, text, kind: "new", differences: [] };
  const differences = jsonDifferences(undated(readFileSync(file, "utf8"), file), undated(text, file)).map(describeChange);
  return { file, text, kind: differences.length > 0 ? "changed" : "same", differences };
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

/** Says once for each field that its values were replaced on purpose, so that nobody wonders where they are. */
function sayReplaced(replaced: ReadonlySet<string>): void {
  if (replaced.size === 0) return;
  say("replaced on purpose, because the contract does not document these values, and such values may be personal:");
  for (const field of replaced) say(`  ${field}`);
}

async function record({ out, records, allowWrites = false, dryRun, ...connection }: RecordCommandOptions): Promise<void> {
  if (!dryRun) checkWritable(out, "folder");
  const { config, outcome, at } = await withDeployment(connection, async (deployment) => ({
    config: deployment.config,
    at: new Date(deployment.now()),
    outcome: await runPlan({ ...deployment, allowWrites, onProgress: progress }),
  }));
  const pseudonyms = new Pseudonyms(pseudonymKey(connection.sandbox, config.sealKey));
  const { inconclusive, skipped, jobsLeftBehind } = reportOf(outcome, { at });
  const completed = outcome.outcomes.filter(({ step }) => !inconclusive.some((other) => other.call === step.name));
  const fixtures: NamedFixture[] = [];
  const replaced = new Set<string>();
  for (const one of completed) {
    const kind = connection.sandbox ? "sandbox" : "live";
    const recording = await recordingOf(one, { kind, date: at.toISOString().slice(0, 10), pseudonyms, records });
    if (!recording) continue;
    fixtures.push(recording.fixture);
    for (const place of recording.unexpected) replaced.add(`${one.step.operation} ${place}`);
  }
  refuseUnmasked(fixtures, secretsOf(config, outcome), pseudonyms);
  const changes = fixtures.map((fixture) => changeOf(out, fixture));
  sayReplaced(replaced);
  printChanges(changes);
  for (const { call, reason } of [...inconclusive, ...skipped]) print(`skipped ${call}: ${reason}`);
  for (const number of jobsLeftBehind) print(`job ${number} remains in the deployment`);
  if (dryRun) say("nothing was written: --dry-run");
  else writeAtomically(new Map(changes.flatMap(({ file, text, kind }) => (kind === "same" ? [] : [[file, text] as const]))));
  process.exitCode = inconclusive.length > 0 || fixtures.length === 0 ? EXIT.couldNotRun : EXIT.holds;
}

export function addRecord(program: Command): void {
  const command = program
    .command("record")
    .description("call the read operations of a deployment and record the exchanges as pseudonymized fixtures")
    .option("--out <folder>", "output folder", "contract-fixtures")
    .option("--records <number>", "maximum records per list; those that fill the most fields are kept", wholeNumber(1, 9999), 5)
    .option("--dry-run", "print what would change without writing it")
    .option("--allow-writes", "also set a group's name to its current one, and create a job, which remains");
  withConnection(command).action(record);
}
