import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { run } from "./run-program.ts";
import { tenantSettings } from "./tenants-under-test.ts";

const OTHER = 12_345;
const SECRETS = { ID_NORTH: "id", SECRET_NORTH: "canary-secret" };

/** A server whose files are all its own. */
function ownFiles() {
  const secret = join(temporaryFolder(), "secret");
  writeFileSync(secret, "canary-secret", { mode: 0o600 });
  const { file: tokens } = tokensFile({ day: { scopes: ["fleet:read"] } });
  const settings = { ...tenantSettings("north", "https://fleet.example.com"), FLEET_CLIENT_SECRET: { file: secret } };
  const tenants = tenantsFile({ north: { settings } });
  const env = { ...SECRETS, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: tokens, FLEET_TENANTS_FILE: tenants };
  return { tokens, tenants, secret, env };
}

// Only root can give a file away.
describe.runIf(process.getuid?.() === 0)("a file that another user owns", () => {
  it.each(["tokens", "tenants", "secret"] as const)("is refused, since that user could change it: %s", async (which) => {
    const { env, ...files } = ownFiles();
    chownSync(files[which], OTHER, OTHER);
    const { code, stderr } = await run(["http", "--port", "0"], env);
    expect(code).toBe(2);
    expect(stderr).toContain("another user owns the file (chown it to the user that runs the server, or to root)");
    expect(stderr).not.toContain("canary");
  });

  it("gets new tokens from root", async () => {
    const { tokens } = ownFiles();
    chownSync(tokens, OTHER, OTHER);
    expect((await run(["token", "--name", "night", "--tokens-file", tokens])).stdout).toMatch(/^fwt_/);
  });
});
