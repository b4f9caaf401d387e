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

  it.each(["", "x", "mwoxspmo.FW-1234", "mwoxspmo.FW-1234.short", "MWOXSPMO..4SPzGUTGOBSu0138xTJHO5"])(
    "such as %j is malformed",
    async (token) => {
      const tokens = createConfirmationTokens(KEYS[0], SCOPE);
      expect(await tokens.redeem(token, JOB, NOW)).toMatchObject({ problem: "malformed", isUnsent: false });
      expect([tokens.jobNumberIn(token), tokens.issuedAt(token), tokens.isUnsent(token)]).toEqual([undefined, undefined, false]);
    },
  );

  it("says when it was issued and for which number", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE);
    const [job, group] = [await tokens.issue(JOB, NOW), await tokens.issue(GROUP, NOW + 1)];
    expect([tokens.jobNumberIn(job), tokens.issuedAt(job)]).toEqual(["FW-1234", NOW]);
    expect([tokens.jobNumberIn(group), tokens.issuedAt(group)]).toEqual([undefined, NOW + 1]);
  });

  it("is valid for ten minutes", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE);
    const token = await tokens.issue(JOB, NOW);
    expect(await tokens.redeem(token, JOB, NOW + 600_001)).toMatchObject({ problem: "expired", isUnsent: true });
    expect((await tokens.redeem(token, JOB, NOW + 600_000)).problem).toBeUndefined();
    expect(await tokens.redeem(token, JOB, NOW + 600_001)).toMatchObject({ problem: "used", isUnsent: false });
  });

  it("is unsent if this process issued it, it was never used, and no earlier one may have been", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE);
    const [first, second, third] = [await tokens.issue(JOB, NOW), await tokens.issue(JOB, NOW + 1, true), await tokens.issue(JOB, NOW + 2)];
    const unsent = () => [first, second, third].map(tokens.isUnsent);
    expect(unsent()).toEqual([true, false, true]);
    expect((await tokens.redeem(second, JOB, NOW)).isUnsent).toBe(false);
    await tokens.redeem(first, JOB, NOW);
    await tokens.discard(third);
    expect(unsent()).toEqual([false, false, false]);
    expect((await tokens.redeem(third, JOB, NOW)).problem).toBe("used");
    expect(createConfirmationTokens(KEYS[0], SCOPE).isUnsent(first)).toBe(false);
  });

  it("is valid again for the call that resumes an interrupted write", async () => {
    const tokens = createConfirmationTokens(KEYS[0], SCOPE, { isShared: true, use: async () => false, restore: async () => {} });
    const token = await tokens.issue(JOB, NOW);
    expect((await tokens.redeem(token, JOB, NOW)).problem).toBe("used");
    const others = createConfirmationTokens(KEYS[0], SCOPE, { isShared: true, use: async () => false, restore: async () => {} });
    const resumed = await others.redeem(token, JOB, NOW, { resumed: token });
    expect([resumed.problem, resumed.isUnsent]).toEqual([undefined, false]);
    expect((await others.redeem(token, JOB, NOW, { resumed: token })).problem).toBe("used");
    await resumed.restore();
    expect((await others.redeem(token, JOB, NOW, { resumed: token })).problem).toBeUndefined();
  });

  it("is shared by processes: used in one, it is used in all", async () => {
    const taken = new Set<string>();
    const isDown = { value: false };
    const shared = {
      isShared: true,
      use: async (mac: string) => {
        if (isDown.value) throw new Error("down");
        return !taken.has(mac) && taken.add(mac).size > 0;
      },
      restore: async (mac: string) => void taken.delete(mac),
    };
    const [one, other] = [createConfirmationTokens(KEYS[0], SCOPE, shared), createConfirmationTokens(KEYS[0], SCOPE, shared)];
    const token = await one.issue(JOB, NOW);
    isDown.value = true;
    await expect(other.redeem(token, JOB, NOW)).rejects.toThrow("down");
    await one.discard(await one.issue(GROUP, NOW));
    isDown.value = false;
    const first = await other.redeem(token, JOB, NOW);
    expect([first.problem, first.isUnsent, other.isUnsent(token)]).toEqual([undefined, true, false]);
    expect(await one.redeem(token, JOB, NOW)).toMatchObject({ problem: "used", isUnsent: false });
    await first.restore();
    expect(taken.size).toBe(0);
    expect((await other.redeem(token, JOB, NOW)).problem).toBeUndefined();
    const late = await one.issue(JOB, NOW + 5);
    expect(await one.redeem(late, JOB, NOW + 700_000)).toMatchObject({ problem: "expired", isUnsent: false });
    const forged = await createConfirmationTokens(KEYS[1], SCOPE).issue(GROUP, NOW);
    await one.discard(forged);
    await one.discard(late);
    expect(taken.size).toBe(2);
  });

  it.each(["BwcH", "no base64!", ""])("rejects a key such as %j", (key) => {
    expect(() => createConfirmationTokens(key, SCOPE)).toThrow(FleetError);
    expect(() => createConfirmationTokens(key, SCOPE)).toThrow(/sealKey must be at least 32 bytes in base64$/);
  });
});
