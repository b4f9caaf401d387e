import { spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, fsyncSync, openSync, realpathSync, rmSync, writeSync } from "node:fs";
import { FleetError } from "@fleetwire/core";
import type { Database as SqliteDatabase } from "node-sqlite3-wasm";
import { withPackage } from "../optional-package.ts";
import type { Journal } from "./outbox.ts";

const VERSION = 3;

/** Earlier versions had tables of tracks, events and deliveries. What is not JSON in them fails. */
const FROM_TABLES = `
  INSERT INTO meta SELECT 'track ' || key, json(track) FROM tracks;
  INSERT INTO meta SELECT 'event ' || id, json_object('event', json(event), 'seq', seq, 'isPending', json(iif(isPending, 'true', 'false')),
    'channels', json((SELECT json_group_object(channel, json(iif(isDead,
      json_object('attempts', attempts), json_object('attempts', attempts, 'next', next, 'delay', delay))))
      FROM deliveries WHERE deliveries.id = events.id))) FROM events WHERE event IS NOT NULL;
  INSERT INTO meta SELECT 'settled ' || id, saved FROM events WHERE event IS NULL;
  INSERT INTO meta SELECT 'read', json_object('readAt', (SELECT json(value) FROM meta WHERE name = 'readAt'),
    'noData', (SELECT value FROM meta WHERE name = 'noData'));
  DELETE FROM meta WHERE name IN ('readAt', 'noData');
  DROP TABLE deliveries; DROP TABLE events; DROP TABLE tracks;`;

const { O_CREAT, O_RDWR } = constants;
/** `O_EXLOCK | O_NONBLOCK` of macOS and BSD, and libuv's `UV_FS_O_EXLOCK` of Windows, which Node does not name. Linux has none. */
const LOCKED = process.platform === "linux" ? 0 : process.platform === "win32" ? 0x10000000 : 0x24;
/** What opening a file says that another process has locked. */
const TAKEN: readonly (string | undefined)[] = ["EAGAIN", "EWOULDBLOCK", "EBUSY"];

/**
 * Makes sure that no other process uses a file, whatever name it has there, and creates it if necessary. The lock ends with what is returned, or with the
 * process, however that ends: the operating system holds it.
 */
function lockFor(path: string): () => void {
  const refused = (problem: string, advice: string) => new FleetError("config", `${path} ${problem}`, { advice });
  const taken = () => refused("is in use by another process", "Stop the other watch, or use another file");
  let file: number;
  try {
    // On Windows, nothing else can open what is locked, so it is a file beside it.
    file = openSync(process.platform === "win32" ? `${path}.owner` : path, O_RDWR | O_CREAT | LOCKED, 0o600);
  } catch (error) {
    throw TAKEN.includes((error as NodeJS.ErrnoException).code) ? taken() : error;
  }
  const release = () => closeSync(file);
  if (LOCKED) return release;
  // Node has no function for flock(2). The lock belongs to what is open here, so it outlives the program that takes it.
  const { status, error } = spawnSync("flock", ["-n", "-x", "3"], { stdio: ["ignore", "ignore", "ignore", file] });
  if (status === 0) return release;
  release();
  if (status === 1) throw taken();
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
  throw refused(
    `cannot be locked: ${isMissing ? "the program flock is missing" : "flock failed"}`,
    "Install flock, which is part of util-linux and BusyBox, and keep the file on a file system with locks",
  );
}

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

const PROBLEMS: readonly (readonly [pattern: RegExp, what: string, advice: string])[] = [
  [/full|ENOSPC|EDQUOT/i, "the disk is full", "Free some space, then start the watch again: nothing is lost"],
  [/readonly|EROFS|EACCES|EPERM/i, "it cannot be written", "Make the file and its folder writable for this user"],
  [/EISDIR/, "it is a folder", "Name a file in it"],
  [RegExp(NEWER), "it was written by a newer version", "Install that version, or name another file"],
  [
    /SyntaxError|not a database|malformed|corrupt|no such (table|column)|has no column/i,
    "it is not a state file of a watch, or it is damaged",
    "Name another file, or restore this one from a backup",
  ],
  [/unable to open|ENOENT|ENOTDIR/i, "it cannot be opened", "Name a file in a folder that exists"],
  [/(?:)/, "it cannot be written", "Check the disk, then start the watch again: nothing is lost"],
];

/** Says what is wrong with the file, without SQLite's terms. */
function failure(path: string, error: unknown): FleetError {
  if (error instanceof FleetError) return error;
  const { name, message, code } = error as NodeJS.ErrnoException;
  const text = `${name} ${code} ${message} ${writeProblem(path)}`;
  const [, what, advice] = PROBLEMS.find(([pattern]) => pattern.test(text)) as (typeof PROBLEMS)[number];
  return new FleetError("config", `--state ${path}: ${what}`, { advice });
}

const SQLITE = {
  name: "node-sqlite3-wasm",
  neededBy: "--state needs",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server node-sqlite3-wasm",
};

/** Makes a new file, one of an earlier version or one that is right into one of this version. Throws if it is none of them. */
function upgrade(database: SqliteDatabase): void {
  database.exec("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
  const version = Number(database.get("SELECT value FROM meta WHERE name = 'version'")?.["value"] ?? 0);
  if (version === VERSION) return;
  if (version > VERSION) throw new Error(NEWER);
  if (![0, 1, 2].includes(version)) throw new Error(DAMAGED);
  // Until then, a retry was not bounded by its delay.
  if (version === 1) database.exec("ALTER TABLE deliveries ADD COLUMN delay INTEGER NOT NULL DEFAULT 0");
  if (version > 0) database.exec(FROM_TABLES);
  database.run("INSERT OR REPLACE INTO meta VALUES ('version', ?)", [VERSION]);
}

/** Opens a file, or creates it. One process at a time may use it. */
export async function sqliteJournal(path: string): Promise<Journal> {
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
  let database: SqliteDatabase;
  try {
    // Files beside it are named after it, whatever link leads here.
    const file = realpathSync(path);
    // The library marks a transaction with this folder, which a killed process leaves behind.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    database = new Database(file);
  } catch (error) {
    release();
    throw failure(path, error);
  }
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
  return {
    load: async (read) => {
      safely(() => {
        if (database.get("PRAGMA quick_check(1)")?.["quick_check"] !== "ok") throw new Error(DAMAGED);
        database.exec("PRAGMA synchronous = FULL");
      });
      atomically(() => {
        upgrade(database);
        for (const { name, value } of database.all("SELECT name, value FROM meta")) read(String(name), String(value));
      });
    },
    put: async (changes) =>
      atomically(() => {
        const keep = database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
        for (const [name, text] of changes) {
          if (text === undefined) database.run("DELETE FROM meta WHERE name = ?", [name]);
          else keep.run([name, text]);
        }
        keep.finalize();
      }),
    close: async () => {
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
