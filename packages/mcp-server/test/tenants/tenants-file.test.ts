import { chmodSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTenants } from "../../src/tenants/tenants-file.ts";
import { temporaryFolder, tenantsFile } from "../callers-under-test.ts";
import { tenantSettings } from "../tenants-under-test.ts";

const own = tenantSettings("north", "https://fleet.example.com");
const env = { ID_NORTH: "id", SECRET_NORTH: " canary-north\n" };

const { FLEET_CLIENT_SECRET: _, ...withoutSecret } = own;

/** What is wrong with a file, as the user is told. */
function problemsOf(tenants: Parameters<typeof tenantsFile>[0], more: Record<string, string> = {}): string {
  try {
    readTenants(tenantsFile(tenants), { ...env, ...more });
  } catch (error) {
    const { code, advice, message } = error as { code?: string; advice?: string; message: string };
    expect({ code, advice }).toEqual({ code: "config", advice: "Correct the file" });
    expect(message).not.toMatch(/\n/);
    return message.replace(/^configuration: FLEET_TENANTS_FILE: /, "");
  }
  return "";
}

describe("a customer in a tenants file", () => {
  it("has its own settings, those of all customers, and those of the process, in this order", () => {
    const file = tenantsFile(
      {
        north: { settings: { ...own, FLEET_TIME_ZONE: "Asia/Tokyo" } },
        south: { callers: ["org_1", "org_2"], settings: { ...own, FLEET_CUSTOMER_ID: "csouth" } },
      },
      { FLEET_TIME_ZONE: "Europe/Paris", FLEET_CONFIRM: "never" },
    );
    const tenants = readTenants(file, { ...env, FLEET_TIME_ZONE: "UTC", FLEET_CONFIRM: "always", FLEET_READ_ONLY: "1" });
    const settings = tenants.map(({ name, callers, config }) => [name, callers, config.customerId, config.timeZone, config.confirm]);
    expect(settings).toEqual([
      ["north", ["north"], "cnorth", "Asia/Tokyo", "never"],
      ["south", ["org_1", "org_2"], "csouth", "Europe/Paris", "never"],
    ]);
    for (const { config } of tenants) {
      expect(config.readOnly).toBe(true);
      expect(config.credentials).toEqual({ clientId: "id", clientSecret: "canary-north" });
    }
  });

  it.each<[string, Record<string, unknown>, string | RegExp]>([
    [
      "a secret itself",
      { ...own, FLEET_CLIENT_SECRET: "canary-secret" },
      'north: FLEET_CLIENT_SECRET is a secret: refer to it with {"env": ...} or {"file": ...}',
    ],
    [
      "a variable that is not set",
      { ...own, FLEET_CLIENT_SECRET: { env: "NOT_SET" } },
      "north: FLEET_CLIENT_SECRET: the variable NOT_SET is not set",
    ],
    ["a variable that is blank", { ...own, FLEET_CLIENT_SECRET: { env: "BLANK" } }, /the variable BLANK is not set/],
    ["a file that does not exist", { ...own, FLEET_CLIENT_SECRET: { file: "secret" } }, /FLEET_CLIENT_SECRET: the file cannot be read/],
    ["no customer", { ...own, FLEET_CUSTOMER_ID: "" }, /^north: FLEET_CUSTOMER_ID is missing/],
    ["an unknown setting", { ...own, FLEET_PUBLIC_URL: "https://x" }, "north: FLEET_PUBLIC_URL is not a per-customer setting"],
    ["a setting of the process", { ...own, FLEET_LOG: "debug" }, "north: FLEET_LOG is not a per-customer setting"],
    ["a setting that every object has", { ...own, constructor: "x" }, "north: constructor is not a per-customer setting"],
    ["a malformed setting", { ...own, FLEET_READ_ONLY: "yes" }, /^north: FLEET_READ_ONLY must be/],
    ["an unknown tool", { ...own, FLEET_TOOLS: "sell_vehicle" }, /there is no tool sell_vehicle/],
  ])("is refused with %s", (_, settings, expected) => {
    expect(problemsOf({ north: { settings } }, { BLANK: " " })).toMatch(expected);
  });

  it("is not lent the connection of the process", () => {
    const connection = { FLEET_CLIENT_SECRET: "canary-own", FLEET_BASE_URL: "https://own.example.com" };
    expect(problemsOf({ north: { settings: withoutSecret } }, connection)).toContain("north: FLEET_CLIENT_SECRET is missing");
  });

  it("is listed with all that is wrong, and what is wrong with others", () => {
    const broken = { ...own, FLEET_CLIENT_SECRET: { env: "NOT_SET" } };
    expect(problemsOf({ north: { settings: broken }, south: { callers: ["north"], settings: broken } })).toBe(
      [
        "north: FLEET_CLIENT_SECRET: the variable NOT_SET is not set",
        "south: one of its callers also belongs to north",
        "south: FLEET_CLIENT_SECRET: the variable NOT_SET is not set",
      ].join("; "),
    );
  });

  it("is needed", () => {
    expect(problemsOf({})).toBe("there are no tenants");
  });

  it.skipIf(process.platform === "win32")("may have its secrets in files, beside the tenants file, that only their owner can read", () => {
    const secret = join(temporaryFolder(), "secret");
    writeFileSync(secret, "canary-from-file\n", { mode: 0o600 });
    const read = (file: string) => readTenants(tenantsFile({ north: { settings: { ...own, FLEET_CLIENT_SECRET: { file } } } }), env);
    for (const file of [secret, join("..", basename(dirname(secret)), "secret")])
      expect(read(file)[0]?.config.credentials.clientSecret).toBe("canary-from-file");
    chmodSync(secret, 0o644);
    expect(() => read(secret)).toThrow("north: FLEET_CLIENT_SECRET: the file must be readable by its owner only (chmod 600)");
  });
});
