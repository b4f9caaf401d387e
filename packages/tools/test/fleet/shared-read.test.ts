import { describe, expect, it } from "vitest";
import { SharedRead } from "../../src/fleet/shared-read.ts";

/** A read in flight, with functions to end it. */
function reading(options?: { isKept: boolean }) {
  const { promise, resolve, reject } = withResolvers();
  const read = new SharedRead(() => promise, options);
  return { read, resolve, reject };
}

function withResolvers() {
  let [resolve, reject] = [(_: string) => {}, (_: Error) => {}];
  const promise = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

const aborted = { code: "aborted", operation: "listJobs", message: "listJobs: the caller aborted the call" };

describe("a read that several wait for", () => {
  it("continues until the last of them has left", async () => {
    const { read } = reading();
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }) => read.wait(signal, "listJobs"));
    first.abort();
    await expect(waiting[0]).rejects.toMatchObject(aborted);
    expect(read.isAborted).toBe(false);
    second.abort();
    await expect(waiting[1]).rejects.toMatchObject(aborted);
    expect(read.isAborted).toBe(true);
  });

  it("is not joined by a caller who has already left", async () => {
    const { read } = reading();
    await expect(read.wait(AbortSignal.abort(), "listJobs")).rejects.toMatchObject(aborted);
    expect(read.isAborted).toBe(true);
  });

  it("has one result for all, and is not aborted afterwards", async () => {
    const { read, resolve } = reading();
    const waiting = [read.wait(new AbortController().signal, "listJobs"), read.wait(undefined, "listJobs")];
    resolve("jobs");
    expect(await Promise.all(waiting)).toEqual(["jobs", "jobs"]);
    expect(read.isAborted).toBe(false);
  });

  it("fails for all", async () => {
    const { read, reject } = reading();
    const waiting = read.wait(new AbortController().signal, "listJobs");
    reject(new Error("broken"));
    await expect(waiting).rejects.toThrow("broken");
    expect(read.isAborted).toBe(false);
  });

  it("leaves no listener behind", async () => {
    const { read, resolve } = reading();
    const { signal } = new AbortController();
    let listeners = 0;
    const count = (by: number) => () => {
      listeners += by;
    };
    Object.assign(signal, { addEventListener: count(1), removeEventListener: count(-1) });
    const waiting = read.wait(signal, "listJobs");
    expect(listeners).toBe(1);
    resolve("jobs");
    await waiting;
    expect(listeners).toBe(0);
  });
});

describe("a read that is kept", () => {
  it.each([
    ["from the start", { isKept: true }, false],
    ["later", undefined, true],
  ])("%s continues without anyone", async (_, options, later) => {
    const { read } = reading(options);
    if (later) read.keep();
    const controller = new AbortController();
    const waiting = read.wait(controller.signal, "listJobs");
    controller.abort();
    await expect(waiting).rejects.toMatchObject(aborted);
    expect(read.isAborted).toBe(false);
  });
});
