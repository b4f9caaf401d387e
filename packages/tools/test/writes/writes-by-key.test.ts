import { FleetError } from "@fleetwire/core";
import { expect, it } from "vitest";
import type { CompletedWrite } from "../../src/model/completed-write.ts";
import { createWritesByKey } from "../../src/writes/writes-by-key.ts";

const SENT: CompletedWrite = { outcome: "created", result: () => ({ text: "", structured: {} }) };

/** Tracks a write with the key "k" that ends as given, and waits for its end. */
async function tracked(writes: ReturnType<typeof createWritesByKey>, end: Promise<CompletedWrite>) {
  writes.track("k", "call", end);
  await end.catch(() => {});
  await Promise.resolve();
}

it.each<[string, unknown, boolean, boolean]>([
  // how the write ends, whether it may have been sent, whether the key can be used for another call
  ["rejected", new FleetError("rejected", "no"), false, true],
  ["with an internal error", new TypeError("no"), false, true],
  ["with an unknown outcome", new FleetError("unknownOutcome", "perhaps"), true, false],
])("a key whose write ended %s", async (_, error, maybeSent, isFree) => {
  const writes = createWritesByKey();
  expect([writes.find("k", "call"), writes.maybeSent("k")]).toEqual([undefined, false]);
  await tracked(writes, Promise.reject(error));
  expect([writes.find("k", "call"), writes.maybeSent("k")]).toEqual([undefined, maybeSent]);
  if (isFree) expect(writes.find("k", "another")).toBeUndefined();
  else expect(() => writes.find("k", "another")).toThrow("idempotencyKey: was already used with another tool or other arguments");
});

it("a key returns the write that was sent with it, to the same call only", async () => {
  const writes = createWritesByKey();
  const sending = Promise.resolve(SENT);
  await tracked(writes, sending);
  expect(writes.find("k", "call")).toBe(sending);
  expect(() => writes.find("k", "another")).toThrow(expect.objectContaining({ code: "input", advice: "Use each key for one call only" }));
});

it("a key whose first write may have been sent stays so, whatever comes of the second one", async () => {
  const writes = createWritesByKey();
  await tracked(writes, Promise.reject(new FleetError("unknownOutcome", "perhaps")));
  await tracked(writes, Promise.reject(new FleetError("rejected", "no")));
  expect(writes.maybeSent("k")).toBe(true);
  await tracked(writes, Promise.resolve(SENT));
  expect([writes.maybeSent("k"), await writes.find("k", "call")]).toEqual([true, SENT]);
});

it("a write that fails late does not end a later one with its key", async () => {
  const writes = createWritesByKey();
  let fail = (_: unknown) => {};
  const slow = new Promise<CompletedWrite>((_, reject) => {
    fail = reject;
  });
  writes.track("k", "call", slow);
  await tracked(writes, Promise.resolve(SENT));
  fail(new FleetError("rejected", "no"));
  await slow.catch(() => {});
  await Promise.resolve();
  expect(await writes.find("k", "call")).toBe(SENT);
});
