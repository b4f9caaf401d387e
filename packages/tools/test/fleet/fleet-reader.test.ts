import { FleetError, type FleetErrorCode } from "@fleetwire/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFleetReader } from "../../src/fleet/fleet-reader.ts";
import type { ToolClient } from "../../src/fleet/masked-client.ts";
import type { Position } from "../../src/fleet/position.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: MINUTE * 10, toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Settings {
  snapshotSeconds?: number;
  fullReadSeconds?: number;
  maxVehicles?: number;
  privacy?: string;
}

/** A reader of one vehicle, whose requests take and fail as `service` says. Times are in seconds since the test began. */
function readerUnderTest({ privacy = "respect", ...settings }: Settings = {}) {
  const begun = Date.now();
  const seconds = () => (Date.now() - begun) / 1000;
  const service = { duration: 0, failure: undefined as FleetErrorCode | undefined, name: "Truck 1" };
  const requests: { at: number; input: Record<string, unknown>; totalTimeout: number; isAborted: () => boolean }[] = [];
  interface Options {
    signal: AbortSignal;
    totalTimeout: number;
  }
  async function* iterate(input: Record<string, unknown>, { signal, totalTimeout }: Options): AsyncGenerator<Position> {
    requests.push({ at: seconds(), input, totalTimeout, isAborted: () => signal.aborted });
    if (service.failure) throw new FleetError(service.failure, "failed");
    yield { assetId: "v1", assetName: service.name };
    if (service.duration > 0) await new Promise((resolve) => setTimeout(resolve, service.duration * 1000));
    signal.throwIfAborted();
  }
  const client = { listLivePositions: { iterate } } as unknown as ToolClient;
  const reader = createFleetReader(client, { privacy, snapshotSeconds: 5, fullReadSeconds: 0, maxVehicles: 10, ...settings }, Date.now);
  /** The name of the vehicle, the view's age in seconds and how reading it failed. */
  const read = async (view = {}, signal?: AbortSignal) => {
    const seen: unknown[] = [];
    const onRead = (age: number, failure?: string) => seen.push(age / 1000, ...(failure ? [failure] : []));
    const { positions } = await reader.read(view, { onRead, ...(signal && { signal }) });
    return [positions[0]?.assetName, ...seen];
  };
  return {
    service,
    requests,
    reader,
    read,
    pass: (duration: number) => vi.advanceTimersByTimeAsync(duration * 1000),
    times: () => requests.map(({ at }) => at),
  };
}

describe("after a question, the view", () => {
  it("is refreshed before it is too old, for four times that long, and released when nobody has asked for ten minutes", async () => {
    const { read, pass, times } = readerUnderTest();
    expect(await read()).toEqual(["Truck 1", 0]);
    await pass(4);
    expect(await read()).toEqual(["Truck 1", 4]);
    await pass(700);
    expect(times()).toEqual([0, 5, 10, 15, 20]);
    expect(await read()).toEqual(["Truck 1", 0]);
    expect(times()).toHaveLength(6);
  });

  it("is refreshed four times even if the machine's clock is set back", async () => {
    const { read, pass, requests } = readerUnderTest();
    await read();
    vi.setSystemTime(0);
    await pass(300);
    expect(requests).toHaveLength(5);
  });

  it("is refreshed earlier by the time that takes, and stays current for three times that", async () => {
    const { read, pass, times, service } = readerUnderTest();
    service.duration = 2;
    const first = read();
    await pass(2);
    expect(await first).toEqual(["Truck 1", 0]);
    await pass(7);
    // Current for 6 seconds from 2; refreshed 2.4 seconds before that.
    expect(times()).toEqual([0, 5.6]);
  });

  it.each([
    [{}, 3],
    [{ withSold: true }, 1],
  ])("of %j is requested %i times in eleven seconds", async (view, count) => {
    const { read, pass, requests } = readerUnderTest();
    await read(view);
    await pass(11);
    expect(requests).toHaveLength(count);
    expect(requests.map(({ input }) => input)).toEqual(
      requests.map(() => ({ hideSpeedIfSpeedSensitive: true, ...("withSold" in view && { showAllVehicleStatus: true }) })),
    );
  });

  it("is read for five minutes at most, so that a list without an end does not stop later reads", async () => {
    const { read, requests } = readerUnderTest();
    await read();
    expect(requests.map(({ totalTimeout }) => totalTimeout)).toEqual([5 * MINUTE]);
  });

  it("of sold vehicles is released after a minute, and is requested again when it is too old", async () => {
    const { read, pass, service, times } = readerUnderTest({ snapshotSeconds: 50 });
    await read({ withSold: true });
    await pass(40);
    service.name = "Truck 2";
    expect(await read({ withSold: true })).toEqual(["Truck 1", 40]);
    await pass(10);
    expect(await read({ withSold: true })).toEqual(["Truck 2", 0]);
    await pass(60);
    service.failure = "network";
    await expect(read({ withSold: true })).rejects.toMatchObject({ code: "network" });
    expect(times()).toEqual([0, 50, 110]);
  });

  it("of sold vehicles is released a minute after the last question", async () => {
    const { read, pass, requests } = readerUnderTest({ snapshotSeconds: 300 });
    await read({ withSold: true });
    await pass(40);
    await read({ withSold: true });
    await pass(40);
    expect(await read({ withSold: true })).toEqual(["Truck 1", 80]);
    expect(requests).toHaveLength(1);
  });

  it("is requested for every question if results are not kept", async () => {
    const { read, requests, service } = readerUnderTest({ snapshotSeconds: 0, privacy: "off" });
    expect([await read(), await read()]).toEqual([
      ["Truck 1", 0],
      ["Truck 1", 0],
    ]);
    expect(requests.map(({ input }) => input)).toEqual([{ hideSpeedIfSpeedSensitive: false }, { hideSpeedIfSpeedSensitive: false }]);
    service.failure = "network";
    await expect(read()).rejects.toMatchObject({ code: "network" });
  });
});

describe("changes", () => {
  it("are requested between whole lists, with an overlap of two minutes", async () => {
    const { read, pass, requests } = readerUnderTest({ fullReadSeconds: 12 });
    const begun = Date.now();
    await read();
    await pass(15);
    const since = requests.map(({ at, input }) => [
      at,
      input["fromDateTime"] && ((input["fromDateTime"] as Date).getTime() - begun) / 1000,
    ]);
    expect(since).toEqual([
      [0, undefined],
      [5, -120],
      [10, -115],
      [15, undefined],
    ]);
  });

  it("are not requested after a write, which may change vehicles without changing their date", async () => {
    const { read, reader, requests } = readerUnderTest({ fullReadSeconds: 60 });
    await read();
    reader.invalidate();
    await read();
    expect(requests.map(({ input }) => input["fromDateTime"])).toEqual([undefined, undefined]);
  });
});

describe("after a write", () => {
  it("the view is read again, also if a request was in flight", async () => {
    const { read, reader, service, pass, times } = readerUnderTest();
    service.duration = 1;
    const before = read();
    reader.invalidate();
    const after = read();
    await pass(0.5);
    service.name = "Truck 2";
    await pass(1.5);
    expect([await before, await after]).toEqual([
      ["Truck 1", 0],
      ["Truck 2", 0],
    ]);
    expect(times()).toEqual([0, 1]);
  });

  it("an old view is not shown if the service fails", async () => {
    const { read, reader, service } = readerUnderTest();
    await read();
    await read({ withSold: true });
    reader.invalidate();
    service.failure = "network";
    await expect(read()).rejects.toMatchObject({ code: "network" });
    await expect(read({ withSold: true })).rejects.toMatchObject({ code: "network" });
  });
});

describe("while the service fails", () => {
  it.each<FleetErrorCode>(["network", "timeout", "upstream", "rateLimited"])(
    "the view is shown for a quarter of an hour: %s",
    async (failure) => {
      const { read, pass, service } = readerUnderTest();
      await read();
      service.failure = failure;
      await pass(100);
      expect(await read()).toEqual(["Truck 1", 100, failure]);
      await pass(400);
      await read();
      await pass(399);
      expect(await read()).toEqual(["Truck 1", 899, failure]);
      await pass(1);
      await expect(read()).rejects.toMatchObject({ code: failure });
    },
  );

  it.each<FleetErrorCode>(["rejected", "unauthorized", "contract"])(
    "the view is not shown if the request is at fault: %s",
    async (failure) => {
      const { read, pass, service } = readerUnderTest();
      await read();
      service.failure = failure;
      await pass(6);
      await expect(read()).rejects.toMatchObject({ code: failure });
      service.failure = undefined;
      expect(await read()).toEqual(["Truck 1", 0]);
    },
  );

  it("the view is requested three times as often while there are questions", async () => {
    const { read, pass, service, times } = readerUnderTest({ snapshotSeconds: 6 });
    await read();
    service.failure = "network";
    await pass(11);
    expect(times()).toEqual([0, 6, 8, 10]);
    service.failure = undefined;
    await pass(1);
    expect(await read()).toEqual(["Truck 1", 0]);
  });

  it("the view of sold vehicles is requested again by a question, but not by each", async () => {
    const { read, pass, service, times } = readerUnderTest();
    const sold = { withSold: true };
    await read(sold);
    service.failure = "network";
    await pass(6);
    expect(await read(sold)).toEqual(["Truck 1", 6, "network"]);
    await pass(4);
    expect(await read(sold)).toEqual(["Truck 1", 10, "network"]);
    await pass(1);
    service.failure = undefined;
    expect(await read(sold)).toEqual(["Truck 1", 0]);
    expect(times()).toEqual([0, 6, 11]);
  });
});

describe("a caller who leaves", () => {
  const timeout = new FleetError("timeout", "too slow");

  it.each([
    ["ends the request", undefined, true],
    ["by a deadline lets a list that is arriving arrive", timeout, false],
  ])("%s", async (_, reason, isAborted) => {
    const { read, pass, service, requests } = readerUnderTest();
    service.duration = 3;
    const controller = new AbortController();
    const left = read({}, controller.signal).catch(() => {});
    await pass(1);
    controller.abort(reason);
    await left;
    expect(requests[0]?.isAborted()).toBe(isAborted);
    const next = read();
    await pass(isAborted ? 4 : 2);
    expect(await next).toEqual(["Truck 1", 0]);
    // The next caller does not depend on the first request.
    expect(requests).toHaveLength(2);
  });
});

it("a list that is refreshed in the background for longer than a call takes is not waited for alone", async () => {
  const { read, pass, service, requests } = readerUnderTest();
  await read();
  service.duration = 200;
  await pass(56);
  service.duration = 0;
  expect(await read()).toEqual(["Truck 1", 0]);
  await pass(1);
  expect(requests.map(({ at, isAborted }) => [at, isAborted()])).toEqual([
    [0, false],
    [5, true],
    [56, false],
  ]);
});

it("a fleet may not be larger than allowed", async () => {
  const { read } = readerUnderTest({ maxVehicles: 0 });
  await expect(read()).rejects.toMatchObject({ code: "config" });
});
