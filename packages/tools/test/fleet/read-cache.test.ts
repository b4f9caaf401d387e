import { describe, expect, it } from "vitest";
import { ReadCache } from "../../src/fleet/read-cache.ts";

/** A cache at time 0 whose reads return 1, 2, 3 ..., each under its operation's name. */
function cacheUnderTest(seconds = 5) {
  const clock = { now: 0 };
  const cache = new ReadCache({ seconds, now: () => clock.now });
  const sent: unknown[] = [];
  const ages: number[] = [];
  const onRead = (age: number) => ages.push(age);
  const read = (operation = "list", input: unknown = {}, options = {}) =>
    cache.read(operation, input, { onRead, ...options }, async (given) => {
      sent.push(given);
      return sent.length;
    });
  const pages = async (operation = "list", input: unknown = {}, options = {}) => {
    const all: unknown[] = [];
    async function* send(given: unknown) {
      sent.push(given);
      const count = sent.length;
      yield `${count}a`;
      yield `${count}b`;
    }
    for await (const page of cache.readPages(operation, input, { onRead, ...options }, send)) all.push(page);
    return all.join(" ");
  };
  return { cache, clock, sent, ages, read, pages };
}

describe("a cached read", () => {
  it("is returned until it is too old, with its age", async () => {
    const { clock, read, ages } = cacheUnderTest();
    const results: unknown[] = [];
    for (clock.now of [0, 1, 4_999, 5_000, 9_999]) results.push(await read());
    expect([results, ages]).toEqual([
      [1, 1, 1, 2, 2],
      [0, 1, 4_999, 0, 4_999],
    ]);
  });

  it("is of the same operation, input and options, whoever reads", async () => {
    const { read } = cacheUnderTest();
    const signal = new AbortController().signal;
    const results = [
      await read(),
      await read("list", {}, { signal, trace: { traceparent: "x" } }),
      await read("other"),
      await read("list", { a: 1 }),
      await read("list", {}, { timeout: 9 }),
    ];
    expect(results).toEqual([1, 1, 2, 3, 4]);
  });

  it("passes on the options and the trace of its first reader, but a signal of its own", async () => {
    const { read, sent } = cacheUnderTest();
    const { signal } = new AbortController();
    await read("list", {}, { signal, timeout: 9, trace: { traceparent: "x" } });
    await read("other");
    expect(sent).toEqual([
      { timeout: 9, trace: { traceparent: "x" }, signal: expect.any(AbortSignal) },
      { signal: expect.any(AbortSignal) },
    ]);
    expect((sent[0] as { signal: AbortSignal }).signal).not.toBe(signal);
  });

  it("is joined while in flight, even if nothing is kept afterwards", async () => {
    const { read } = cacheUnderTest(0);
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    expect(await read()).toBe(2);
  });

  it("is not joined once its callers have left", async () => {
    const { cache, read } = cacheUnderTest();
    const controller = new AbortController();
    const left = cache.read("list", {}, { signal: controller.signal }, () => new Promise(() => {}));
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: "aborted", message: "list: the caller aborted the call" });
    expect(await read()).toBe(1);
  });

  it("is not kept if it fails", async () => {
    const { cache, read } = cacheUnderTest();
    await expect(cache.read("list", {}, {}, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await read()).toBe(1);
  });

  it("is dropped by a write, also if it is in flight", async () => {
    const { cache, read } = cacheUnderTest();
    const slow = read();
    cache.clear();
    expect([await read(), await slow, await read()]).toEqual([2, 1, 2]);
    cache.clear();
    expect(await read()).toBe(3);
  });

  it("makes room for the ninth", async () => {
    const { read } = cacheUnderTest();
    for (let at = 1; at <= 8; at++) await read(`list${at}`);
    expect([await read("list1"), await read("list8"), await read("list9"), await read("list2"), await read("list1")]).toEqual([
      1, 8, 9, 2, 10,
    ]);
  });
});

describe("cached pages", () => {
  it("are returned once all have been read, with their age", async () => {
    const { clock, pages, ages } = cacheUnderTest();
    expect(await pages()).toBe("1a 1b");
    clock.now = 4_999;
    expect([await pages(), await pages("list", { a: 1 }), await pages("other"), await pages("list", {}, { timeout: 9 })]).toEqual([
      "1a 1b",
      "2a 2b",
      "3a 3b",
      "4a 4b",
    ]);
    expect(ages).toEqual([4_999]);
    clock.now = 5_000;
    expect(await pages()).toBe("5a 5b");
  });

  it("are not mixed up with the list as a whole, and keep their caller's options", async () => {
    const { read, pages, sent } = cacheUnderTest();
    const options = { signal: new AbortController().signal, trace: { traceparent: "x" }, timeout: 9 };
    expect([await read("list", {}, options), await pages("list", {}, options)]).toEqual([1, "2a 2b"]);
    expect(sent[1]).toMatchObject(options);
    expect(await pages("list", {}, { timeout: 9 })).toBe("2a 2b");
  });

  it("are not kept if the caller leaves early, or a write comes in between", async () => {
    const { cache, pages } = cacheUnderTest();
    async function* send() {
      yield "first";
      yield "second";
    }
    for await (const _ of cache.readPages("list", {}, {}, send)) break;
    expect(await pages()).toBe("1a 1b");
    for await (const page of cache.readPages("other", {}, {}, send)) if (page === "first") cache.clear();
    expect(await pages("other")).toBe("2a 2b");
  });
});
