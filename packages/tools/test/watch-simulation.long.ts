import { expect, it } from "vitest";
import { watchedTime } from "./watched-time.ts";

it(
  "reports in a simulated week what 150 vehicles did, although their service fails in every way",
  async () => {
    const { told, expected, all, ids, falselySilent } = await watchedTime(7 * 24 * 60, 150);
    expect(expected.length).toBeGreaterThan(10_000);
    expect(told).toEqual(expected);
    expect(ids).toBe(all);
    expect(falselySilent).toEqual([]);
  },
  90 * 60_000,
);
