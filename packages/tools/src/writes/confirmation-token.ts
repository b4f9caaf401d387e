import { base64Url, utf8 } from "../base64url.ts";
import { signingKey } from "../signing-key.ts";

/** What a confirmation token signs: the tool would send exactly this. */
export interface ApprovedWrite {
  tool: string;
  /** The input without the generated job number. */
  input: Record<string, unknown>;
  /** The generated job number; a replay sends the same one. */
  number: string | undefined;
  /** Whether nothing keeps the service from executing it twice: such a token is only valid in this process. */
  lacksKey: boolean;
  /** Where the token is used: the state of a question, which hosts keep to themselves, is not valid as a model's confirmation. */
  issuedFor: "question" | "preview";
}

export type TokenProblem = "malformed" | "different" | "expired" | "used";

/** The result of redeeming a token. Without a problem, the token now counts as used. */
interface Redemption {
  problem?: TokenProblem;
  /** Whether this process issued the token and it was never used, so that nothing was sent with it. */
  isUnsent: boolean;
  /** Makes a successfully redeemed token valid again. */
  restore: () => void;
}

export interface ConfirmationTokens {
  /** `maybeSent`: an earlier token with the same job number may have been used, so the new one is never `isUnsent`. */
  issue: (approved: ApprovedWrite, now: number, maybeSent?: boolean) => Promise<string>;
  /** The job number in a token, unverified. */
  jobNumberIn: (token: string) => string | undefined;
  /** When a token was issued, in milliseconds since 1970, unverified. */
  issuedAt: (token: string) => number | undefined;
  /** Verifies and uses a token in one step, so that only one of two concurrent calls succeeds. */
  redeem: (token: string, approved: ApprovedWrite, now: number) => Promise<Redemption>;
  /**
   * Whether this process issued the token and it was never used, so that nothing was sent with it. Other tokens may have been used by an
   * earlier process.
   */
  isUnsent: (token: string) => boolean;
  /** Invalidates a token of this process. */
  discard: (token: string) => void;
}

export const CONFIRMATION_MINUTES = 10;
const VALID_MS = CONFIRMATION_MINUTES * 60_000;

// 132 bits: a model has to copy them character by character.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

// Far more than are confirmed within ten minutes. Evicted by count, never by time: a clock set back would make a used token valid again.
const MAX_REMEMBERED = 10_000;

function forgetOldest(macs: Map<string, unknown> | Set<string>): void {
  const [oldest] = macs.keys();
  if (macs.size > MAX_REMEMBERED && oldest !== undefined) macs.delete(oldest);
}

/** A form in which values are equal only if they are sent as the same JSON, regardless of member order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(canonical)];
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return ["object", ...members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)])];
}

/** Equal for values that are sent as the same JSON, and only for those. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));

// Derived, as Node's types declare it in a module of their own.
type MacKey = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>;

/** Compares strings in constant time, so that timing does not reveal where they differ. */
function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

async function deriveMacKey(secret: Uint8Array<ArrayBuffer>): Promise<MacKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("fleetwire confirmation") };
  return crypto.subtle.deriveKey(hkdf, base, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign"]);
}

/**
 * Issues and verifies confirmation tokens. They contain no secret and no arguments: the arguments are passed again with the call, and the
 * token is valid for no others. `scope` is what else they are bound to: the customer and the servers.
 */
export function createConfirmationTokens(key: string | undefined, scope: unknown): ConfirmationTokens {
  const secret = signingKey(key);
  let macKey: MacKey | undefined;
  let processId: string | undefined;
  /** Tokens of this process, and whether an earlier one with the same job number may have been used. */
  const issued = new Map<string, boolean>();
  const used = new Set<string>();

  async function macOf({ tool, input, number, lacksKey, issuedFor }: ApprovedWrite, until: string): Promise<string> {
    // Caches the key, not its promise: a runtime may bind a promise to the request that created it.
    macKey ??= await deriveMacKey(secret());
    processId ??= crypto.randomUUID();
    const text = canonicalText([scope, tool, issuedFor, until, number ?? "", lacksKey ? processId : "", input]);
    return base64Url(new Uint8Array(await crypto.subtle.sign("HMAC", macKey, utf8(text)))).slice(0, MAC_CHARACTERS);
  }

  const macIn = (token: string) => FORM.exec(token)?.[3] ?? "";

  const isUnsent = (token: string) => issued.get(macIn(token)) === false && !used.has(macIn(token));

  return {
    issue: async (approved, now, maybeSent = false) => {
      const until = (now + VALID_MS).toString(36);
      const mac = await macOf(approved, until);
      issued.set(mac, maybeSent);
      forgetOldest(issued);
      return `${until}.${approved.number ?? ""}.${mac}`;
    },
    jobNumberIn: (token) => FORM.exec(token)?.[2] || undefined,
    issuedAt: (token) => {
      const [, until] = FORM.exec(token) ?? [];
      return until === undefined ? undefined : Number.parseInt(until, 36) - VALID_MS;
    },
    redeem: async (token, approved, now) => {
      const [, until = "", number = "", mac = ""] = FORM.exec(token) ?? [];
      const expected = until === "" ? "" : await macOf(approved, until);
      // No await from here on: a concurrent call must not be able to use the same token.
      const refused = (problem: TokenProblem): Redemption => ({ problem, isUnsent: isUnsent(token), restore: () => {} });
      if (until === "") return refused("malformed");
      // An unsigned job number must not be reported as the one used.
      if (!equalInConstantTime(expected, mac) || number !== (approved.number ?? "")) return refused("different");
      if (used.has(mac)) return refused("used");
      if (Number.parseInt(until, 36) < now) return refused("expired");
      const redemption = { isUnsent: isUnsent(token), restore: () => void used.delete(mac) };
      used.add(mac);
      forgetOldest(used);
      return redemption;
    },
    isUnsent,
    discard: (token) => {
      // Forged tokens are not stored, or enough of them would evict the used ones.
      if (issued.has(macIn(token))) used.add(macIn(token));
      forgetOldest(used);
    },
  };
}
