import { forgetOldest } from "../runtime/forget-oldest.ts";
import { equalInConstantTime, macOver } from "../runtime/message-authentication.ts";
import { signingKey } from "../runtime/signing-key.ts";
import { type SharedWrites, unsharedWrites } from "./shared-writes.ts";

/** What a confirmation token signs: exactly what the tool would send. */
export interface ApprovedWrite {
  tool: string;
  /** The input without the generated job number. */
  input: Record<string, unknown>;
  /** The generated job number; sending the write again reuses it. */
  number: string | undefined;
  /** Whether the write lacks an idempotency key, so that the service could execute it twice. Such a token is valid only in this process. */
  lacksKey: boolean;
  /** What the token was issued for. A question's state, which the model never sees, is not valid as a model's confirmation. */
  issuedFor: "question" | "preview";
}

export type TokenProblem = "malformed" | "different" | "expired" | "used";

/** The result of redeeming a token. If there is no problem, the token now counts as used. */
interface Redemption {
  problem?: TokenProblem;
  /** Whether it is certain that nothing was sent with the token: this process issued it, or processes share which tokens were used, and it was never used. */
  isUnsent: boolean;
  /** Makes a successfully redeemed token valid again. */
  restore: () => Promise<void>;
}

/** The shared write during which a token is redeemed. */
export interface BegunWrite {
  call?: string;
  /** The token of the interrupted write that it repeats. */
  resumed?: string | undefined;
}

export interface ConfirmationTokens {
  /** Set `maybeSent` if an earlier token with the same job number may have been used; the new token is then never `isUnsent`. */
  issue: (approved: ApprovedWrite, now: number, maybeSent?: boolean) => Promise<string>;
  /** Returns the job number in a token, unverified. */
  jobNumberIn: (token: string) => string | undefined;
  /** Returns the time at which a token was issued in milliseconds since 1970, unverified. */
  issuedAt: (token: string) => number | undefined;
  /**
   * Verifies a token and marks it as used in one step, so that only one of two concurrent calls succeeds. During a shared write, accepts the
   * token of the interrupted write once more.
   */
  redeem: (token: string, approved: ApprovedWrite, now: number, during?: BegunWrite) => Promise<Redemption>;
  /**
   * Whether it is certain that nothing was sent with the token: this process issued it, and it was never used. A token from an earlier process, or
   * one that other processes accept, may have been used there.
   */
  isUnsent: (token: string) => boolean;
  /** Invalidates a token issued by this process. */
  discard: (token: string) => Promise<void>;
}

export const CONFIRMATION_MINUTES = 10;
const VALID_MS = CONFIRMATION_MINUTES * 60_000;

// 132 bits, kept short because a model has to copy them character by character.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

// Far more tokens than are issued within ten minutes. They are evicted by count, because eviction by time would make a used token valid
// again if the clock was set back.
const MAX_REMEMBERED = 10_000;

/** Canonicalizes a value: two results are equal if and only if the values would be sent as the same JSON, ignoring member order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(canonical)];
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return ["object", ...members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)])];
}

/** Serializes a value canonically: two strings are equal if and only if the values would be sent as the same JSON. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));

/**
 * Issues and verifies confirmation tokens. A token contains neither secrets nor arguments: it is passed along with the same arguments and
 * is not valid for others. Tokens are also bound to `scope`, the customer and the servers.
 */
export function createConfirmationTokens(
  key: string | undefined,
  scope: unknown,
  shared: Pick<SharedWrites, "isShared" | "use" | "restore"> = unsharedWrites,
): ConfirmationTokens {
  const sign = macOver(signingKey(key), "fleetwire confirmation");
  let processId: string | undefined;
  /** Tokens issued by this process, and whether an earlier token with the same job number may have been used. */
  const issued = new Map<string, boolean>();
  const used = new Set<string>();

  async function macOf({ tool, input, number, lacksKey, issuedFor }: ApprovedWrite, until: string): Promise<string> {
    processId ??= crypto.randomUUID();
    const text = canonicalText([scope, tool, issuedFor, until, number ?? "", lacksKey ? processId : "", input]);
    return (await sign(text)).slice(0, MAC_CHARACTERS);
  }

  const macIn = (token: string) => FORM.exec(token)?.[3] ?? "";

  const isUnusedHere = (token: string) => issued.get(macIn(token)) === false && !used.has(macIn(token));

  return {
    issue: async (approved, now, maybeSent = false) => {
      const until = (now + VALID_MS).toString(36);
      const mac = await macOf(approved, until);
      issued.set(mac, maybeSent);
      forgetOldest(issued, MAX_REMEMBERED);
      return `${until}.${approved.number ?? ""}.${mac}`;
    },
    jobNumberIn: (token) => FORM.exec(token)?.[2] || undefined,
    issuedAt: (token) => {
      const [, until] = FORM.exec(token) ?? [];
      return until === undefined ? undefined : Number.parseInt(until, 36) - VALID_MS;
    },
    redeem: async (token, approved, now, { call, resumed } = {}) => {
      const [, until = "", number = "", mac = ""] = FORM.exec(token) ?? [];
      const expected = await macOf(approved, until);
      // No await from here until it is marked: a concurrent call must not be able to use the same token.
      const refused = (problem: TokenProblem, isUnsent = isUnusedHere(token)): Redemption => ({
        problem,
        isUnsent,
        restore: async () => {},
      });
      if (until === "") return refused("malformed");
      // An unsigned job number must not be reported as the one used.
      if (!equalInConstantTime(expected, mac) || number !== (approved.number ?? "")) return refused("different");
      if (used.has(mac)) return refused("used");
      if (Number.parseInt(until, 36) < now) return refused("expired", !shared.isShared && isUnusedHere(token));
      const isUnsent = shared.isShared ? issued.get(mac) !== true : isUnusedHere(token);
      used.add(mac);
      forgetOldest(used, MAX_REMEMBERED);
      if (token === resumed) return { isUnsent: false, restore: async () => void used.delete(mac) };
      let isFirst = false;
      try {
        isFirst = await shared.use(mac, call);
      } catch (error) {
        used.delete(mac);
        throw error;
      }
      if (!isFirst) return refused("used", false);
      return {
        isUnsent,
        restore: async () => {
          used.delete(mac);
          await shared.restore(mac, call);
        },
      };
    },
    isUnsent: (token) => !shared.isShared && isUnusedHere(token),
    discard: async (token) => {
      const mac = macIn(token);
      // Forged tokens are not stored: with enough of them, an attacker could evict used tokens.
      if (issued.has(mac)) used.add(mac);
      forgetOldest(used, MAX_REMEMBERED);
      if (issued.has(mac)) await shared.use(mac).catch(() => {});
    },
  };
}
