import { describe, expect, it } from "vitest";
import { run } from "./run-command.ts";

describe("the environment of fleetwire-contract", () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    [
      "a misspelt variable",
      ["verify"],
      { FLEET_BASE_ULR: "canary-1" },
      /FLEET_BASE_ULR is not a Fleetwire variable; did you mean FLEET_BASE_URL\? Set or fix/,
    ],
    ["no configuration", ["verify"], {}, /FLEET_BASE_URL is missing .*--help.*--sandbox/],
    ["a missing file", ["verify"], { FLEET_CLIENT_SECRET_FILE: "/nowhere/canary-1" }, /FLEET_CLIENT_SECRET_FILE: .*ENOENT/],
    ["a flag that is a variable", ["verify", "--base-url=canary-1"], {}, /unknown option '--base-url=': set FLEET_BASE_URL\n$/],
    ["a malformed one", ["verify", "--sandbox"], { FLEET_SEAL_KEY: "canary-1" }, /FLEET_SEAL_KEY must be at least 32 bytes in base64/],
  ])("%s fails with one line and exit code 2", async (_, args, env, message) => {
    const { code, stdout, stderr } = await run(args, env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^fleetwire-contract: [^\n]+\n$/);
    expect(stderr).not.toContain("canary-");
  });

  it("is named if only tools or the server read it, and the checks continue", async () => {
    const ignored = { FLEET_CONFIRM: "always", FLEET_LOG: "canary-1", FLEET_ENROLLMENT_TOKEN: "canary-1" };
    const env = { FLEET_BASE_URL: "https://canary-fleet.example.com", ...ignored };
    const { code, stderr } = await run(["verify", "--sandbox"], env);
    expect(code).toBe(0);
    expect(stderr.split("\n").slice(0, 2)).toEqual([
      "fleetwire-contract: sandbox: every vehicle, person and position is made up; ignored: FLEET_BASE_URL",
      "fleetwire-contract: ignored unknown variables: FLEET_CONFIRM, FLEET_LOG, FLEET_ENROLLMENT_TOKEN",
    ]);
    expect(stderr).not.toContain("canary-");
  });
});
