import { FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { type ApprovedWrite, createConfirmationTokens } from "../src/writes/confirmation-token.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const SCOPE = ["c42", { base: "https://api.example/core" }];
const KEYS = ["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "YSBmaXhlZCBrZXkgb2YgZm9ydHktdHdvIGJ5dGVzLCBubyBzZWNyZXQhIQ=="];

const JOB: ApprovedWrite = {
  tool: "create_job",
  input: { address: "Łódź, Quai 10", priority: undefined, stops: [1, { b: 2, a: null }] },
  number: "FW-1234",
  lacksKey: false,
  issuedFor: "preview",
};
const GROUP: ApprovedWrite = {
  tool: "update_group",
  input: { id: "g1", name: "Dépôt \ud800 ✓" },
  number: undefined,
  lacksKey: false,
  issuedFor: "preview",
};

/** Created with node:crypto, as in releases before Web Crypto: tokens must be valid across the two. */
const KNOWN: [string, ApprovedWrite, number, string][] = [
  ["a job", JOB, 0, "mwoxspmo.FW-1234.GMW8cvH-tG5xQLwpsbemjU"],
  ["a job", JOB, 1, "mwoxspmo.FW-1234.NwWqzTzNiuRPfoc8UMvdfC"],
  ["the question about a job", { ...JOB, issuedFor: "question" }, 0, "mwoxspmo.FW-1234.gtZjlFUcTF_uA-piI2IJ7F"],
  ["the question about a job", { ...JOB, issuedFor: "question" }, 1, "mwoxspmo.FW-1234.KkO-rhZDNcelToUJ_7nF6T"],
  ["a group", GROUP, 0, "mwoxspmo..4SPzGUTGOBSu0138xTJHO5"],
  ["a group", GROUP, 1, "mwoxspmo..qmb6bXKy9iiU71zWyLRGVg"],
];

describe("a confirmation token", () => {
  it.each(KNOWN)("of %s equals that of earlier releases %#", async (_, approved, key, token) => {
    expect(await createConfirmationTokens(KEYS[key], SCOPE).issue(approved, NOW)).toBe(token);
    const { problem, isUnsent } = await createConfirmationTokens(KEYS[key], SCOPE).redeem(token, approved, NOW);
    expect([problem, isUnsent]).toEqual([undefined, false]);
  });

  it("is valid for one of two concurrent calls, and again once that one restores it", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE);
    const token = await tokens.issue(JOB, NOW);
    const both = await Promise.all([tokens.redeem(token, JOB, NOW), tokens.redeem(token, JOB, NOW)]);
    // Web Crypto uses threads: either may finish first.
    const [first, second] = both.sort((a, b) => Number(a.problem !== undefined) - Number(b.problem !== undefined));
    expect([first?.problem, first?.isUnsent, second?.problem, second?.isUnsent]).toEqual([undefined, true, "used", false]);
    second?.restore();
    expect((await tokens.redeem(token, JOB, NOW)).problem).toBe("used");
    first?.restore();
    expect((await tokens.redeem(token, JOB, NOW)).problem).toBeUndefined();
  });

  it("without a number or a key is only valid where it was issued", async () => {
    const lacksKey = { ...JOB, number: undefined, lacksKey: true };
    for (const [key, approved] of [
      [KEYS[0], lacksKey],
      [undefined, JOB],
    ] as const) {
      const [tokens, others] = [createConfirmationTokens(key, SCOPE), createConfirmationTokens(key, SCOPE)];
      const token = await tokens.issue(approved, NOW);
      expect((await others.redeem(token, approved, NOW)).problem).toBe("different");
      expect((await tokens.redeem(token, approved, NOW)).problem).toBeUndefined();
    }
  });

  it("with an unsigned number is rejected", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE);
    const forged = (await tokens.issue(GROUP, NOW)).replace("..", ".FW-1.");
    expect((await tokens.redeem(forged, GROUP, NOW)).problem).toBe("different");
  });

  it.each(["BwcH", "no base64!", ""])("rejects a key such as %j", (key) => {
    expect(() => createConfirmationTokens(key, SCOPE)).toThrow(FleetError);
    expect(() => createConfirmationTokens(key, SCOPE)).toThrow(/sealKey must be at least 32 bytes in base64$/);
  });
});
