import { forgetOldest } from "../runtime/forget-oldest.ts";
import { equalInConstantTime, macOver } from "../runtime/signing-key.ts";
import { Hold, USED_MS } from "./hold.ts";
import type { SignedStore } from "./signed-store.ts";

/** What a confirmation signs: exactly what the tool would send, and how it was shown. */
export interface ShownWrite {
  tool: string;
  /** The input without the generated job number. */
  input: Record<string, unknown>;
  /** The generated job number; sending the write again reuses it. */
  number: string | undefined;
  /** Whether the write lacks an idempotency key, so that the service could execute it twice. Such a confirmation is valid only in this process. */
  lacksKey: boolean;
  /** The state of a question, which the model never sees, is not valid as a model's confirmation. */
  shownAs: "question" | "preview";
}

export type ConfirmationProblem = "malformed" | "different" | "expired" | "used";

/** Whether a write was sent before: `unlikely` if only the loss of all that was stored could hide it. */
export type WasSent = "no" | "unlikely" | "maybe";

/** Without a problem, the confirmation now counts as used. */
interface Redemption {
  problem?: ConfirmationProblem;
  wasSent: WasSent;
}

export const CONFIRMATION_MINUTES = 10;
const VALID_MS = CONFIRMATION_MINUTES * 60_000;

// 132 bits, kept short because a model has to copy them character by character.
const MAC_CHARACTERS = 22;
const FORM = /^([0-9a-z]{1,12})\.([A-Z0-9-]{0,40})\.([\w-]{22})$/;

const MAX_ISSUED = 1_000;

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(canonical)];
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return ["object", ...members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)])];
}

/** Serializes a value canonically: two strings are equal if and only if the values would be sent as the same JSON. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));

/** Returns the parts of a confirmation, unverified. */
export function partsOf(confirmation: string) {
  const [, until, number, mac] = FORM.exec(confirmation) ?? [];
  if (until === undefined || mac === undefined) return undefined;
  return { until, number: number || undefined, mac, issuedAt: Number.parseInt(until, 36) - VALID_MS };
}

/**
 * Issues and redeems confirmations. They contain neither secrets nor arguments: one is passed along with the same arguments and is not valid
 * for others. They are also bound to `scope`, the customer and the servers.
 */
export class Confirmations {
  readonly #scope: unknown;
  readonly #open: () => SignedStore;
  readonly #isShared: boolean;
  readonly #sign: (text: string) => Promise<string>;
  #processId: string | undefined;
  /** Confirmations issued by this process. A write may have been sent with an earlier one that has the same job number. */
  readonly #issued = new Map<string, "unsent" | "maybeSent" | "discarded">();

  constructor(key: () => Uint8Array<ArrayBuffer>, scope: unknown, open: () => SignedStore, isShared: boolean) {
    this.#scope = scope;
    this.#open = open;
    this.#isShared = isShared;
    this.#sign = macOver(key, "fleetwire confirmation");
  }

  /** Set `maybeSent` if an earlier confirmation with the same job number may have been used. */
  async issue(write: ShownWrite, now: number, maybeSent = false): Promise<string> {
    const until = (now + VALID_MS).toString(36);
    const mac = await this.#macOf(write, until);
    this.#issued.set(mac, maybeSent ? "maybeSent" : "unsent");
    forgetOldest(this.#issued, MAX_ISSUED);
    return `${until}.${write.number ?? ""}.${mac}`;
  }

  /**
   * Verifies a confirmation and marks it as used in one step, so that only one of two concurrent calls succeeds. While a write is held, also
   * accepts the confirmation of the interrupted write that it repeats.
   */
  async redeem(confirmation: string, write: ShownWrite, now: number, hold = new Hold(this.#open)): Promise<Redemption> {
    const parts = partsOf(confirmation);
    if (parts === undefined) return { problem: "malformed", wasSent: "no" };
    const { until, mac } = parts;
    // An unsigned job number must not be reported as the one used.
    if (!equalInConstantTime(await this.#macOf(write, until), mac) || parts.number !== write.number) {
      // Issued here, it does not depend on a key that may be lost.
      return { problem: "different", wasSent: this.#issued.has(mac) ? await this.wasSent(confirmation, now) : "maybe" };
    }
    if (confirmation === hold.interrupted?.confirmation) return { wasSent: "maybe" };
    if (this.#issued.get(mac) === "discarded") return { problem: "used", wasSent: "maybe" };
    if (Number.parseInt(until, 36) < now) {
      const isUsed = await this.#isUsed(mac);
      return { problem: isUsed ? "used" : "expired", wasSent: await this.wasSent(confirmation, now) };
    }
    return (await hold.use(mac)) ? { wasSent: this.#wasSentUnlessUsed(mac) } : { problem: "used", wasSent: "maybe" };
  }

  /** Whether a write was sent with a confirmation. Never throws. */
  async wasSent(confirmation: string, now: number): Promise<WasSent> {
    const { mac, issuedAt } = partsOf(confirmation) ?? {};
    if (mac === undefined || issuedAt === undefined || issuedAt + USED_MS < now) return "maybe";
    return (await this.#isUsed(mac).catch(() => true)) ? "maybe" : this.#wasSentUnlessUsed(mac);
  }

  /** Invalidates a confirmation issued by this process. Never throws. */
  async discard(confirmation: string): Promise<void> {
    const mac = partsOf(confirmation)?.mac ?? "";
    // Forged ones are not stored: with enough of them, an attacker could evict those that were used.
    if (!this.#issued.has(mac)) return;
    this.#issued.set(mac, "discarded");
    await new Hold(this.#open).use(mac).catch(() => {});
  }

  async #isUsed(mac: string): Promise<boolean> {
    return (await this.#open().read("used", mac)) !== undefined;
  }

  /** An earlier process may have used a confirmation that this one did not issue, unless they share what was used. */
  #wasSentUnlessUsed(mac: string): WasSent {
    const issued = this.#issued.get(mac);
    if (issued === undefined ? !this.#isShared : issued !== "unsent") return "maybe";
    return this.#isShared ? "unlikely" : "no";
  }

  async #macOf({ tool, input, number, lacksKey, shownAs }: ShownWrite, until: string): Promise<string> {
    this.#processId ??= crypto.randomUUID();
    const text = canonicalText([this.#scope, tool, shownAs, until, number ?? "", lacksKey ? this.#processId : "", input]);
    return (await this.#sign(text)).slice(0, MAC_CHARACTERS);
  }
}
