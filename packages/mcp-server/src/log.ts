import type { FleetConfig } from "@fleetwire/core";
import { type Logger, pino } from "pino";
import { forTerminal } from "./cli/print.ts";

export type { Logger };

/** JSON lines on stderr. What is logged names tools, codes and durations, never arguments or results. */
export function createLog(level: FleetConfig["log"]): Logger {
  const stderr = pino.destination({ dest: 2, sync: true });
  const stream = { write: (line: string) => stderr.write(forTerminal(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
