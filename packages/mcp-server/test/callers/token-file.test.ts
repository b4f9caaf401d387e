import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { fileTokens } from "../../src/callers/token-file.ts";
import type { ServerLog } from "../../src/log.ts";
import { tokensFile } from "../callers-under-test.ts";

afterEach(() => {
  vi.useRealTimers();
});

const READ = { scopes: ["fleet:read"] } as const;

function underTest() {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { file, tokens } = tokensFile({ day: READ, night: READ });
  const lines: unknown[] = [];
  const log = { info: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) } as unknown as ServerLog;
  const verify = fileTokens(file, log);
  const isKnown = async (token: string) =>
    verify(token).then(
      () => true,
      () => false,
    );
  const knows = async () => [await isKnown(tokens.day), await isKnown(tokens.night)];
  const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const revokeDay = () => {
    const { tokens: entries } = JSON.parse(readFileSync(file, "utf8")) as { tokens: { name: string }[] };
    writeFileSync(file, JSON.stringify({ tokens: entries.filter(({ name }) => name !== "day") }));
  };
  return { file, tokens, lines, verify, knows, later, revokeDay };
}

it("a change of the file takes effect once a second has passed, and is read once", async () => {
  const { lines, knows, later, revokeDay } = underTest();
  revokeDay();
  later(999);
  expect(await knows()).toEqual([true, true]);
  later(1);
  expect(await knows()).toEqual([false, true]);
  for (let count = 0; count < 3; count++) {
    later(1_100);
    expect(await knows()).toEqual([false, true]);
  }
  expect(lines).toEqual([[{ tokens: 1 }, "tokens read"]]);
});

it("a change takes effect even if the clock was set back", async () => {
  const { knows, later, revokeDay } = underTest();
  revokeDay();
  later(-3_600_000);
  expect(await knows()).toEqual([false, true]);
});

it("without the file, the tokens read last remain valid, and the log says so once", async () => {
  const { file, lines, knows, later } = underTest();
  rmSync(file);
  for (let count = 0; count < 3; count++) {
    later(1_100);
    expect(await knows()).toEqual([true, true]);
  }
  expect(lines).toEqual([[{ problem: expect.stringContaining("FLEET_TOKENS_FILE") }, "tokens not read; the previous ones remain valid"]]);
});

it("the log says again that the file cannot be read, once it could be read in between", async () => {
  const { file, lines, knows, later } = underTest();
  const text = readFileSync(file, "utf8");
  for (const change of [() => rmSync(file), () => writeFileSync(file, text, { mode: 0o600 }), () => rmSync(file)]) {
    change();
    later(1_100);
    expect(await knows()).toEqual([true, true]);
  }
  const lost = [{ problem: expect.any(String) }, "tokens not read; the previous ones remain valid"];
  expect(lines).toEqual([lost, [{ tokens: 2 }, "tokens read"], lost]);
});

it("the holder of a token is the client of that name", async () => {
  const { tokens, verify } = underTest();
  const holder = { id: "day", clientId: "day", scopes: ["fleet:read"], expiresAt: Number.MAX_SAFE_INTEGER, tenants: [] };
  expect(await verify(tokens.day)).toEqual(holder);
});
