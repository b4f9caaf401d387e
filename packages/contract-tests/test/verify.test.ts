import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { connectionTo, copyFixture, run, served, start } from "./run-command.ts";

describe("verify", () => {
  it("exits with 0 if a deployment matches the contract, and writes nothing", async () => {
    const { code, stdout, stderr } = await run(["verify", "--sandbox"]);
    expect(stdout).toContain("skipped createJob (create-job): writes need --allow-writes");
    expect(stdout).toMatch(/The deployment matches the contract in 17 calls\.\n$/);
    expect(stdout).toMatch(/^unit of distance: km \(from \d+ activities\)$/m);
    expect(stderr).toContain("1/19 request-access-token ...");
    expect(code).toBe(0);
  });

  it.each([
    ["drift-type", /listLivePositions +\$\[\*\]\.\w+ +wrong type/],
    ["drift-extra", /listVehicleFaults +\$\.items\[\*\]\.addedByAnotherVersion +unknown field/],
    [
      "listVehicleFaults:invalid-json",
      /listVehicleFaults +\$ +call failed .*\n +expected status 200 and the documented body; actual contract: listVehicleFaults: the response is not JSON\n/,
    ],
  ])("exits with 1 and names operation, path and kind for %s", async (faults, message) => {
    const { code, stdout } = await run(["verify", "--sandbox", "--faults", faults]);
    expect(stdout).toMatch(message);
    expect(code).toBe(1);
  });

  it("reports a field that recordings hold and no response does", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "f"));
    const file = copyFixture("list-live-positions-every-field", join(folder, "f"));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"odometer"', '"odometerOfOld"'));
    const { code, stdout } = await run(["verify", "--sandbox", "--fixtures", join(folder, "f")]);
    expect(stdout).toMatch(/listLivePositions +\$\[\*\]\.odometerOfOld +vanished field/);
    expect(code).toBe(1);
  });

  it("exits with 2 for an unreachable service", async () => {
    const { code, stdout } = await run(["verify"], connectionTo("http://127.0.0.1:9"));
    expect(stdout).toMatch(/could not check listLivePositions \(list-live-positions\): network: /);
    expect(code).toBe(2);
  });

  it("stops reading a response that exceeds FLEET_MAX_RESPONSE_BYTES", async () => {
    // Without the limit, this response would never end.
    const origin = await served((_, response) => {
      const repeat = () => void (response.destroyed || response.write(" ".repeat(65_536), () => setImmediate(repeat)));
      repeat();
    });
    const { code, stdout } = await run(["verify"], { ...connectionTo(origin), FLEET_MAX_RESPONSE_BYTES: "1000000" });
    expect(stdout).toContain("could not check listLivePositions (list-live-positions): tooLarge: ");
    expect(code).toBe(2);
  });

  it("stops when interrupted", async () => {
    const { child, ended } = start(["verify"], connectionTo(await served(() => child.kill("SIGINT"))));
    const { code, stderr } = await ended;
    expect(stderr).toContain("fleetwire-contract: interrupted");
    expect(code).toBe(2);
  });
});

it("no report, profile or baseline holds a value of a record, a secret, or a message of the service", { timeout: 60_000 }, async () => {
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
  const origin = await served((request, response) => {
    const path = request.url ?? "";
    if (path.includes("/tracking/live")) response.setHeader("content-type", "application/json").end(JSON.stringify([record]));
    else if (path.includes("/vehicle/faults")) response.writeHead(404, "canary-reason").end('{"errorMessage":"canary-message"}');
    else
      response.writeHead(200, { "content-type": "text/canary-type" }).end('{"accessToken":"canary-token","expires_in":"canary-lifetime"}');
  });
  const variables = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, String(value).startsWith("http://") ? origin : String(value)]),
  );
  const folder = temporaryFolder();
  const files = { "--baseline": "b.json", "--junit": "r.xml", "--sarif": "r.sarif", "--html": "r.html", "--profile": "p.json" };
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
  const origin = await served((_, response) => {
    times.push(performance.now());
    response.setHeader("content-type", "application/json").end("[]");
  });
  await run(["verify", "--rate", "5", "--max-requests", "3"], connectionTo(origin));
  expect(times).toHaveLength(3);
  // Sent at least 200 ms apart; arrival may vary, but not by half of it on one machine.
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(300);
});
