import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, fchmodSync, fchownSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { FleetError } from "@fleetwire/core";
import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ServerLog } from "../log.ts";
import { SCOPES, type Scope } from "../mcp/scopes.ts";
import { readConfigFile } from "../read-config-file.ts";
import type { VerifyToken } from "./bearer-access.ts";

const PREFIX = "fwt_";
const TOKEN_BYTES = 32;

/** How often, at least, the file is checked for changes, in milliseconds. */
const CHECK_MS = 1_000;

const Entry = z.strictObject({
  name: z.string().regex(/^[\w.@-]{1,64}$/, "must consist of at most 64 letters, digits and the characters . _ @ -"),
  hash: z.string().regex(/^[\w-]{43}$/, "must be a SHA-256 hash in base64url"),
  scopes: z.array(z.enum(SCOPES)).min(1),
  tenant: z.string().optional(),
  expires: z.iso.datetime().optional(),
});

const TokensFile = z.strictObject({
  tokens: z
    .array(Entry)
    .refine((tokens) => new Set(tokens.map(({ name }) => name)).size === tokens.length, "two tokens have the same name"),
});

type Entry = z.output<typeof Entry>;

// Tokens are 256 random bits, so a slow hash would add no protection.
const hashOf = (token: string) => createHash("sha256").update(token).digest();

const failure = (problem: string, advice = "Correct the file, its owner or its permissions") =>
  new FleetError("config", `configuration: FLEET_TOKENS_FILE: ${problem}`, { advice });

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function readEntries(path: string, owner?: "any"): Entry[] {
  const problem = (problems: readonly string[]) =>
    failure(problems.join("; "), isMissing(path) ? "Create it with fleetwire-mcp token" : undefined);
  return readConfigFile(path, TokensFile, "others can write to the file (chmod 600)", problem, owner).tokens;
}

/** With each hash decoded once rather than for every request. */
const readTokens = (path: string) => readEntries(path).map((entry) => ({ ...entry, bytes: Buffer.from(entry.hash, "base64url") }));

const versionOf = (path: string) => {
  try {
    // Includes the time of permission changes, since permissions may have been the problem.
    const { ctimeMs, mtimeMs, size, ino } = statSync(path);
    return `${ctimeMs} ${mtimeMs} ${size} ${ino}`;
  } catch {
    return "missing";
  }
};

/**
 * Verifies the tokens whose hashes are in a file. Changes take effect within a second. If the changed file cannot be read, the previous
 * tokens remain valid and the log says so.
 */
export function fileTokens(path: string, log: ServerLog, checkMs = CHECK_MS): VerifyToken {
  let version = versionOf(path);
  let tokens = readTokens(path);
  let problem: string | undefined;
  let checkedAt = Date.now();
  const reload = () => {
    if (Math.abs(Date.now() - checkedAt) < Math.min(checkMs, CHECK_MS)) return;
    checkedAt = Date.now();
    const current = versionOf(path);
    if (current === version) return;
    const before = problem;
    try {
      tokens = readTokens(path);
      version = current;
      problem = undefined;
      log.info({ tokens: tokens.length }, "tokens read");
    } catch (error) {
      problem = error instanceof FleetError ? error.message : "internal";
      if (problem !== before) log.error({ problem }, "tokens not read; the previous ones remain valid");
    }
  };
  return async (token) => {
    reload();
    const hash = hashOf(token);
    let found: (typeof tokens)[number] | undefined;
    // Compares with every entry in constant time, so that the time taken reveals nothing about a hash.
    for (const known of tokens) if (timingSafeEqual(hash, known.bytes)) found = known;
    if (found === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, "Unknown token");
    const { name, scopes, tenant, expires } = found;
    const expiresAt = expires === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(expires) / 1_000;
    return { id: name, clientId: name, scopes, expiresAt, tenants: tenant === undefined ? [] : [tenant] };
  };
}

/** Replaces the tokens in a file at once; its permissions and owner stay. Until then, no other process can replace it. */
function changeFile(given: string, change: (tokens: Entry[]) => Entry[]): void {
  const isNew = isMissing(given);
  const path = isNew ? given : realpathSync(given);
  const temporary = `${path}.new`;
  let file: number;
  try {
    file = openSync(temporary, "wx", 0o600);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw failure(
      isTaken ? "another command is writing the file; try again, or delete its copy that ends in .new" : "the file cannot be written",
    );
  }
  try {
    const tokens = change(isNew ? [] : readEntries(path, ownerAllowed()));
    writeFileSync(file, `${JSON.stringify({ tokens }, null, 2)}\n`);
    fsyncSync(file);
    if (!isNew) {
      const { mode, uid, gid } = statSync(path);
      fchmodSync(file, mode & 0o777);
      // Only root may change the owner, and only root would have to.
      if (process.getuid?.() === 0) fchownSync(file, uid, gid);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof FleetError ? error : failure("the file cannot be written");
  } finally {
    closeSync(file);
  }
}

// Root changes the file of the user that runs the server.
const ownerAllowed = () => (process.getuid?.() === 0 ? "any" : undefined);

/** Returns the tokens in the file, without their hashes. */
export const listTokens = (path: string): Omit<Entry, "hash">[] => readEntries(path, ownerAllowed()).map(({ hash: _, ...token }) => token);

/** Removes a token from the file. */
export function removeToken(path: string, name: string): void {
  changeFile(path, (tokens) => {
    const kept = tokens.filter((token) => token.name !== name);
    if (kept.length < tokens.length) return kept;
    throw new FleetError("config", `there is no token ${name}; tokens: ${tokens.map((token) => token.name).join(", ") || "none"}`);
  });
}

export interface NewToken {
  name: string;
  scopes: readonly Scope[];
  tenant?: string | undefined;
  expires?: Date | undefined;
}

/** Adds a token to the file, which is created if it does not exist, and returns it. Only its hash is kept. */
export function addToken(path: string, { name, scopes, tenant, expires }: NewToken): string {
  const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const entry = { name, hash: hashOf(token).toString("base64url"), scopes, tenant, expires: expires?.toISOString() };
  changeFile(path, (known) => {
    if (known.some((other) => other.name === name))
      throw new FleetError("config", `there is already a token ${name}`, { advice: "Choose another --name, or --revoke that token first" });
    const parsed = TokensFile.safeParse({ tokens: [...known, entry] });
    if (parsed.success) return parsed.data.tokens;
    const problems = parsed.error.issues.map(({ path: at, message }) => `${at.slice(2).join(".")} ${message}`.trim());
    throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Correct the flags" });
  });
  return token;
}
