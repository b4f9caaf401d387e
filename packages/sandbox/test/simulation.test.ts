import type { LivePosition } from "@fleetwire/core";
import { beforeAll, describe, expect, test } from "vitest";
import { checkDriving, checkPair, hoursBetween, isMoving, kmBetween, tryRandomPolls } from "./physics.ts";
import { callSandbox } from "./sandbox-caller.ts";

describe("chosen S43: the fleet obeys physics", () => {
  const call = callSandbox();
  const setMinute = (minute: number) => call.setClock(Date.UTC(2026, 10, 19) + minute * 60_000);
  const minutes: LivePosition[][] = [];
  beforeAll(async () => {
    for (let minute = 0; minute < 1440; minute++) {
      setMinute(minute);
      minutes.push(await call.live());
    }
  }, 120_000);

  test("for random seeds and instants, between polls seconds to days apart", () => tryRandomPolls(4), 120_000);

  test("minute by minute through a day, forwards and backwards", async () => {
    for (const [at, records] of minutes.entries()) {
      for (const [index, record] of records.entries()) {
        const previous = minutes[at - 1]?.[index];
        if (previous) checkPair(previous, record);
        if (previous && isMoving(previous) && isMoving(record) && hoursBetween(previous, record) < 0.03) checkDriving(previous, record);
      }
    }
    for (const minute of [1439, 700, 3]) {
      setMinute(minute);
      expect(await call.live()).toEqual(minutes[minute]);
    }
  });

  test("a trailer is at the position of its truck", () => {
    let together = 0;
    for (const live of minutes) {
      const [truck, trailer] = ["Truck 1", "Trailer 1"].map((name) => live.find(({ assetName }) => assetName === name));
      if (!truck || !trailer || Math.abs(hoursBetween(truck, trailer)) > 0.006) continue;
      expect(kmBetween(truck, trailer)).toBeLessThan(0.8);
      together++;
    }
    expect(together).toBeGreaterThan(5);
  });
});

describe("chosen S44: a vehicle's state is that of its latest report", () => {
  test("two polls without a report in between are equal", async () => {
    const call = callSandbox();
    const at = Date.UTC(2026, 10, 20, 9, 0, 7);
    call.setClock(at);
    const before: LivePosition[] = await call.live();
    call.setClock(at + 2000);
    for (const record of (await call.live()) as LivePosition[]) {
      const previous = before.find(({ assetId }) => assetId === record.assetId);
      if (previous?.date === record.date) expect(record).toEqual(previous);
    }
  });
});

describe("chosen S45: a fleet is parked at home before entry into service", () => {
  test("in 2015 nothing moves", async () => {
    const call = callSandbox();
    call.setClock(Date.UTC(2015, 5, 5, 9));
    const before: LivePosition[] = await call.live();
    call.setClock(Date.UTC(2015, 7, 7, 9));
    const after: LivePosition[] = await call.live();
    for (const [index, record] of after.entries()) {
      expect(record).toMatchObject({ speed: 0, odometer: before[index]?.odometer, latitude: before[index]?.latitude });
    }
  });
});
