import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addToken, fileTokens } from "../src/callers/token-file.ts";
import type { ServerLog } from "../src/log.ts";
import { readTenants } from "../src/tenants/tenants-file.ts";
import { temporaryFolder, tenantsFile, tokensFile } from "./callers-under-test.ts";

const SILENT = { error: () => {}, warn: () => {}, info: () => {} } as unknown as ServerLog;
const READ = { scopes: ["fleet:read"] } as const;
const OTHER = 12_345;

const credentials = (secret: unknown) => ({
  north: {
    settings: {
      FLEET_BASE_URL: "https://fleet.example.com",
      FLEET_CUSTOMER_ID: "c1",
      FLEET_CLIENT_ID: secret,
      FLEET_CLIENT_SECRET: secret,
    },
  },
});

function secretFile(): string {
  const path = join(temporaryFolder(), "secret");
  writeFileSync(path, "canary-secret", { mode: 0o600 });
  return path;
}

const tokens = () => {
  const { file } = tokensFile({ day: READ });
  return { file, read: () => fileTokens(file, SILENT) };
};

const tenants = () => {
  const file = tenantsFile(credentials({ env: "SECRET" }));
  return { file, read: () => readTenants(file, { SECRET: "canary-secret" }) };
};

const secrets = () => {
  const file = secretFile();
  return { file, read: () => readTenants(tenantsFile(credentials({ file })), {}) };
};

// Only root can give a file away.
describe.runIf(process.getuid?.() === 0)("a file that another user owns", () => {
  it.each([
    ["of tokens", tokens],
    ["of tenants", tenants],
    ["with a secret", secrets],
  ])("%s is refused, since that user could change it", (_, make) => {
    const { file, read } = make();
    expect(read).not.toThrow();
    chownSync(file, OTHER, OTHER);
    expect(read).toThrow("another user owns the file (chown it to the user that runs the server, or to root)");
  });

  it("gets new tokens from root, and stays that user's", () => {
    const { file } = tokens();
    chownSync(file, OTHER, OTHER);
    expect(addToken(file, { name: "night", ...READ })).toMatch(/^fwt_/);
    expect(() => fileTokens(file, SILENT)).toThrow("another user owns the file");
  });
});
