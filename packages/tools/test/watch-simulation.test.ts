import { expect, it } from "vitest";
import { watchedTime } from "./watched-time.ts";

it("reports in an hour and a half what the simulation did, although its service fails in every way", async () => {
  const { told, expected, all, ids, falselySilent } = await watchedTime(90, 50);
  expect(expected.length).toBeGreaterThan(15);
  expect(told).toEqual(expected);
  expect(ids).toBe(all);
  expect(falselySilent).toEqual([]);
}, 120_000);
