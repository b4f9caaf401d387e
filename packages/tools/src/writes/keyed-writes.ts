import { FleetError, refusesOnly } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "../bytes.ts";
import type { PlannedWrite, SentWrite, ToolContext, WriteTool } from "../tool.ts";
import { canonicalText } from "./confirmation-token.ts";
import { type Sending, sendWrite } from "./send-write.ts";
import { changedNothing } from "./undelivered-writes.ts";

// What is forgotten is still one job: its number follows from the key.
const MOST_REMEMBERED = 1_000;

interface KeyedWrite {
  /** What the key was used for. */
  call: string;
  /** Undefined once it failed. */
  sending: Promise<SentWrite> | undefined;
  /** Whether a request under this key may have been carried out, although no response says so. */
  maybeSent: boolean;
}

/** The writes of a process by the idempotency keys that they were sent with. */
export interface KeyedWrites {
  /** The write that was sent with a key, unless it failed. A key that was used for another call is refused. */
  earlier(key: string, call: string): Promise<SentWrite> | undefined;
  /** Whether a failed write under this key may have been carried out. */
  maybeSent(key: string): boolean;
  /** Keeps a write from before anything of it is sent. A key under which nothing was changed is free again. */
  keep(key: string, call: string, sending: Promise<SentWrite>): void;
}

export function createKeyedWrites(): KeyedWrites {
  const writes = new Map<string, KeyedWrite>();
  return {
    earlier: (key, call) => {
      const known = writes.get(key);
      if (known === undefined || known.call === call) return known?.sending;
      throw new FleetError("input", "idempotencyKey: was used for another call, of other arguments or of another tool", {
        advice: "Use a key for one call alone",
      });
    },
    maybeSent: (key) => writes.get(key)?.maybeSent ?? false,
    keep: (key, call, sending) => {
      const write: KeyedWrite = { call, sending, maybeSent: writes.get(key)?.maybeSent ?? false };
      writes.delete(key);
      writes.set(key, write);
      const [oldest] = writes.keys();
      if (writes.size > MOST_REMEMBERED && oldest !== undefined) writes.delete(oldest);
      sending.catch((error: unknown) => {
        write.sending = undefined;
        write.maybeSent ||= !changedNothing(error);
        if (!write.maybeSent && writes.get(key) === write) writes.delete(key);
      });
    },
  };
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The number of a creation that follows from the key and what it is of: 90 bits, in as many characters as a random one has. */
function keyedNumber(key: string, tool: string, args: Readonly<Record<string, unknown>>, customerId: string): string {
  const bytes = sha256(utf8(canonicalText(["fleetwire job number", customerId, tool, key, args])));
  const characters = Array.from(bytes.subarray(0, 18), (byte) => CROCKFORD[byte & 31]).join("");
  return `FW-${characters.slice(0, 8)}-${characters.slice(8)}`;
}

/** The number that an idempotency key gives a creation. Refuses a key that could not keep the service from doing it twice. */
export function numberOfKey(tool: WriteTool, args: Readonly<Record<string, unknown>>, context: ToolContext): string | undefined {
  const { idempotencyKey: key, settings } = context;
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key === "")
    throw new FleetError("input", "idempotencyKey: must be a text that is not empty", { advice: "Give one, or call without it" });
  const { numbering } = tool.operation;
  if (numbering === undefined || args[numbering.field] !== undefined) return undefined;
  if (settings.jobNumbers !== "service") return keyedNumber(key, tool.name, args, settings.customerId);
  throw new FleetError("config", `${tool.name}: an idempotency key cannot keep from a second job while the service numbers jobs`, {
    advice: "Call without it, or leave FLEET_JOB_NUMBERS at client",
  });
}

/** Sends a write under an idempotency key. A number that is taken is this call's own: a process that has ended made the job, and it is inferred. */
export async function sendKeyed(
  tool: WriteTool,
  plan: PlannedWrite,
  wanted: Sending,
  key: string,
  context: ToolContext,
): Promise<SentWrite> {
  const maybeSent = context.keyedWrites.maybeSent(key);
  try {
    return await sendWrite(tool, plan, wanted, maybeSent, context);
  } catch (error) {
    const { field } = tool.operation.numbering ?? {};
    const isTaken = field !== undefined && wanted.number !== undefined && error instanceof FleetError && refusesOnly(error, field);
    if (maybeSent || !isTaken) throw error;
    return sendWrite(tool, plan, wanted, true, context);
  }
}
