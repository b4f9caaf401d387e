import { FleetError } from "@fleetwire/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FleetReader } from "../../src/fleet/fleet-reader.ts";
import { FleetView } from "../../src/fleet/fleet-view.ts";
import { VehicleWatches } from "../../src/fleet/vehicle-watches.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches of a fleet that is read or fails as `service` says, with the seconds at which it was read. */
function watchesUnderTest(snapshotSeconds = 5) {
  const service = { isFailing: false, isSilent: false };
  const reads: number[] = [];
  let lastSignal: AbortSignal | undefined;
  const reader: FleetReader = {
    read: async (_, { signal, onRead }) => {
      reads.push(Date.now() / 1000);
      lastSignal = signal;
      if (service.isSilent) await new Promise(() => {});
      if (service.isFailing) throw new FleetError("upstream", "failed");
      onRead?.(0);
      return new FleetView();
    },
    invalidate: () => {},
  };
  const watches = new VehicleWatches(reader, snapshotSeconds);
  const watch = (assetId: string) => {
    const ending = new AbortController();
    watches.add({ assetId }, () => {}, ending.signal);
    return () => ending.abort();
  };
  return {
    service,
    reads,
    watch,
    isAborted: () => lastSignal?.aborted,
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000),
  };
}

it("watches read the fleet at intervals that double, up to a minute, while the service fails", async () => {
  const { service, reads, watch, pass } = watchesUnderTest();
  watch("v1");
  await pass(11);
  service.isFailing = true;
  await pass(210);
  service.isFailing = false;
  await pass(70);
  expect(reads).toEqual([5, 10, 15, 25, 45, 85, 145, 205, 265, 270, 275, 280, 285, 290]);
});

it.each([
  [0, [5, 10]],
  [120, [120, 240]],
])("watches with a view of %i seconds read the fleet at %j", async (snapshotSeconds, times) => {
  const { reads, watch, pass } = watchesUnderTest(snapshotSeconds);
  watch("v1");
  await pass(times.at(-1) ?? 0);
  expect(reads).toEqual(times);
});

it("watches read until the last one ends, and then as if none had failed", async () => {
  const { service, reads, watch, pass } = watchesUnderTest();
  service.isFailing = true;
  const [endOne, endOther] = [watch("v1"), watch("v2")];
  endOne();
  await pass(20);
  expect(reads).toEqual([5, 15]);
  endOther();
  await pass(100);
  watch("v1");
  await pass(5);
  expect(reads).toEqual([5, 15, 125]);
});

it("the end of the last watch aborts its read", async () => {
  const { service, watch, isAborted, pass } = watchesUnderTest();
  service.isSilent = true;
  const end = watch("v1");
  await pass(5);
  expect(isAborted()).toBe(false);
  end();
  expect(isAborted()).toBe(true);
});

it("a vehicle without an id cannot be watched", () => {
  expect(() => watchesUnderTest().watch("")).toThrow(/has no id/);
});
