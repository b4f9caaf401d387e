import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** What a confirmation token vouches for: that the tool was to send exactly this. */
export interface Approved {
  tool: string;
  /** The input without the number that Fleetwire gave it. */
  input: Record<string, unknown>;
  /** The number that Fleetwire gave; a replay carries the same one. */
  number: string | undefined;
  /** Whether nothing in it keeps the service from doing it twice: such a token is worth nothing in another process. */
  unnumbered: boolean;
  /** What it is part of: the state of a question that a host keeps to itself is no confirmation that a model may bring. */
  of: "question" | "preview";
}

export type TokenProblem = "malformed" | "different" | "expired" | "used";

export interface ConfirmationTokens {
  /** `maybeSent` says that an earlier token with the same number may have been used: the new one is then never `isUnsent`. */
  issue: (approved: Approved, now: number, maybeSent?: boolean) => string;
  /** The number that a token carries, not yet verified. */
  numberIn: (token: string) => string | undefined;
  /** Milliseconds since 1970 at which a token was issued, not yet verified. */
  issuedAt: (token: string) => number | undefined;
  check: (token: string, approved: Approved, now: number) => TokenProblem | undefined;
  /** Whether this process issued a token and never used it, so that nothing was sent with it. Any other one may have been used by a process that ended. */
  isUnsent: (token: string) => boolean;
  /** From now on the token is used; the returned function takes it back. */
  use: (token: string) => () => void;
  /** Makes a token of this process worthless. */
  discard: (token: string) => void;
}

export const CONFIRMATION_MINUTES = 10;
const VALID_MS = CONFIRMATION_MINUTES * 60_000;

// 132 bits: a model has to repeat them letter by letter.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

// Far more than are confirmed within ten minutes. Forgotten by count, never by the clock: one that is turned back would make a used token good again.
const MOST_REMEMBERED = 10_000;

function forgetOldest(macs: Map<string, unknown> | Set<string>): void {
  const [oldest] = macs.keys();
  if (macs.size > MOST_REMEMBERED && oldest !== undefined) macs.delete(oldest);
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

/**
 * Issues and checks confirmation tokens. They hold no secret and no argument: the arguments come again with the call, and the token fits no others. `scope`
 * is what they are bound to beside them, the customer and the servers.
 */
export function createConfirmationTokens(key: string | undefined, scope: unknown): ConfirmationTokens {
  const secret = key === undefined ? randomBytes(32) : Buffer.from(key, "base64");
  const macKey = Buffer.from(hkdfSync("sha256", secret, "", "fleetwire confirmation", 32));
  const process = randomBytes(16).toString("hex");
  /** Tokens of this process, and whether an earlier one with the same number may have been used. */
  const issued = new Map<string, boolean>();
  const used = new Set<string>();

  const macOf = ({ tool, input, number, unnumbered, of }: Approved, until: string) =>
    createHmac("sha256", macKey)
      .update(canonicalText([scope, tool, of, until, number ?? "", unnumbered ? process : "", input]))
      .digest("base64url")
      .slice(0, MAC_CHARACTERS);

  const macIn = (token: string) => FORM.exec(token)?.[3] ?? "";

  const check: ConfirmationTokens["check"] = (token, approved, now) => {
    const [, until, , mac] = FORM.exec(token) ?? [];
    if (until === undefined || mac === undefined) return "malformed";
    if (!timingSafeEqual(Buffer.from(macOf(approved, until)), Buffer.from(mac))) return "different";
    if (used.has(mac)) return "used";
    return Number.parseInt(until, 36) < now ? "expired" : undefined;
  };

  return {
    issue: (approved, now, maybeSent = false) => {
      const until = (now + VALID_MS).toString(36);
      const mac = macOf(approved, until);
      issued.set(mac, maybeSent);
      forgetOldest(issued);
      return `${until}.${approved.number ?? ""}.${mac}`;
    },
    numberIn: (token) => FORM.exec(token)?.[2] || undefined,
    issuedAt: (token) => {
      const [, until] = FORM.exec(token) ?? [];
      return until === undefined ? undefined : Number.parseInt(until, 36) - VALID_MS;
    },
    check,
    isUnsent: (token) => issued.get(macIn(token)) === false && !used.has(macIn(token)),
    use: (token) => {
      const mac = macIn(token);
      used.add(mac);
      forgetOldest(used);
      return () => used.delete(mac);
    },
    discard: (token) => {
      // Forged ones are not remembered, or enough of them would drive out those that were used.
      if (issued.has(macIn(token))) used.add(macIn(token));
      forgetOldest(used);
    },
  };
}
