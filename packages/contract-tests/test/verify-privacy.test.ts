import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSandbox } from "@fleetwire/sandbox";
import { expect, it, onTestFinished } from "vitest";
import { run, temporaryFolder } from "./run-command.ts";

it("no report and no baseline holds a value of a record, a secret, or a message of the service", { timeout: 60_000 }, async () => {
  const sandbox = createSandbox();
  const { env } = await sandbox.listen();
  onTestFinished(() => sandbox.close());
  const record = {
    assetId: "canary-vehicle",
    speed: "canary-speed Jane Doe",
    eventType: "canary-event",
    date: "canary-date",
    newField: "canary-new",
    "canary name": 1,
    locationName: { inside: "canary-place" },
  };
  const service = createServer(async (request, response) => {
    const path = request.url ?? "";
    if (path.includes("/tracking/live")) response.setHeader("content-type", "application/json").end(JSON.stringify([record]));
    else if (path.includes("/vehicle/faults")) response.writeHead(404, "canary-reason").end('{"errorMessage":"canary-message"}');
    else
      response.writeHead(200, { "content-type": "text/canary-type" }).end('{"accessToken":"canary-token","expires_in":"canary-lifetime"}');
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, String(value).startsWith("http://") ? origin : String(value)]),
  );
  const folder = temporaryFolder();
  const files = { "--baseline": "b.json", "--junit": "r.xml", "--sarif": "r.sarif", "--html": "r.html" };
  const args = Object.entries(files).flatMap(([flag, name]) => [flag, join(folder, name)]);
  const summary = join(folder, "summary.md");
  // `run` fails if stdout or stderr holds a canary.
  const github = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { stdout } = await run(["verify", ...args, "--update-baseline", "--json"], { ...variables, ...github });
  expect(JSON.parse(stdout).accepted.length).toBeGreaterThan(5);
  for (const name of [...Object.values(files), "summary.md"])
    expect(readFileSync(join(folder, name), "utf8"), name).not.toMatch(/canary|Jane/);
});

it("requests keep the distance of --rate", async () => {
  const times: number[] = [];
  const service = createServer((_, response) => {
    times.push(performance.now());
    response.setHeader("content-type", "application/json").end("[]");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const env = { FLEET_CUSTOMER_ID: "c1", FLEET_CLIENT_ID: "x", FLEET_CLIENT_SECRET: "canary-secret", FLEET_BASE_URL: origin };
  await run(["verify", "--rate", "5", "--max-requests", "3"], env);
  expect(times).toHaveLength(3);
  // Sent at least 200 ms apart; arrival may vary, but not by half of it on one machine.
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);
});
