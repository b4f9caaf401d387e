import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyFixture, run, start, temporaryFolder } from "./run-command.ts";

/** Starts a service for the current test. */
async function originOf(service: Server): Promise<string> {
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

describe("verify", () => {
  it("exits with 0 if a deployment matches the contract, and writes nothing", async () => {
    const { code, stdout, stderr } = await run(["verify", "--sandbox"]);
    expect(stdout).toContain("skipped createJob (create-job): writes need --allow-writes");
    expect(stdout).toMatch(/The deployment matches the contract in 17 calls\.\n$/);
    expect(stdout).toContain("fromDateTime selects live positions by date: you can set FLEET_FULL_READ_SECONDS\n");
    expect(stdout).toMatch(/^unit of distance: km \(from \d+ activities\)$/m);
    expect(stderr).toContain("1/19 request-access-token ...");
    expect(code).toBe(0);
  });

  it.each([
    ["drift-type", /listLivePositions +\$\[\*\]\.\w+ +wrong type/],
    ["drift-extra", /listVehicleFaults +\$\.items\[\*\]\.addedByAnotherVersion +unknown field/],
    ["drift-enum", /listLivePositions +\$\[\*\]\.\w+ +unknown enum value/],
    [
      "listVehicleFaults:invalid-json",
      /listVehicleFaults +\$ +call failed .*\n +expected status 200 and the documented body; actual contract: listVehicleFaults: the response is not JSON\n/,
    ],
  ])("exits with 1 and names operation, path and kind for %s", async (faults, message) => {
    const { code, stdout } = await run(["verify", "--sandbox", "--faults", faults]);
    expect(stdout).toMatch(message);
    expect(code).toBe(1);
  });

  it("names the job that remains", async () => {
    const { code, stdout } = await run(["verify", "--sandbox", "--allow-writes"]);
    expect(stdout).toMatch(/job FW-\d{8}-\w{10} remains in the deployment\n/);
    expect(code).toBe(0);
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

  it("reports a field of the wrong type once", async () => {
    const fixtures = temporaryFolder();
    copyFixture("request-access-token-granted", fixtures);
    const { stdout } = await run(["verify", "--sandbox", "--faults", "requestAccessToken:drift-type", "--fixtures", fixtures]);
    expect(stdout).toMatch(/requestAccessToken +\$\.expires_in +wrong type/);
    expect(stdout).not.toContain("vanished field");
  });

  const env = (origin: string) => ({
    FLEET_CUSTOMER_ID: "c42",
    FLEET_CLIENT_ID: "someclient",
    FLEET_CLIENT_SECRET: "a-secret-of-somebody",
    FLEET_BASE_URL: origin,
  });

  it.each([
    ["an unreachable service", env("http://127.0.0.1:9"), /could not check listLivePositions \(list-live-positions\): network: /],
    ["no configuration", {}, /FLEET_BASE_URL is missing/],
  ])("exits with 2 for %s, without showing secrets", async (_, variables, message) => {
    const { code, stdout, stderr } = await run(["verify"], variables);
    expect(stdout + stderr).toMatch(message);
    expect(stdout + stderr).not.toContain("a-secret-of-somebody");
    expect(code).toBe(2);
  });

  it("stops reading a response that exceeds FLEET_MAX_RESPONSE_BYTES", async () => {
    // Without the limit, this response would never end.
    const endless = createServer((_, response) => {
      const repeat = () => void (response.destroyed || response.write(" ".repeat(65_536), () => setImmediate(repeat)));
      repeat();
    });
    const origin = await originOf(endless);
    const { code, stdout } = await run(["verify"], { ...env(origin), FLEET_MAX_RESPONSE_BYTES: "1000000" });
    expect(stdout).toContain("could not check listLivePositions (list-live-positions): tooLarge: ");
    expect(code).toBe(2);
  });

  it("stops when interrupted", async () => {
    const silent = createServer(() => child.kill("SIGINT"));
    const { child, ended } = start(["verify"], env(await originOf(silent)));
    const { code, stderr } = await ended;
    expect(stderr).toContain("fleetwire-contract: interrupted");
    expect(code).toBe(2);
  });
});
