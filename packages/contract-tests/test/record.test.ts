import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import { run, start, temporaryFolder } from "./run-command.ts";

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
    expect(positions.provenance.source).toMatch(/^recorded; shortened: \[\]: \d+ of \d+ records$/);
    expect(positions.reproducible).toBe(true);
    const replayed = await run(["replay", "--fixtures", folder, "--only", "client,sandbox"]);
    expect(replayed.stdout).toContain("The contract holds.");
    expect((await record(folder)).stdout).toContain("0 new, 0 changed, 17 unchanged");
  });

  it("writes pseudonyms that join, and no personal data", async () => {
    const folder = temporaryFolder();
    await record(folder, "--records", "50");
    const { env, fetch } = createSandbox({ clock: () => Date.UTC(2026, 10, 20, 10) });
    const credentials = Buffer.from(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`).toString("base64");
    const url = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
    const real = await (await fetch(url, { headers: { authorization: `Basic ${credentials}` } })).json();
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    const personalFields = [
      "assetVin",
      "assetId",
      "driverId",
      "driverName",
      "assetRegistration",
      "assetGroupName",
      "formattedAddress",
      "latitude",
      "serialNumber",
    ];
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

/** A deployment that responds to each request with the body that `respond` returns. */
async function deployment(respond: (url: string) => unknown, otherwise?: number): Promise<Record<string, string>> {
  const server = createServer((request, response) => {
    const body = respond(request.url ?? "");
    if (body === undefined && otherwise !== undefined) response.writeHead(otherwise).end();
    if (body !== undefined)
      response.writeHead(200, { "content-type": "application/json", "set-cookie": "session=abcdef" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { FLEET_CUSTOMER_ID: "c42", FLEET_CLIENT_ID: "someclient", FLEET_CLIENT_SECRET: "a-secret-of-somebody", FLEET_BASE_URL: origin };
}

const faultsPage = { items: [], pagination: { totalItems: 0, totalPages: 0, pageSize: 5, pageIndex: 0 } };

describe("record of a real deployment", () => {
  it("keeps allowed headers only, and unknown fields as pseudonyms", async () => {
    const folder = temporaryFolder();
    const env = await deployment((url) =>
      url.includes("live") ? [{ assetId: "v1", owner: { name: "Jane Doe", since: "2026-01-02" } }] : faultsPage,
    );
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

  it("writes no personal data from non-personal fields or field names", async () => {
    const folder = temporaryFolder();
    const fault = { code: "P0117", description: "Ring Jane Margaret Smith, KX21 ABC; near Boar Lane", startDate: "2026-11-20T08:30:00Z" };
    const unknownFields = { dob: "1984-05-06", pin: 4711, drv_no: 90210, home: [53.8, -1.5], Jane: 1, KX21ABC: 1 };
    const env = await deployment((url) =>
      url.includes("live")
        ? [
            {
              assetId: "v1",
              driverName: "Jane Margaret Smith",
              assetRegistration: "KX21 ABC",
              road: "Boar Lane",
              country: "at Boar Lane",
              ...unknownFields,
            },
          ]
        : { ...faultsPage, items: [{ id: "v1", faults: [fault] }] },
    );
    // With a random key, a pseudonym may happen to contain one of these values.
    const { code, stdout, stderr } = await run(["record", "--out", folder], {
      ...env,
      FLEET_SEAL_KEY: Buffer.alloc(32).toString("base64"),
    });
    expect(code, stdout + stderr).toBe(0);
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
    expect(text).not.toMatch(/Jane|Margaret|Smith|KX21|Boar|1984|4711|90210|53\.8|-1\.5/);
    expect(text).toMatch(/"country": "[a-z]{2} [A-Z][a-z]{3} [A-Z][a-z]{3}"/);
    expect(text).toContain('"P0117"');
  });

  it("prints no character that controls a terminal or hides text", async () => {
    const folder = temporaryFolder();
    const env = await deployment((url) =>
      url.includes("live") ? [{ assetId: "v1", road: "\u009b31m \u202elane\u{e0041} \u001b[2J" }] : faultsPage,
    );
    await run(["record", "--out", folder], env);
    const { stdout, stderr } = await run(["record", "--out", folder, "--dry-run"], env);
    expect(stdout).toContain("\\u009b");
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("records what succeeds without a token, and reports the rest", async () => {
    const folder = temporaryFolder();
    const env = await deployment(
      (url) => (url.includes("live") ? [{ assetId: "v1" }] : url.includes("faults") ? faultsPage : undefined),
      404,
    );
    const all = {
      ...env,
      ...Object.fromEntries(["API_HOST", "TACHO_URL", "AUTH_URL"].map((name) => [`FLEET_${name}`, env["FLEET_BASE_URL"] ?? ""])),
    };
    const { code, stdout } = await run(["record", "--out", folder], all);
    expect(stdout).toContain("skipped query-tacho-activity-day: notFound: requestAccessToken: HTTP 404");
    expect(existsSync(join(folder, "list-live-positions.json"))).toBe(true);
    expect(existsSync(join(folder, "list-jobs.json"))).toBe(false);
    expect(code).toBe(2);
    const verified = await run(["verify"], all);
    expect(verified.stdout).toMatch(
      /^operation +path +kind[^\n]*\nrequestAccessToken +\$ +call failed [^\n]*\n +expected [^\n]*; actual notFound: [^\n]*\ncould not check/,
    );
    expect(verified.code).toBe(1);
  });

  it("names a recording that is not JSON", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "list-jobs.json"), '{"operation": ');
    const { code, stderr } = await record(folder);
    expect(stderr).toContain(`${join(folder, "list-jobs.json")}: the file is not JSON`);
    expect(code).toBe(2);
  });

  it("writes no secret from a non-personal field", async () => {
    const folder = temporaryFolder();
    const secrets = [
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjMTAwMSJ9.c2lnbmF0dXJl",
      "a-secret-of-somebody",
      "jane@company.example",
      "AKIA0123456789abcdefghijklmnopqrst",
    ];
    const env = await deployment((url) =>
      url.includes("live") ? secrets.map((country, at) => ({ assetId: `v${at}`, country })) : faultsPage,
    );
    const { code, stdout, stderr } = await run(["record", "--out", folder], env);
    expect(code, stdout + stderr).toBe(0);
    const text = readFileSync(join(folder, "list-live-positions.json"), "utf8");
    for (const secret of secrets) expect(text + stdout + stderr).not.toContain(secret);
  });

  it("refuses to write a secret used as a field name", async () => {
    const folder = join(temporaryFolder(), "out");
    const env = await deployment((url) => (url.includes("live") ? [{ assetId: "v1", canarysecret: 1 }] : faultsPage));
    const { code, stderr } = await run(["record", "--out", folder], { ...env, FLEET_CLIENT_SECRET: "canarysecret" });
    expect(stderr).toContain("list-live-positions: credentials or a token from this run");
    expect(stderr).not.toContain("canarysecret");
    expect(code).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });

  it("leaves no partial files when interrupted", async () => {
    const folder = join(temporaryFolder(), "out");
    const env = await deployment((url) => {
      if (!url.includes("faults")) return [];
      child.kill("SIGINT");
      return undefined;
    });
    const { child, ended } = start(["record", "--out", folder], env);
    const { code, stderr } = await ended;
    expect(stderr).toContain("interrupted");
    expect(code).toBe(2);
    expect(existsSync(folder)).toBe(false);
  });
});
