import { draw, drawBetween, topic } from "./random.ts";

const GAP = topic("gap in the reception");
const FIX = topic("fix without satellites");

const WINDOW_MS = 2 * 3_600_000;
const MINUTE = 60_000;
const GAPS = 0.12;
const LOST_FIXES = 0.02;

/** A time in which no report of a tracking unit arrives, in epoch ms. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

/** The gap in a tracking unit's reception at an instant: about every eighth two hours have one, of 10 to 50 minutes. */
export function gapAt(serialNumber: number, now: number): Gap | undefined {
  const window = Math.floor(now / WINDOW_MS);
  if (draw(serialNumber, GAP, window) >= GAPS) return undefined;
  const start = window * WINDOW_MS + Math.floor(drawBetween(0, 65, serialNumber, GAP, window, 1)) * MINUTE;
  const end = start + Math.floor(drawBetween(10, 50, serialNumber, GAP, window, 2)) * MINUTE;
  return now >= start && now < end ? { start, end } : undefined;
}

/** Whether a report has no fix, so that it comes from latitude and longitude 0. */
export function hasLostFix(serialNumber: number, at: number): boolean {
  return draw(serialNumber, FIX, Math.floor(at / 1000)) < LOST_FIXES;
}
