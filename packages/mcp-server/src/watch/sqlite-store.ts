import { closeSync, existsSync, fsyncSync, openSync, realpathSync, rmSync, writeSync } from "node:fs";
import { FleetError } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type { WatchEvent } from "@fleetwire/tools/watch";
import type { Database as SqliteDatabase } from "node-sqlite3-wasm";
import { withPackage } from "../optional-package.ts";
import { lockFor } from "./one-process.ts";
import { addressHash, type Receiver, type StateStore } from "./state-store.ts";

const VERSION = 2;
/** How long the ids of delivered events are remembered, in milliseconds. */
const KEPT = 30 * 24 * 3_600_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tracks (key TEXT PRIMARY KEY, track TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event TEXT, saved INTEGER NOT NULL, isPending INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS deliveries (id TEXT NOT NULL, channel TEXT NOT NULL, attempts INTEGER NOT NULL,
    next INTEGER NOT NULL, isDead INTEGER NOT NULL, delay INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (channel, id)) WITHOUT ROWID;`;

/** Tries what the library does, which reports every failed write as the same error. */
function writeProblem(path: string): string {
  const probe = `${path}.probe`;
  try {
    if (existsSync(path)) closeSync(openSync(path, "r+"));
    const file = openSync(probe, "w", 0o600);
    try {
      writeSync(file, new Uint8Array(4096));
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return "";
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const DAMAGED = "malformed state";
const NEWER = "state of a newer version";

/** What is saved, or what it should be: whoever reads it can rely on these. */
function parsed(text: unknown, keys: readonly string[]): Record<string, unknown> {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : undefined;
  if (!isRecord(value) || keys.some((key) => typeof value[key] !== "string")) throw new Error(DAMAGED);
  return value;
}

const eventIn = (text: unknown) => parsed(text, ["id", "when", "text", "at"]) as WatchEvent;

/** Says what is wrong with the file, without SQLite's terms. */
function failure(path: string, error: unknown): FleetError {
  if (error instanceof FleetError) return error;
  const { message = "", code } = error as NodeJS.ErrnoException;
  const text = `${code} ${message} ${writeProblem(path)}`;
  const [what, advice] = /full|ENOSPC|EDQUOT/i.test(text)
    ? ["the disk is full", "Free some space, then start the watch again: nothing is lost"]
    : /readonly|EROFS|EACCES|EPERM/i.test(text)
      ? ["it cannot be written", "Make the file and its folder writable for this user"]
      : code === "EISDIR"
        ? ["it is a folder", "Name a file in it"]
        : message === NEWER
          ? ["it was written by a newer version", "Install that version, or name another file"]
          : error instanceof SyntaxError || /not a database|malformed|corrupt|no such (table|column)|has no column/i.test(message)
            ? ["it is not a state file of a watch, or it is damaged", "Name another file, or restore this one from a backup"]
            : /unable to open|ENOENT|ENOTDIR/i.test(text)
              ? ["it cannot be opened", "Name a file in a folder that exists"]
              : ["it cannot be written", "Check the disk, then start the watch again: nothing is lost"];
  return new FleetError("config", `--state ${path}: ${what}`, { advice });
}

const SQLITE = {
  name: "node-sqlite3-wasm",
  neededBy: "--state needs",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server node-sqlite3-wasm",
};

/** Makes a new file, one of an earlier version or one that is right into one of this version. Throws if it is none of them. */
function upgrade(database: SqliteDatabase): void {
  if (database.get("PRAGMA quick_check(1)")?.["quick_check"] !== "ok") throw new Error(DAMAGED);
  database.exec(`PRAGMA synchronous = FULL; BEGIN; ${SCHEMA} COMMIT;`);
  const version = Number(database.get("SELECT value FROM meta WHERE name = 'version'")?.["value"] ?? VERSION);
  if (version > VERSION) throw new Error(NEWER);
  // Until then, a retry was not bounded by its delay.
  if (version === 1) database.exec("ALTER TABLE deliveries ADD COLUMN delay INTEGER NOT NULL DEFAULT 0");
  else if (version !== VERSION) throw new Error(DAMAGED);
  database.run("INSERT OR REPLACE INTO meta VALUES ('version', ?)", [VERSION]);
}

/** Opens the file, or creates it. `channels` are where events saved from now on have to be sent. */
export async function openStore(path: string, channels: readonly Receiver[]): Promise<StateStore> {
  const {
    default: { Database },
  } = await withPackage(SQLITE, () => import("node-sqlite3-wasm"));
  const safely = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      throw failure(path, error);
    }
  };
  const release = safely(() => lockFor(path));
  let database: SqliteDatabase | undefined;
  try {
    // Files beside it are named after it, whatever link leads here.
    const file = realpathSync(path);
    // The library marks a transaction with this folder, which a killed process leaves behind.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    const opened = new Database(file);
    database = opened;
    upgrade(opened);
    return storeIn(opened, channels, safely, release);
  } catch (error) {
    try {
      database?.close();
    } finally {
      release();
    }
    throw failure(path, error);
  }
}

function storeIn(
  database: SqliteDatabase,
  channels: readonly Receiver[],
  safely: <Result>(run: () => Result) => Result,
  release: () => void,
): StateStore {
  const atomically = (run: () => void) =>
    safely(() => {
      database.exec("BEGIN IMMEDIATE");
      try {
        run();
        database.exec("COMMIT");
      } catch (error) {
        if (database.inTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  const disabledName = (channel: string) => `disabled ${channel}`;
  const meta = (name: string) => database.get("SELECT value FROM meta WHERE name = ?", [name])?.["value"] as string | null | undefined;
  /** Forgets what an event said once nobody waits for it. Its id stays, so that it is not saved again. */
  const settle = (id: string) =>
    database.run(
      "UPDATE events SET event = NULL WHERE id = ? AND isPending = 0 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.id = events.id)",
      [id],
    );
  const deliveryChange = (sql: string, channel: string, id: string, ...values: (number | string)[]) =>
    atomically(() => {
      database.run(sql, [...values, channel, id]);
      settle(id);
    });
  return {
    load: () =>
      safely(() => {
        const pending = database.all("SELECT event FROM events WHERE isPending = 1 ORDER BY seq");
        const readAt = meta("readAt");
        if (Number.isNaN(Number(readAt ?? 0))) throw new Error(DAMAGED);
        const tracks = database.all("SELECT key, track FROM tracks");
        for (const { track } of tracks) parsed(track, []);
        return {
          tracks: tracks.map(({ key, track }) => [key as string, track as string] as const),
          pending: pending.map(({ event }) => eventIn(event)),
          readAt: readAt == null ? undefined : Number(readAt),
          noData: meta("noData") ?? undefined,
        };
      }),
    save: ({ tracks, events, readAt, noData }) => {
      atomically(() => {
        const keep = database.prepare("INSERT OR REPLACE INTO tracks VALUES (?, ?)");
        for (const [key, track] of tracks) {
          if (track === undefined) database.run("DELETE FROM tracks WHERE key = ?", [key]);
          else keep.run([key, track]);
        }
        keep.finalize();
        const now = Date.now();
        for (const event of events) {
          const { changes } = database.run("INSERT OR IGNORE INTO events (id, event, saved, isPending) VALUES (?, ?, ?, 1)", [
            event.id,
            JSON.stringify(event),
            now,
          ]);
          if (changes === 0) continue;
          for (const { name } of channels) database.run("INSERT INTO deliveries VALUES (?, ?, 0, 0, 0, 0)", [event.id, name]);
        }
        database.run("INSERT OR REPLACE INTO meta VALUES ('readAt', ?), ('noData', ?)", [readAt ?? null, noData ?? null]);
        if (events.length > 0) database.run("DELETE FROM events WHERE event IS NULL AND saved < ?", [now - KEPT]);
      });
    },
    delivered: (id) =>
      atomically(() => {
        database.run("UPDATE events SET isPending = 0 WHERE id = ?", [id]);
        settle(id);
      }),
    due: (channel, now) =>
      safely(() => {
        const row = database.get(
          "SELECT event, attempts FROM deliveries JOIN events USING (id) WHERE channel = ? AND isDead = 0 AND (next <= ? OR next - delay > ?) ORDER BY seq LIMIT 1",
          [channel, now, now],
        );
        return row ? { event: eventIn(row["event"]), attempts: Number(row["attempts"]) } : undefined;
      }),
    sent: (channel, id) => deliveryChange("DELETE FROM deliveries WHERE channel = ? AND id = ?", channel, id),
    postpone: (channel, id, retry) =>
      deliveryChange(
        "UPDATE deliveries SET attempts = attempts + 1, next = ?, delay = ?, isDead = ? WHERE channel = ? AND id = ?",
        channel,
        id,
        retry?.next ?? 0,
        retry?.delay ?? 0,
        retry === undefined ? 1 : 0,
      ),
    deadLetters: (channel) =>
      safely(() => Number(database.get("SELECT count(*) AS count FROM deliveries WHERE channel = ? AND isDead = 1", [channel])?.["count"])),
    disable: (channel) =>
      atomically(() => database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [disabledName(channel), addressHash(channels, channel)])),
    isDisabled: (channel) => safely(() => meta(disabledName(channel)) === addressHash(channels, channel)),
    revive: (channel) =>
      atomically(() => {
        database.run("DELETE FROM meta WHERE name = ?", [disabledName(channel)]);
        database.run("UPDATE deliveries SET isDead = 0, attempts = 0, next = 0 WHERE channel = ?", [channel]);
      }),
    close: () => {
      try {
        database.close();
      } catch {
        // What was saved is saved, and why nothing more can be has been reported.
      } finally {
        release();
      }
    },
  };
}
