import { base64Url, utf8 } from "../base64url.ts";
import { signingKey } from "../signing-key.ts";

/** What a confirmation token vouches for: that the tool was to send exactly this. */
export interface ApprovedWrite {
  tool: string;
  /** The input without the number that Fleetwire gave it. */
  input: Record<string, unknown>;
  /** The number that Fleetwire gave; a replay carries the same one. */
  number: string | undefined;
  /** Whether nothing in it keeps the service from doing it twice: such a token is worth nothing in another process. */
  lacksKey: boolean;
  /** What it is part of: the state of a question that a host keeps to itself is no confirmation that a model may bring. */
  of: "question" | "preview";
}

export type TokenProblem = "malformed" | "different" | "expired" | "used";

/** What came of a token that was brought back. Without a problem it is used from then on. */
interface Redemption {
  problem?: TokenProblem;
  /** Whether it was issued here and never used before, so that nothing was sent with it. */
  isUnsent: boolean;
  /** Makes a token good again that had no problem. */
  restore: () => void;
}

export interface ConfirmationTokens {
  /** `maybeSent` says that an earlier token with the same number may have been used: the new one is then never `isUnsent`. */
  issue: (approved: ApprovedWrite, now: number, maybeSent?: boolean) => Promise<string>;
  /** The number that a token carries, not yet verified. */
  jobNumberIn: (token: string) => string | undefined;
  /** Milliseconds since 1970 at which a token was issued, not yet verified. */
  issuedAt: (token: string) => number | undefined;
  /** Checks a token and uses it in one step, so that of two calls at once only one has it. */
  redeem: (token: string, approved: ApprovedWrite, now: number) => Promise<Redemption>;
  /** Whether this process issued a token and never used it, so that nothing was sent with it. Any other one may have been used by a process that ended. */
  isUnsent: (token: string) => boolean;
  /** Makes a token of this process worthless. */
  discard: (token: string) => void;
}

export const CONFIRMATION_MINUTES = 10;
const VALID_MS = CONFIRMATION_MINUTES * 60_000;

// 132 bits: a model has to repeat them letter by letter.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

// Far more than are confirmed within ten minutes. Forgotten by count, never by the clock: one that is turned back would make a used token good again.
const MAX_REMEMBERED = 10_000;

function forgetOldest(macs: Map<string, unknown> | Set<string>): void {
  const [oldest] = macs.keys();
  if (macs.size > MAX_REMEMBERED && oldest !== undefined) macs.delete(oldest);
}

/** A form in which two values are equal only where they are sent as the same JSON, whatever the order of members. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(canonical)];
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return ["object", ...members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)])];
}

/** The same text for what is sent as the same JSON, and for nothing else. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));

// By what makes one: Node's types name it in a module of theirs.
type MacKey = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>;

/** Compares texts in a time that does not tell where they differ. */
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
 * Issues and checks confirmation tokens. They hold no secret and no argument: the arguments come again with the call, and the token fits no others. `scope`
 * is what they are bound to beside them, the customer and the servers.
 */
export function createConfirmationTokens(key: string | undefined, scope: unknown): ConfirmationTokens {
  const secret = signingKey(key);
  let macKey: MacKey | undefined;
  let processId: string | undefined;
  /** Tokens of this process, and whether an earlier one with the same number may have been used. */
  const issued = new Map<string, boolean>();
  const used = new Set<string>();

  async function macOf({ tool, input, number, lacksKey, of }: ApprovedWrite, until: string): Promise<string> {
    // The key is kept and never its promise: a runtime may bind a promise to the request that made it.
    macKey ??= await deriveMacKey(secret());
    processId ??= crypto.randomUUID();
    const text = canonicalText([scope, tool, of, until, number ?? "", lacksKey ? processId : "", input]);
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
      // From here on nothing is awaited: what another call does in between cannot use the token as well.
      const refused = (problem: TokenProblem): Redemption => ({ problem, isUnsent: isUnsent(token), restore: () => {} });
      if (until === "") return refused("malformed");
      // A number that nothing signs must not be text as the one that was used.
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
      // Forged ones are not remembered, or enough of them would drive out those that were used.
      if (issued.has(macIn(token))) used.add(macIn(token));
      forgetOldest(used);
    },
  };
}
