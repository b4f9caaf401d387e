import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../tests/vitest/temporary-folder.ts";
import { fleetService } from "../../../tools/test/served-fleet.ts";
import { BOTH, served, tenantSettings, tenantsFile, tokensFile } from "../callers-under-test.ts";
import { run } from "../run-program.ts";
import { messagesIn } from "../spawned-bin.ts";

const own = tenantSettings("north", "https://fleet.example.com");

type Tenants = Parameters<typeof tenantsFile>[0];

/** The environment of a server with these customers, and a token for the first. */
function serverOf(tenants: Tenants, settings: object = {}) {
  const { file, tokens } = tokensFile({ dispatch: { ...BOTH, tenant: "north" } });
  const secrets = { ID_NORTH: "id", SECRET_NORTH: " canary-north\n" };
  const FLEET_TENANTS_FILE = tenantsFile(tenants, settings);
  return { env: { ...secrets, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, FLEET_TENANTS_FILE }, token: tokens.dispatch };
}

/** What is wrong with a file, as the user is told. */
async function problemsOf(tenants: Tenants, more: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await run(["http", "--port", "0"], { ...serverOf(tenants).env, ...more });
  const [message = "", ...others] = messagesIn(stderr);
  expect([code, others, message]).toEqual([2, [], expect.stringMatching(/^configuration: FLEET_TENANTS_FILE: .+\. Correct the file/)]);
  return message.replace(/^.* FLEET_TENANTS_FILE: (.*?)\. Correct the file.*$/, "$1");
}

/** What a customer's service is asked with: the user and password. */
async function credentialsWith(FLEET_CLIENT_SECRET: unknown): Promise<string> {
  const service = await fleetService({ listLivePositions: () => ({ body: [] }) }, undefined, "cnorth");
  const { env, token } = serverOf({ north: { settings: { ...tenantSettings("north", service.origin), FLEET_CLIENT_SECRET } } });
  await (await served(env)).call("list_live_positions", {}, token);
  return atob(String(service.received[0]?.headers.authorization).replace("Basic ", ""));
}

describe("a customer in a tenants file", () => {
  it("has its own settings, those of all customers, and those of the process, in this order", async () => {
    const truck = { assetId: "v1", assetName: "Truck 12", date: "2026-11-20T08:30:00Z" };
    const script = { listLivePositions: () => ({ body: [truck] }), createJob: () => ({ body: { job: { jobId: "j1" } } }) };
    const service = await fleetService(script, undefined, "cnorth");
    const settings = { ...tenantSettings("north", service.origin), FLEET_TIME_ZONE: "Asia/Tokyo" };
    const { env, token } = serverOf({ north: { settings } }, { FLEET_TIME_ZONE: "Europe/Paris", FLEET_CONFIRM: "never" });
    const { call } = await served({ ...env, FLEET_TIME_ZONE: "UTC", FLEET_CONFIRM: "auto", FLEET_RESULT: "text" });
    expect((await call("create_job", { address: "Lyon" }, token)).text).toContain("Job created");
    const { text } = await call("locate_vehicle", { query: "truck 12" }, token);
    expect(text).toContain("Asia/Tokyo");
    expect(text).not.toContain("structuredContent");
  });

  const LITERAL = 'north: FLEET_CLIENT_SECRET is a secret: refer to it with {"env": ...} or {"file": ...}';
  it.each<[string, Record<string, unknown>, string | RegExp]>([
    ["a secret itself", { FLEET_CLIENT_SECRET: "canary-secret" }, LITERAL],
    ["a variable that is not set", { FLEET_CLIENT_SECRET: { env: "NONE" } }, "FLEET_CLIENT_SECRET: the variable NONE is not set"],
    ["a file that does not exist", { FLEET_CLIENT_SECRET: { file: "secret" } }, /FLEET_CLIENT_SECRET: the file cannot be read/],
    // The connection of the process is not lent.
    ["no secret", { FLEET_CLIENT_SECRET: undefined }, "north: FLEET_CLIENT_SECRET is missing"],
    ["an unknown setting", { FLEET_PUBLIC_URL: "https://x" }, "north: FLEET_PUBLIC_URL is not a per-customer setting"],
    ["a setting that every object has", { constructor: "x" }, "north: constructor is not a per-customer setting"],
    ["a malformed setting", { FLEET_READ_ONLY: "yes" }, /^north: FLEET_READ_ONLY must be/],
  ])("is refused with %s", async (_, settings, expected) => {
    const env = { FLEET_CLIENT_SECRET: "canary-own", FLEET_BASE_URL: "https://own.example.com" };
    expect(await problemsOf({ north: { settings: { ...own, ...settings } } }, env)).toMatch(expected);
  });

  it("is listed with all that is wrong, and what is wrong with others", async () => {
    const settings = { ...own, FLEET_CLIENT_SECRET: { env: "NOT_SET" } };
    expect(await problemsOf({ north: { settings }, south: { callers: ["north"], settings } })).toBe(
      [
        "north: FLEET_CLIENT_SECRET: the variable NOT_SET is not set",
        "south: one of its callers also belongs to north",
        "south: FLEET_CLIENT_SECRET: the variable NOT_SET is not set",
      ].join("; "),
    );
    expect(await problemsOf({})).toBe("there are no tenants");
  });

  it.skipIf(process.platform === "win32")(
    "may have its secrets in files beside the tenants file that only their owner can read",
    async () => {
      const secret = join(temporaryFolder(), "secret");
      writeFileSync(secret, "canary-from-file\n", { mode: 0o600 });
      for (const file of [secret, join("..", basename(dirname(secret)), "secret")])
        expect(await credentialsWith({ file })).toBe("id:canary-from-file");
      expect(await credentialsWith({ env: "SECRET_NORTH" })).toBe("id:canary-north");
      chmodSync(secret, 0o644);
      expect(await problemsOf({ north: { settings: { ...own, FLEET_CLIENT_SECRET: { file: secret } } } })).toBe(
        "north: FLEET_CLIENT_SECRET: the file must be readable by its owner only (chmod 600)",
      );
    },
  );
});

// Only root can give a file away.
describe.runIf(process.getuid?.() === 0)("a file that another user owns", () => {
  it.each(["tokens", "tenants", "secret"] as const)("is refused, since that user could change it: %s", async (which) => {
    const secret = join(temporaryFolder(), "secret");
    writeFileSync(secret, "canary-secret", { mode: 0o600 });
    const { env } = serverOf({ north: { settings: { ...own, FLEET_CLIENT_SECRET: { file: secret } } } });
    const file = { secret, tokens: env.FLEET_TOKENS_FILE, tenants: env.FLEET_TENANTS_FILE }[which];
    chownSync(file, 12_345, 12_345);
    const { code, stderr } = await run(["http", "--port", "0"], env);
    expect(code).toBe(2);
    expect(stderr).toContain("another user owns the file (chown it to the user that runs the server, or to root)");
    expect(stderr).not.toContain("canary");
    if (which === "tokens") expect((await run(["token", "--name", "night", "--tokens-file", file])).stdout).toMatch(/^fwt_/);
  });
});
