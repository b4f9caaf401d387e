import { FleetError } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import { unlessAborted, unref } from "../runtime/call-deadline.ts";
import type { SignedStore } from "./signed-store.ts";

/** What is recorded of a write before anything is sent, so that another process can finish it. */
export interface WriteRecord {
  number?: string | undefined;
  confirmation?: string | undefined;
}

/** How long others wait for a process that has died. */
const HOLD_MS = 6_000;
const RENEW_MS = 1_500;
const POLL_MS = 200;

/** How long a write can be finished by another process. */
const RECORD_MS = 10 * 60_000;

/** How long a used confirmation is remembered: until long after it has expired. */
export const USED_MS = 24 * 60 * 60_000;

const pause = () => new Promise<void>((resolve) => void setTimeout(resolve, POLL_MS));

function recordIn(text: string): WriteRecord {
  const { number, confirmation } = JSON.parse(text) as WriteRecord;
  return { number, confirmation };
}

/**
 * The hold of one process on a write, which keeps all others from sending it. An error that leaves it open whether another process has sent the
 * write is an `unknownOutcome`.
 */
export class Hold {
  /** A write that another process has left unfinished. */
  interrupted: WriteRecord | undefined;
  readonly #call: string;
  readonly #open: () => SignedStore;
  readonly #store: SignedStore;
  /** The value of the hold, which shows that it has not passed to another process. */
  readonly #owner = crypto.randomUUID();
  /** Until when no other process can have the hold, on the clock of `performance.now`. */
  #until = Number.POSITIVE_INFINITY;
  /** Whether another process may have the hold, and rely on what is stored. */
  #isLost = false;
  #renewal: ReturnType<typeof setInterval> | undefined;
  #record: string | undefined;

  constructor(open: () => SignedStore, call = "") {
    this.#open = open;
    this.#store = open();
    this.#call = call;
  }

  /** Waits until no other process sends the same write, and keeps the others waiting until `release`. Throws if one may have sent it during a pause. */
  async take(signal: AbortSignal | undefined, wasPaused = () => false): Promise<void> {
    try {
      for (;;) {
        const until = performance.now() + HOLD_MS;
        if ((await this.#store.add("hold", this.#call, this.#owner, HOLD_MS)) === undefined) {
          this.#until = until;
          break;
        }
        await unlessAborted(signal, pause());
        this.#store.waited();
      }
    } catch (error) {
      this.#isLost = true;
      if (!(error instanceof FleetError && error.code === "unknownOutcome")) throw error;
      throw withDetails(error, { jobNumber: (await this.#read())?.number });
    }
    if (wasPaused()) throw this.#lose();
    this.#renewal = setInterval(() => void this.#extend(this.#open()).catch(() => {}), RENEW_MS);
    unref(this.#renewal);
    this.interrupted = await this.#whileHeld(this.#read());
  }

  /** Records that the write is about to be sent. Throws if another process may have taken it over. */
  async record(write: WriteRecord): Promise<void> {
    if (this.#record !== undefined) return;
    await this.check();
    const record = JSON.stringify({ ...write, owner: this.#owner });
    this.#record = record;
    if ((await this.#whileHeld(this.#store.add("write", this.#call, record, RECORD_MS))) === undefined) return;
    this.#record = undefined;
    throw this.#lose();
  }

  /** Throws if another process may have taken the write over. Call it right before each request. */
  async check(): Promise<void> {
    if (!(await this.#whileHeld(this.#extend(this.#store)))) throw this.#lose();
  }

  /** Marks a confirmation as used. Returns false if a process has already done so. */
  async use(confirmation: string): Promise<boolean> {
    try {
      return (await this.#whileHeld(this.#store.add("used", confirmation, this.#owner, USED_MS))) === undefined;
    } catch (error) {
      // It may have been marked although the reply was lost.
      await this.#store.remove("used", confirmation, this.#owner);
      throw error;
    }
  }

  /** Makes a confirmation valid again if it was marked through this hold. Never throws. */
  async restore(confirmation: string): Promise<void> {
    if (!this.#isLost) await this.#store.remove("used", confirmation, this.#owner);
  }

  /** Lets other processes send the write. Unless it is over, the next identical call will find its record. Never throws. */
  async release(isOver: boolean): Promise<void> {
    clearInterval(this.#renewal);
    const store = this.#open();
    if (isOver && this.#record !== undefined && !this.#isLost) await store.remove("write", this.#call, this.#record);
    if (isOver) await this.#store.removeUnverified();
    // Also if it was not taken: the reply may have been lost.
    await store.remove("hold", this.#call, this.#owner);
  }

  async #read(): Promise<WriteRecord | undefined> {
    this.#record = await this.#store.read("write", this.#call);
    return this.#record === undefined ? undefined : recordIn(this.#record);
  }

  async #extend(store: SignedStore): Promise<boolean> {
    const until = performance.now() + HOLD_MS;
    const isOwn = await store.extend("hold", this.#call, this.#owner, HOLD_MS);
    if (isOwn) this.#until = until;
    return isOwn;
  }

  #lose(): FleetError {
    this.#isLost = true;
    const message =
      "this server was paused, or the store that coordinates writes lost data; this call sent nothing, but another server may have sent it";
    return new FleetError("unknownOutcome", message, {
      jobNumber: this.#record === undefined ? undefined : recordIn(this.#record).number,
      advice: "Call again with the same arguments",
    });
  }

  /** Waits for a command. If it fails after the hold may have ended, another process may have sent the write and forgotten it. */
  async #whileHeld<Value>(command: Promise<Value>): Promise<Value> {
    return command.catch((error: FleetError) => {
      throw error.code === "network" && performance.now() >= this.#until ? this.#lose() : error;
    });
  }
}
