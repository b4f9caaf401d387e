import { expect, it } from "vitest";
import { watchedTime } from "./watched-time.ts";

it("reports in two simulated hours what the simulation did, although its service fails in every way", async () => {
  const { told, expected, all, ids, falselySilent } = await watchedTime(120, 100);
  expect(expected.length).toBeGreaterThan(30);
  expect(told).toEqual(expected);
  expect(ids).toBe(all);
  expect(falselySilent).toEqual([]);
}, 120_000);
