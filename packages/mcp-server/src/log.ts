import { createRequire } from "node:module";
import { forTerminal } from "@fleetwire/core/internal";
import type { CallEvent, WriteEvent } from "@fleetwire/tools";
import type { ServerConfig } from "./server-config.ts";

/** Maximum log output to buffer, in bytes, while nobody reads stderr. Further lines are dropped. */
const MAX_BUFFERED_BYTES = 1_048_576;

/** The log that the server uses; any pino logger works. */
export interface ServerLog {
  error(event: object, message?: string): void;
  warn(event: object, message?: string): void;
  info(event: object, message?: string): void;
}

/** The log of a process. */
export interface ProcessLog extends ServerLog {
  /** Returns a log whose lines all have these fields. */
  child(fields: object): ServerLog;
}

const silenced = new WeakSet<object>();

/** Creates a log of JSON lines on stderr: tool names, job numbers, codes and durations, but nothing else from arguments or results. */
export function createLog(level: ServerConfig["log"]): ProcessLog {
  const { stderr } = process;
  // A failure to write the log must neither fail a call nor block the process.
  if (!silenced.has(stderr)) stderr.on("error", () => {});
  silenced.add(stderr);
  const stream = {
    write: (line: string) => {
      if (stderr.writableLength < MAX_BUFFERED_BYTES) stderr.write(forTerminal(line));
    },
  };
  const { pino } = createRequire(import.meta.url)("pino") as typeof import("pino");
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

const LEVELS: readonly ServerConfig["log"][] = ["debug", "info", "warn", "error", "silent"];

/** Like {@link createLog}, but loads the logger for the first line: most processes log nothing. */
export function deferredLog(level: ServerConfig["log"]): ServerLog {
  let log: ServerLog | undefined;
  const at = (line: keyof ServerLog) => (event: object, message?: string) => {
    if (LEVELS.indexOf(line) < LEVELS.indexOf(level)) return;
    log ??= createLog(level);
    log[line](event, message);
  };
  return { error: at("error"), warn: at("warn"), info: at("info") };
}

/** Logs a write before it is sent and once its outcome is known, at the default level, so that a job can be found by its number after a crash. */
export const logWrite = (log: ServerLog, event: Omit<WriteEvent, "fields">): void =>
  log.warn(event, event.outcome === undefined ? "sending" : "sent");

export const writeLogger =
  (log: ServerLog) =>
  ({ fields: _, ...event }: WriteEvent): void =>
    logWrite(log, event);

/** Logs the outcome of each tool call. */
export const callLogger =
  (log: ServerLog) =>
  (event: CallEvent): void =>
    log[event.outcome === "ok" || event.outcome === "question" ? "info" : "warn"](event, "tool call");
