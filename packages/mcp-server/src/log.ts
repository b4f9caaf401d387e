import type { FleetConfig } from "@fleetwire/core";
import { type Logger, pino } from "pino";

export type { Logger };

/** JSON lines on stderr. What is logged names tools, codes and durations, never arguments or results. */
export function createLog(level: FleetConfig["log"]): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
}
