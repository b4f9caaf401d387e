import type { CallEvent, WriteEvent } from "@fleetwire/tools";
import { type Logger, pino } from "pino";
import { forTerminal } from "./cli/print.ts";
import type { ServerConfig } from "./server-config.ts";

export type { Logger };

/** Bytes of log lines that wait for whoever reads stderr; further lines are dropped. */
const MOST_UNREAD = 1_048_576;

const quieted = new WeakSet<object>();

/** JSON lines on stderr. What is logged names tools, job numbers, codes and durations, and nothing else of arguments or results. */
export function createLog(level: ServerConfig["log"]): Logger {
  const { stderr } = process;
  // A log that nobody reads, or that has no room, is no reason for a call to fail or a process to stand still.
  if (!quieted.has(stderr)) stderr.on("error", () => {});
  quieted.add(stderr);
  const stream = {
    write: (line: string) => {
      if (stderr.writableLength < MOST_UNREAD) stderr.write(forTerminal(line));
    },
  };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** Logs a write before it goes out and once its outcome is known, at the default level: a person can look a job up by its number after a crash. */
export const writeLogger =
  (log: Logger) =>
  (event: WriteEvent): void =>
    log.warn(event, event.outcome === undefined ? "sending" : "sent");

/** Logs how a call of a tool ended. */
export const callLogger =
  (log: Logger) =>
  (event: CallEvent): void =>
    log[event.outcome === "ok" || event.outcome === "question" ? "info" : "warn"](event, "tool call");
