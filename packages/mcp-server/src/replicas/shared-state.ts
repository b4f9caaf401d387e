import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { FleetConfig, StoredToken, TokenStore } from "@fleetwire/core";
import type { WriteStore } from "@fleetwire/tools";
import type { SharedRate } from "../http/admission.ts";
import type { ServerLog } from "../log.ts";
import { connectRedis, type Redis } from "./redis.ts";

/** The state shared by replicas. It does not include positions: each replica has its own live view. */
export interface SharedState {
  /** Used confirmations, and job numbers in flight. */
  writeStore: WriteStore;
  /** Returns the store of the access token for a customer's credentials. */
  tokenStore: (config: FleetConfig) => TokenStore;
  /** Counts callers' requests. */
  rate: SharedRate;
  isReady: () => boolean;
  /** Whether this replica may have been paused since, for so long that another may have finished what it had begun. */
  wasPausedSince: (receivedAt: number) => boolean;
  close: () => Promise<void>;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MINUTE = 60_000;
/** For a token whose lifetime is unknown. */
const DAY = 86_400_000;

/** A pause after which another replica may have taken over and finished a write: as long as a hold on it lasts, in milliseconds. */
const MAX_PAUSE = 6_000;
const TICK = 500;
/** What arrived during a pause is read within this time after it. */
const SETTLE = 1_000;

const derived = (sealKey: string, purpose: string) => Buffer.from(hkdfSync("sha256", Buffer.from(sealKey, "base64"), "", purpose, 32));

interface Encryption {
  encrypt: (text: string, name: string) => string;
  /** Throws unless the text was encrypted with the same key for the same name. */
  decrypt: (encrypted: string, name: string) => string;
}

/** Encrypts with a key that only replicas have: anyone who can read Redis must not be able to act for a customer. */
export function encryptionFor(sealKey: string, purpose: string): Encryption {
  const key = derived(sealKey, purpose);
  return {
    encrypt: (text, name) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(name));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
    },
    decrypt: (encrypted, name) => {
      const bytes = Buffer.from(encrypted, "base64");
      const tagAt = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(tagAt));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString("utf8");
    },
  };
}

/** Notices when this process has been paused, such as by SIGSTOP, a frozen container or a moved machine. */
function noticePauses() {
  let seenAt = performance.now();
  let endedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    const now = performance.now();
    if (now - seenAt > MAX_PAUSE) endedAt = now;
    seenAt = now;
  };
  const looking = setInterval(look, TICK).unref();
  return {
    hasEndedSince: (receivedAt: number) => {
      look();
      return receivedAt < endedAt + SETTLE;
    },
    close: () => clearInterval(looking),
  };
}

/** Shares state between replicas that have the same key. The names of Redis keys reveal neither customers nor callers. */
export function stateIn(redis: Redis, sealKey: string): SharedState {
  const pauses = noticePauses();
  const nameKey = derived(sealKey, "fleetwire redis names");
  const { encrypt, decrypt } = encryptionFor(sealKey, "fleetwire redis tokens");
  const nameOf = (kind: string, ...parts: unknown[]) =>
    `${kind}:${createHmac("sha256", nameKey)
      .update(JSON.stringify([kind, ...parts]))
      .digest("base64url")}`;
  return {
    writeStore: {
      get: (key) => redis.get(`write:${key}`),
      add: (key, value, ttl) => redis.add(`write:${key}`, value, ttl),
      extend: (key, value, ttl) => redis.extend(`write:${key}`, value, ttl),
      remove: (key, value) => redis.remove(`write:${key}`, value),
    },
    tokenStore: ({ credentials, servers, tokenPath }) => {
      const name = nameOf("token", credentials, servers, tokenPath);
      return {
        get: async () => {
          const stored = await redis.get(name);
          return stored === undefined ? undefined : (JSON.parse(decrypt(stored, name)) as StoredToken);
        },
        set: async (token) => {
          const ttl = Math.max((token.usableUntil ?? Date.now() + DAY) - Date.now(), 1);
          await redis.set(name, encrypt(JSON.stringify(token), name), Math.min(ttl, DAY));
        },
      };
    },
    rate: { count: (caller) => redis.count(nameOf("rate", caller), MINUTE) },
    isReady: redis.isReady,
    wasPausedSince: pauses.hasEndedSince,
    close: async () => {
      pauses.close();
      await redis.close();
    },
  };
}

/** Connects to the state shared by replicas. */
export const shareThrough = (url: string, sealKey: string, log: ServerLog): SharedState => stateIn(connectRedis(url, log), sealKey);
