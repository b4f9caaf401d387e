import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WriteStore } from "../../src/index.ts";
import { createSharedWrites } from "../../src/writes/shared-writes.ts";

const realTimeout = setTimeout;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets time pass in steps. Entries are signed between two of them, which takes real time. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    await vi.advanceTimersByTimeAsync(Math.min(500, left));
    await new Promise((resolve) => realTimeout(resolve, 5));
  }
}

/** Writes shared through an empty store, and what the store was asked. */
function writesUnderTest() {
  const asked: string[] = [];
  let isDown = false;
  const ask = <Value>(what: string, value: Value) => {
    asked.push(what);
    return isDown ? Promise.reject(new Error("down")) : Promise.resolve(value);
  };
  const store: WriteStore = {
    get: () => ask("get", undefined),
    add: () => ask("add", true),
    extend: () => ask("extend", true),
    remove: () => ask("remove", undefined),
  };
  const fail = () => {
    isDown = true;
  };
  return { writes: createSharedWrites(store, btoa("k".repeat(32)), "c1"), asked: () => asked.splice(0), fail };
}

it("a hold is extended four times in its six seconds, until its write ends", async () => {
  const { writes, asked } = writesUnderTest();
  await writes.begin("call", undefined);
  expect(asked()).toEqual(["add", "get"]);
  await pass(6_000);
  expect(asked()).toEqual(["extend", "extend", "extend", "extend"]);
  await writes.end("call", true);
  await pass(6_000);
  expect(asked(), "the hold is removed; the write was never recorded").toEqual(["remove"]);
});

it("a recorded write is removed once it is over, if not at first, then by a later call", async () => {
  const { writes, asked } = writesUnderTest();
  await writes.begin("call", undefined);
  await writes.record("call", { number: "J1", confirmation: undefined });
  await writes.record("call", { number: "J2", confirmation: undefined });
  expect(asked()).toEqual(["add", "get", "extend", "add"]);
  await writes.end("call", false);
  expect(asked(), "only the hold").toEqual(["remove"]);
  await writes.end("call", true);
  await writes.end("call", true);
  expect(asked(), "only the write").toEqual(["remove"]);
});

it.each([
  ["before its hold ends", 5_900, "network"],
  ["after its hold may have ended", 6_000, "unknownOutcome"],
])("a store that fails %s: a write that is not recorded yet", async (_, held, code) => {
  const { writes, fail } = writesUnderTest();
  await writes.begin("call", undefined);
  fail();
  await pass(held);
  for (const command of [() => writes.record("call", { number: "J1" }), () => writes.use("token", "call"), () => writes.check("call")])
    await expect(command()).rejects.toMatchObject({ code });
});
