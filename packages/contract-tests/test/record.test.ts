import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { deployment, run, start, textsIn } from "./run-command.ts";

const record = (out: string, ...args: string[]) => run(["record", "--sandbox", "--out", out, ...args]);

// biome-ignore lint/suspicious/noExplicitAny: recordings, read where the test expects something
const recording = (folder: string, name: string): any => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

describe("record", () => {
  it("writes fixtures that replay, and nothing on the second run", async () => {
    const folder = temporaryFolder();
    const first = await record(folder, "--allow-writes");
    expect(first.stdout).toMatch(/19 new, 0 changed, 0 unchanged\njob FW-\S+ remains in the deployment/);
    expect(first.code).toBe(0);
    const positions = recording(folder, "list-live-positions");
    expect(positions.provenance.source).toMatch(/^recorded; shortened: \$: \d+ of \d+ records$/);
    expect(positions.reproducible).toBe(true);
    const replayed = await run(["replay", "--fixtures", folder]);
    expect(replayed.stdout).toMatch(/^check +checked.*\ninterface .*\nclient .*\nsandbox .*\nThe contract holds\.\n$/);
    expect(replayed.code).toBe(0);
    expect((await record(folder)).stdout).toContain("0 new, 0 changed, 17 unchanged");
  });

  it("writes pseudonyms that join, and no personal data", async () => {
    const folder = temporaryFolder();
    await record(folder, "--records", "50");
    const { env, fetch } = createSandbox({ clock: () => Date.UTC(2026, 10, 20, 10) });
    const credentials = Buffer.from(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`).toString("base64");
    const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
    const real = await (await fetch(url, { headers: { authorization: `Basic ${credentials}` } })).json();
    const text = textsIn(folder);
    const personalFields =
      "assetVin assetId driverId driverName assetRegistration assetGroupName formattedAddress latitude serialNumber".split(" ");
    for (const position of real as Record<string, unknown>[])
      for (const field of personalFields)
        if (position[field] !== undefined) expect(text.includes(`"${position[field]}"`), `${field} ${position[field]}`).toBe(false);
    for (const secret of [env["FLEET_CUSTOMER_ID"], env["FLEET_CLIENT_SECRET"], credentials, "sandbox.0."])
      expect(text).not.toContain(secret);
    const driversOf = (records: { driverId?: string }[]) => new Set(records.map(({ driverId }) => driverId));
    const known = driversOf(recording(folder, "list-live-positions").response.body);
    for (const driver of driversOf(recording(folder, "list-vehicle-faults-first-page").response.body.items))
      expect(known).toContain(driver);
  });

  it("shows differences from the existing recording", async () => {
    const folder = temporaryFolder();
    await record(folder);
    const file = join(folder, "list-tire-events.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"status": 200', '"status": 203'));
    const { stdout } = await record(folder, "--dry-run");
    expect(stdout).toContain(`changed ${file}\n          $.response.status was 203, is now 200`);
    expect(readFileSync(file, "utf8")).toContain('"status": 203');
  });
});

/** A deployment with live positions and no other operation than faults. */
const deploymentWith = (positions: unknown) =>
  deployment((url) => ({ body: url.includes("live") ? positions : faultsPage, headers: { "set-cookie": "session=abcdef" } }), ["BASE_URL"]);

const faultsPage = { items: [], pagination: { totalItems: 0, totalPages: 0, pageSize: 5, pageIndex: 0 } };

describe("record of a real deployment", () => {
  it("keeps allowed headers only, and unknown fields as pseudonyms", async () => {
    const folder = temporaryFolder();
    const env = await deploymentWith([{ assetId: "v1", owner: { name: "Jane Doe", since: "2026-01-02" } }]);
    const { code, stdout, stderr } = await run(["record", "--out", folder], env);
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toContain("FLEET_SEAL_KEY is not set");
    const { response, provenance, given, reproducible } = recording(folder, "list-live-positions");
    expect(response.headers).toEqual({ "content-type": "application/json" });
    expect(response.body[0].owner).toEqual({
      name: expect.stringMatching(/^[A-Z][a-z]{3} [A-Z][a-z]{2}$/),
      since: expect.not.stringMatching("2026-01-02"),
    });
    expect(response.body[0].owner.name).not.toBe("Jane Doe");
    expect([provenance.kind, given, reproducible]).toEqual(["live", "a live deployment", false]);
  });

  it("prints no character that controls a terminal or hides text", async () => {
    const folder = temporaryFolder();
    const env = await deploymentWith([{ assetId: "v1", road: "\u009b31m \u202elane\u{e0041} \u001b[2J" }]);
    await run(["record", "--out", folder], env);
    const { stdout, stderr } = await run(["record", "--out", folder, "--dry-run"], env);
    expect(stdout).toContain("\\u009b");
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("refuses to write a secret used as a field name", async () => {
    const folder = join(temporaryFolder(), "out");
    const env = await deploymentWith([{ assetId: "v1", canarysecret: 1 }]);
    const { code, stderr } = await run(["record", "--out", folder], { ...env, FLEET_CLIENT_SECRET: "canarysecret" });
    expect(stderr).toContain("list-live-positions: credentials or a token from this run");
    expect(stderr).not.toContain("canarysecret");
    expect(code).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });

  it("leaves no partial files when interrupted", async () => {
    const folder = join(temporaryFolder(), "out");
    const env = await deployment(
      (url) => {
        if (!url.includes("faults")) return { body: [] };
        child.kill("SIGINT");
        return undefined;
      },
      ["BASE_URL"],
    );
    const { child, ended } = start(["record", "--out", folder], env);
    const { code, stderr } = await ended;
    expect(stderr).toContain("interrupted");
    expect(code).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });
});
