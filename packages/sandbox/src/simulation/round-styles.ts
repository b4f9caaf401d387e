import { LIMITS } from "@fleetwire/driving-time";
import type { DrivingStyle } from "./legs.ts";

/**
 * Styles of a working week: nights away, home every evening, many drops in town by truck or van, or a few visits by car; or around the clock between
 * depots, by truck or van, with drivers who take turns.
 */
export type RoundStyle = "haul" | "regional" | "distribution" | "local" | "visits" | "relay" | "express";

export const DRIVING: Record<RoundStyle, DrivingStyle> = {
  haul: { town: 42, open: 82, pull: 1.4 },
  regional: { town: 40, open: 80, pull: 1.4 },
  distribution: { town: 32, open: 78, pull: 1.6 },
  local: { town: 34, open: 92, pull: 3 },
  visits: { town: 38, open: 112, pull: 5 },
  relay: { town: 42, open: 82, pull: 1.4 },
  express: { town: 34, open: 92, pull: 3 },
};

/** Total hours at stops per day. */
export const STOP_HOURS: Record<RoundStyle, number> = {
  haul: 2.2,
  regional: 2.6,
  distribution: 5,
  local: 4.5,
  visits: 2.6,
  relay: 0.5,
  express: 0.7,
};

const MINUTE = 60_000;

/** Drivers return from breaks a little late. */
export const SHORTEST_BREAK_MS = LIMITS.fullBreak + MINUTE;
export const LONGEST_BREAK_MS = LIMITS.fullBreak + 13 * MINUTE;
