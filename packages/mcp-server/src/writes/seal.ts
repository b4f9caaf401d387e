import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** What a seal vouches for: that the tool was to send exactly this. */
export interface Sealed {
  tool: string;
  /** The input without the number that Fleetwire gave it. */
  input: Record<string, unknown>;
  /** The number that Fleetwire gave; a replay carries the same one. */
  number: string | undefined;
  /** Whether nothing in it keeps the service from doing it twice: such a seal is worth nothing in another process. */
  unnumbered: boolean;
}

export type SealProblem = "malformed" | "other arguments" | "expired" | "used";

export interface Sealer {
  seal: (sealed: Sealed, now: number) => string;
  /** The number that a seal carries, not yet vouched for. */
  numberIn: (seal: string) => string | undefined;
  /** What is wrong with a seal, if anything. */
  problem: (seal: string, sealed: Sealed, now: number) => SealProblem | undefined;
  /** From now on the seal is used; the function that is returned takes it back. */
  use: (seal: string, now: number) => () => void;
}

export const SEAL_MINUTES = 10;

// 132 bits: a model has to repeat them letter by letter.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

/** The same text for the same value, whatever the order of its members. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)]);
}

/** Makes and judges seals. They hold no secret and no argument: the arguments come again with the call, and the seal fits no others. */
export function createSealer(key: string | undefined): Sealer {
  const secret = key === undefined ? randomBytes(32) : Buffer.from(key, "base64");
  const macKey = Buffer.from(hkdfSync("sha256", secret, "", "fleetwire confirmation", 32));
  const process = randomBytes(16).toString("hex");
  const used = new Map<string, number>();

  const macOf = ({ tool, input, number, unnumbered }: Sealed, until: string) =>
    createHmac("sha256", macKey)
      .update(JSON.stringify([tool, until, number ?? "", unnumbered ? process : "", canonical(input)]))
      .digest("base64url")
      .slice(0, MAC_CHARACTERS);

  return {
    seal: (sealed, now) => {
      const until = (now + SEAL_MINUTES * 60_000).toString(36);
      return `${until}.${sealed.number ?? ""}.${macOf(sealed, until)}`;
    },
    numberIn: (seal) => FORM.exec(seal)?.[2] || undefined,
    problem: (seal, sealed, now) => {
      const [, until, , mac] = FORM.exec(seal) ?? [];
      if (until === undefined || mac === undefined) return "malformed";
      if (!timingSafeEqual(Buffer.from(macOf(sealed, until)), Buffer.from(mac))) return "other arguments";
      if (Number.parseInt(until, 36) < now) return "expired";
      return used.has(mac) ? "used" : undefined;
    },
    use: (seal, now) => {
      const [, until = "0", , mac = ""] = FORM.exec(seal) ?? [];
      for (const [old, end] of used) if (end < now) used.delete(old);
      used.set(mac, Number.parseInt(until, 36));
      return () => used.delete(mac);
    },
  };
}
