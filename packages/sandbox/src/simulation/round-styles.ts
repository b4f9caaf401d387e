import type { DrivingStyle } from "./legs.ts";

/**
 * Styles of a working week: nights away, home every evening, many drops in town by truck or van, or a few visits by car; or around the clock between
 * depots, by truck or van, with drivers who take turns.
 */
export type RoundStyle = "haul" | "regional" | "distribution" | "local" | "visits" | "relay" | "express";

const HOUR = 3_600_000;

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
/** EU 561/2006: 45 minutes of break after at most four and a half hours of driving. */
export const LONGEST_DRIVING_MS = 4.5 * HOUR;
