import { FleetError } from "@fleetwire/core";
import { describe, expect, it, vi } from "vitest";
import type { CompletedWrite } from "../../src/model/completed-write.ts";
import { type Caller, createUndeliveredWrites } from "../../src/writes/undelivered-writes.ts";

const SENT: CompletedWrite = { outcome: "created", result: () => ({ text: "", structured: { result: "created" } }) };
const REFUSED = new FleetError("input", "refused");
const LOST = new FleetError("unknownOutcome", "lost");

const ended = async (result: CompletedWrite | Error): Promise<CompletedWrite> => {
  if (result instanceof Error) throw result;
  return result;
};

describe("the outcome of a write is kept for the same call", () => {
  const gone = { signal: AbortSignal.abort() };
  const replies = (...all: boolean[]) => {
    let at = 0;
    return { delivered: async () => all[at++] ?? true };
  };

  it.each<[string, CompletedWrite | Error, () => Caller, boolean]>([
    ["its caller has it", SENT, () => ({}), false],
    ["it was delivered", SENT, () => replies(true, true), false],
    ["it was not delivered", SENT, () => replies(true, false), true],
    ["its caller had left before, but gets it all the same", SENT, () => replies(false, true), false],
    ["its caller had left", SENT, () => gone, true],
    ["delivery fails", SENT, () => ({ delivered: () => Promise.reject(new Error("broken")) }), true],
    ["it changed nothing", REFUSED, () => gone, false],
    ["it changed nothing, and was not delivered", REFUSED, () => replies(false, false), false],
    ["it failed, perhaps after it was sent", LOST, () => gone, true],
    ["the caller knows that it failed", LOST, () => ({}), false],
  ])("%s", async (_, result, caller, isKept) => {
    const writes = createUndeliveredWrites();
    const sending = ended(result);
    const isOver = await writes.track("k", sending, caller()).catch(() => undefined);
    expect([writes.take("k") === sending, writes.take("k")]).toEqual([isKept, undefined]);
    if (isOver !== undefined) expect(isOver).toBe(!isKept);
    await sending.catch(() => {});
  });
});

it("a later write of the same call is not forgotten with an earlier one", async () => {
  const writes = createUndeliveredWrites();
  let end = (_: CompletedWrite) => {};
  const first = new Promise<CompletedWrite>((resolve) => {
    end = resolve;
  });
  const isOver = writes.track("k", first, {});
  const second = ended(SENT);
  await writes.track("k", second, { signal: AbortSignal.abort() });
  end(SENT);
  expect(await isOver).toBe(true);
  expect(writes.take("k")).toBe(second);
});

it("a write is in flight until its caller has the result or leaves, and unsettled until it has ended", async () => {
  const writes = createUndeliveredWrites();
  const leaving = new AbortController();
  let end = (_: CompletedWrite) => {};
  const sending = new Promise<CompletedWrite>((resolve) => {
    end = resolve;
  });
  const isOver = writes.track("k", sending, { signal: leaving.signal });
  const identical = writes.inFlight("k");
  expect([identical, writes.inFlight("another")]).toEqual([expect.any(Promise), undefined]);
  leaving.abort();
  await identical;
  expect(writes.inFlight("k")).toBeUndefined();
  let isSettled = false;
  const settled = writes.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(isSettled).toBe(false);
  end(SENT);
  await settled;
  expect(await isOver).toBe(false);
  expect(writes.take("k")).toBe(sending);
});

it("a caller whose signal fires after the result has arrived still has it", async () => {
  const writes = createUndeliveredWrites();
  const leaving = new AbortController();
  expect(await writes.track("k", ended(SENT), { signal: leaving.signal, delivered: async () => true })).toBe(true);
  leaving.abort();
  expect(writes.take("k")).toBeUndefined();
});

it("a caller whose signal fires while the result is delivered is not gone", async () => {
  const writes = createUndeliveredWrites();
  const leaving = new AbortController();
  let respond = (_: boolean) => {};
  const delivered = new Promise<boolean>((resolve) => {
    respond = resolve;
  });
  const isOver = writes.track("k", ended(SENT), { signal: leaving.signal, delivered: () => delivered });
  await new Promise((resolve) => setTimeout(resolve));
  leaving.abort();
  expect(writes.take("k")).toBeUndefined();
  respond(true);
  expect(await isOver).toBe(true);
});

it("an outcome is kept for ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    for (const [minutes, isKept] of [
      [10, true],
      [10.001, false],
    ] as const) {
      const writes = createUndeliveredWrites();
      await writes.track("k", ended(SENT), { signal: AbortSignal.abort() });
      vi.advanceTimersByTime(minutes * 60_000);
      expect(writes.take("k") !== undefined).toBe(isKept);
    }
  } finally {
    vi.useRealTimers();
  }
});
