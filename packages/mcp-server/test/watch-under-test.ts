import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { run } from "./run-program.ts";
import { listen } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

export const SECRET = `whsec_${Buffer.from("canary-webhook-secret-of-24-bytes").toString("base64")}`;

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A service or receiver on a loopback port. The body `slow` is sent a byte at a time, and never ends. */
export async function listening(
  respond: (path: string, received: Received) => { status: number; body?: unknown; headers?: Record<string, string> },
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { status, body: sent, headers } = respond(request.url ?? "", { headers: request.headers, body });
    response.writeHead(status, { "content-type": "application/json", ...headers });
    if (sent !== "slow") return response.end(sent === undefined ? "" : JSON.stringify(sent));
    const sending = setInterval(() => response.write("H"), 100);
    return response.on("close", () => clearInterval(sending));
  });
  return listen(server);
}

/** How many of its faults a vehicle reports: a watch looks at no more than 200. */
const SHOWN = 100;

/** A service with one vehicle, which gains a fault whenever a test wants, and a file with a rule about it. */
export async function failingVehicle() {
  let [faults, polls] = [1, 0];
  let isFailing = false;
  const codes = () => [...Array(faults).keys()].map((index) => `P${1000 + index}`);
  const position = () => ({ assetId: "v1", assetName: "Van 1", date: new Date().toISOString(), activeFaultCodes: codes().slice(-SHOWN) });
  const origin = await listening(() => {
    polls++;
    if (isFailing) faults++;
    return { status: 200, body: [position()] };
  });
  const env = {
    FLEET_CUSTOMER_ID: "c1",
    FLEET_CLIENT_ID: "client",
    FLEET_CLIENT_SECRET: "canary-client-secret",
    FLEET_BASE_URL: origin,
    FLEET_SNAPSHOT_SECONDS: "0",
  };
  const path = temporaryFolder();
  const rules = join(path, "rules.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ id: "fault", when: "faultBegins", vehicle: "Van 1" }] }));
  return {
    env,
    rules,
    state: join(path, "watch.db"),
    begin: () => {
      faults++;
    },
    /** Whether a fault begins with each read. */
    fail: (isTrue: boolean) => {
      isFailing = isTrue;
    },
    codes,
    /** Waits until the fleet was read so often again. What was found before has then been saved and, if there is no problem, delivered. */
    read: async (times = 8) => {
      const before = polls;
      await vi.waitFor(() => expect(polls).toBeGreaterThanOrEqual(before + times), 60_000);
    },
  };
}

export const dataOf = ({ body }: Received) => (JSON.parse(body) as { data: { id: string; cause: { code: string } } }).data;

export type FailingVehicle = Awaited<ReturnType<typeof failingVehicle>>;

/** Without a state, its name is empty. */
export const watchArguments = ({ rules, state }: FailingVehicle, ...more: string[]): string[] => [
  ...["watch", "--rules", rules, "--every", "0.05"],
  ...(state === "" ? [] : ["--state", state]),
  ...more,
];

/** Runs `fleetwire-mcp watch` in this process, until `stop` is called or it ends. */
export function watching(fleet: FailingVehicle, ...more: string[]) {
  const before = process.listeners("SIGTERM");
  const ended = run(watchArguments(fleet, ...more), { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
  return {
    ended,
    stop: () => {
      for (const listener of process.listeners("SIGTERM")) if (!before.includes(listener)) listener("SIGTERM");
      return ended;
    },
  };
}

/** Kills a watch so often, and checks that its receiver hears of each fault once. */
export async function killedWatch(kills: number): Promise<void> {
  const fleet = await failingVehicle();
  const received: Received[] = [];
  const failed = new Set<string>();
  const unsigned: unknown[] = [];
  const receiver = await listening((_, one) => {
    const { id } = dataOf(one);
    try {
      // A signature counts for five minutes.
      new Webhook(SECRET).verify(one.body, one.headers as Record<string, string>);
    } catch (error) {
      unsigned.push(error);
    }
    // Some deliveries succeed only when they are repeated.
    if (received.length % 5 === 4 && failed.size < received.length / 5 && !failed.has(id)) {
      failed.add(id);
      return { status: 503 };
    }
    received.push(one);
    return { status: 204 };
  });
  const watch = () =>
    start(
      watchArguments(fleet, "--first-retry", "0.2", "--webhook", receiver, "--webhook-private"),
      { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET },
      () => {},
    );
  let running = watch();
  onTestFinished(() => void running.child.kill("SIGKILL"));
  await vi.waitFor(() => expect(existsSync(fleet.state)).toBe(true), 20_000);
  fleet.fail(true);
  for (let kill = 0; kill < kills; kill++) {
    // Half of them are killed once they are watching, the others at any moment of their start, which takes half a second.
    if (kill % 2 === 0) await once(running.child.stderr, "data");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (kill % 2 === 0 ? 200 : 600)));
    running.child.kill("SIGKILL");
    await running.ended;
    running = watch();
  }
  await fleet.read();
  fleet.fail(false);
  const delivered = () => new Map(received.map((one) => [dataOf(one).id, dataOf(one).cause.code]));
  await vi.waitFor(() => expect([...delivered().values()]).toContain(fleet.codes().at(-1)), 120_000);
  // Every fault since the first poll that was saved is told once; those before were there when the watch began.
  await vi.waitFor(() => {
    const told = [...delivered().values()].sort();
    expect(told).toEqual(fleet.codes().slice(-told.length));
    expect(told.length).toBeGreaterThan(kills / 10);
  }, 30_000);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(unsigned).toEqual([]);
}
