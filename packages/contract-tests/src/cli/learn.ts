import { serverVariables } from "@fleetwire/core/internal";
import { type Command, InvalidArgumentError } from "commander";
import { type Addresses, harExchanges, hasServers, Learner, profileTable, startLearningProxy } from "../learn/index.ts";
import { checkWritable, writeAtomically } from "../write-atomically.ts";
import { addressesFrom, type ConnectionOptions, withAddresses } from "./connection.ts";
import { CouldNotRun, print, say } from "./print.ts";

interface LearnOptions extends ConnectionOptions {
  out: string;
  proxy?: number;
}

/** Counts the calls that cannot be learned from, by operation and reason. */
class IgnoredCalls {
  readonly #counts = new Map<string, number>();

  readonly add = (operation: string, problem: string): void => {
    const key = `${operation}: ${problem}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  };

  say(): void {
    for (const [key, count] of this.#counts) say(`ignored ${count} ${count === 1 ? "call" : "calls"} of ${key}`);
  }
}

/** Learns from archives. Without configured servers, each operation must have been called at one host only. */
function learnFromArchives(files: readonly string[], addresses: Addresses, learner: Learner, ignored: IgnoredCalls): void {
  const origins = new Map<string, string>();
  for (const file of files)
    for (const exchange of harExchanges(file, addresses, ignored.add)) {
      const { operation, origin } = exchange.called;
      const known = origins.get(operation) ?? origin;
      const isAmbiguous = known !== origin && !hasServers(addresses);
      if (isAmbiguous)
        throw new CouldNotRun(
          `${file} has calls of ${operation} to ${known} and ${origin}: set FLEET_BASE_URL and the others to one deployment`,
        );
      origins.set(operation, known);
      learner.add(exchange);
    }
}

/** Forwards calls until interrupted. */
async function learnThroughProxy(port: number, addresses: Addresses, learner: Learner, ignored: IgnoredCalls): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    process.once("SIGINT", resolve).once("SIGTERM", resolve);
  });
  const proxy = await startLearningProxy(port, addresses, (exchange) => learner.add(exchange), ignored.add);
  say("forwarding; give these addresses to the client, and end with Ctrl-C to write the profile:");
  for (const [name, url] of Object.entries(proxy.servers)) say(`${serverVariables[name as keyof typeof serverVariables]}=${url}`);
  await interrupted;
  await proxy.close();
  if (learner.calls === 0) throw new CouldNotRun("nothing was written: no call of a known operation was forwarded");
}

async function learn(files: readonly string[], { out, proxy, ...options }: LearnOptions): Promise<void> {
  if (files.length === 0 && proxy === undefined) throw new CouldNotRun("nothing to learn from: name HTTP archives (HAR), or use --proxy");
  if (files.length > 0 && proxy !== undefined) throw new CouldNotRun("name HTTP archives or use --proxy, not both");
  const addresses = addressesFrom(options);
  if (proxy !== undefined && !hasServers(addresses))
    throw new CouldNotRun("--proxy needs the servers to forward to: set FLEET_BASE_URL and the others, or their flags");
  checkWritable(out, "file");
  const learner = new Learner();
  const ignored = new IgnoredCalls();
  try {
    if (proxy === undefined) learnFromArchives(files, addresses, learner, ignored);
    else await learnThroughProxy(proxy, addresses, learner, ignored);
  } finally {
    ignored.say();
  }
  const profile = learner.profile();
  writeAtomically(new Map([[out, `${JSON.stringify(profile, null, 2)}\n`]]));
  print(profileTable(profile));
  say(`${out}: ${profile.facts.length} facts from ${learner.calls} calls, observed and not documented`);
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("Must be a port from 0 (any free one) to 65535.");
  return Number(text);
}

export function addLearn(program: Command): void {
  const command = program
    .command("learn")
    .description("learn from real traffic how a deployment resolves what the interface leaves open, and write a profile")
    .argument("[har...]", "HTTP archives with calls to the deployment, oldest first, of at most 100 MB each")
    .option("--proxy <port>", "learn from calls through a proxy on this port of this machine instead; needs no credentials", parsePort)
    .option("--out <file>", "profile to write", "fleetwire-profile.json");
  withAddresses(command).action(learn);
}
