import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "@fleetwire/sandbox";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished, vi } from "vitest";
import { run } from "./run-program.ts";
import { start } from "./spawned-bin.ts";

const SECRET = `whsec_${Buffer.from("canary-webhook-secret-of-24-bytes").toString("base64")}`;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "fleetwire-watch-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function listening(
  respond: (path: string, received: Received) => { status: number; body?: unknown; location?: string },
): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { status, body: sent, location } = respond(request.url ?? "", { headers: request.headers, body });
    response.writeHead(status, { "content-type": "application/json", ...(location && { location }) });
    response.end(sent === undefined ? "" : JSON.stringify(sent));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service with one vehicle, which gains a fault with each record. */
async function failingVehicle() {
  let faults = 1;
  const codes = () => [...Array(faults).keys()].map((index) => `P${1000 + index}`);
  const position = () => ({ assetId: "v1", assetName: "Van 1", date: new Date().toISOString(), activeFaultCodes: codes() });
  const origin = await listening(() => ({ status: 200, body: [position()] }));
  const sandbox = createSandbox();
  const env = { ...sandbox.env, FLEET_BASE_URL: origin, FLEET_FLEET_URL: origin, FLEET_SNAPSHOT_SECONDS: "0" };
  const path = folder();
  const rules = join(path, "rules.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ id: "fault", when: "faultBegins", vehicle: "Van 1" }] }));
  return {
    env,
    rules,
    state: join(path, "watch.db"),
    begin: () => {
      faults++;
    },
    codes,
  };
}

const dataOf = ({ body }: Received) => (JSON.parse(body) as { data: { id: string; cause: { code: string } } }).data;

it("loses and doubles nothing, however often it is killed", async () => {
  const fleet = await failingVehicle();
  const received: Received[] = [];
  const failed = new Set<string>();
  const receiver = await listening((_, one) => {
    const { id } = dataOf(one);
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
      ["watch", "--rules", fleet.rules, "--every", "1", "--state", fleet.state, "--webhook", receiver, "--webhook-private"],
      { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET },
      () => {},
    );
  let running = watch();
  onTestFinished(() => void running.child.kill("SIGKILL"));
  await vi.waitFor(() => expect(existsSync(fleet.state)).toBe(true), 20_000);
  const adding = setInterval(fleet.begin, 300);
  onTestFinished(() => clearInterval(adding));
  const kills = Number(process.env["FLEET_TEST_KILLS"] ?? 3);
  for (let kill = 0; kill < kills; kill++) {
    // Half of them are killed once they are watching, the others at any moment of their start.
    if (kill % 2 === 0) await once(running.child.stderr, "data");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_000));
    running.child.kill("SIGKILL");
    await running.ended;
    running = watch();
  }
  clearInterval(adding);
  const delivered = () => new Map(received.map((one) => [dataOf(one).id, dataOf(one).cause.code]));
  await vi.waitFor(() => expect([...delivered().values()]).toContain(fleet.codes().at(-1)), 120_000);
  // Every fault since the first poll that was saved is told once; those before were there when the watch began.
  await vi.waitFor(() => {
    const told = [...delivered().values()].sort();
    expect(told).toEqual(fleet.codes().slice(-told.length));
    expect(told.length).toBeGreaterThan(kills);
  }, 30_000);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  for (const { headers, body } of received) expect(() => new Webhook(SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
}, 240_000);

it("refuses a second process on the same file, and one that is not a state file", async () => {
  const fleet = await failingVehicle();
  const args = ["watch", "--rules", fleet.rules, "--every", "1", "--state", fleet.state];
  const first = start(args, fleet.env);
  await vi.waitFor(() => expect(existsSync(fleet.state)).toBe(true), 20_000);
  const second = await start(args, fleet.env).ended;
  expect(second.code).toBe(2);
  expect(second.stderr).toMatch(/is in use by another process/);
  first.child.kill("SIGTERM");
  await first.ended;
  expect(existsSync(`${fleet.state}.pid`)).toBe(false);
  writeFileSync(fleet.state, "not a database, but a text that is long enough to be one".repeat(20));
  const third = await start(args, fleet.env).ended;
  expect(third.stderr).toMatch(/not a state file of a watch/);
  expect(readFileSync(fleet.state, "utf8")).toMatch(/^not a database/);
}, 60_000);

it.each<[string, string[], Record<string, string>, RegExp]>([
  ["a private address", ["--webhook", "https://10.1.2.3/x"], {}, /--webhook: is a private address/],
  ["plain http", ["--webhook", "http://example.com/x"], {}, /--webhook: must begin with https/],
  ["no secret", ["--webhook", "https://example.com/x"], { FLEET_WEBHOOK_SECRET: "" }, /needs FLEET_WEBHOOK_SECRET/],
  ["a missing folder", ["--state", "/nowhere/watch.db"], {}, /--state \/nowhere\/watch\.db: it cannot be opened/],
])("refuses %s", async (_, args, env, message) => {
  const fleet = await failingVehicle();
  const ended = await run(["watch", "--rules", fleet.rules, ...args], { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET, ...env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(message);
});

it.each<[string, { status: number; location?: string }, RegExp]>([
  ["stops sending to a receiver that is gone", { status: 410 }, /status 410: the receiver wants no more events/],
  ["does not follow a redirect", { status: 307, location: "/elsewhere" }, /status 307; the event is sent again later/],
])(
  "%s",
  async (_, response, message) => {
    const fleet = await failingVehicle();
    const paths: string[] = [];
    const receiver = await listening((path) => {
      paths.push(path);
      return response;
    });
    const args = ["watch", "--rules", fleet.rules, "--every", "1", "--webhook", `${receiver}/hook`, "--webhook-private"];
    const watch = start(args, { ...fleet.env, FLEET_WEBHOOK_SECRET: SECRET });
    const adding = setInterval(fleet.begin, 500);
    onTestFinished(() => clearInterval(adding));
    const [line = ""] = await watch.lines(1);
    expect(JSON.parse(line)).toMatchObject({ rule: "fault", when: "faultBegins", vehicle: { name: "Van 1" } });
    await vi.waitFor(() => expect(paths.length).toBeGreaterThan(0), 20_000);
    watch.child.kill("SIGTERM");
    expect((await watch.ended).stderr).toMatch(message);
    expect(new Set(paths)).toEqual(new Set(["/hook"]));
  },
  60_000,
);

it("runs a program for each event, without the settings of the server", async () => {
  const fleet = await failingVehicle();
  const path = folder();
  const [program, output] = [join(path, "told.mjs"), join(path, "out")];
  const script = `#!${process.execPath}
import { appendFileSync, readFileSync } from "node:fs";
const names = Object.keys(process.env).filter((name) => name.startsWith("FLEET_"));
appendFileSync(${JSON.stringify(output)}, JSON.stringify({ names, event: JSON.parse(readFileSync(0, "utf8")) }) + "\\n");
`;
  writeFileSync(program, script, { mode: 0o700 });
  const watch = start(["watch", "--rules", fleet.rules, "--every", "1", "--exec", program], fleet.env);
  const adding = setInterval(fleet.begin, 500);
  onTestFinished(() => clearInterval(adding));
  await vi.waitFor(() => expect(existsSync(output)).toBe(true), 30_000);
  const [line = ""] = readFileSync(output, "utf8").split("\n");
  expect(JSON.parse(line)).toMatchObject({ names: [], event: { rule: "fault" } });
  watch.child.kill("SIGTERM");
  await watch.ended;
}, 60_000);
