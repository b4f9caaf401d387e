import { FleetError } from "@fleetwire/core";
import { unlessAborted } from "../runtime/call-deadline.ts";

/** A read in flight that several callers wait for. */
export class SharedRead<Result> {
  readonly result: Promise<Result>;
  /** Whether the read continues even if nobody is waiting for it. */
  isKept: boolean;
  readonly #cancel = new AbortController();
  #waiting = 0;
  #isDone = false;
  #isLate = false;
  readonly #onLate: (() => void)[] = [];

  constructor(send: (signal: AbortSignal) => Promise<Result>, isKept = false) {
    this.isKept = isKept;
    this.result = send(this.#cancel.signal);
    const done = () => {
      this.#isDone = true;
    };
    this.result.then(done, done);
  }

  /** Whether the read has taken longer than a call that waited for it from the start. Others must not depend on it alone. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Whether a new caller can wait for it. It is aborted once its last caller has left. */
  get isJoinable(): boolean {
    return this.#isDone || !(this.#cancel.signal.aborted || this.#isLate);
  }

  markLate(): void {
    if (this.#isLate || this.#isDone) return;
    this.#isLate = true;
    for (const listener of this.#onLate.splice(0)) listener();
  }

  whenLate(listener: () => void): void {
    this.#onLate.push(listener);
  }

  abort(): void {
    this.#cancel.abort();
  }

  /** Waits until the caller's signal fires. */
  async wait(signal: AbortSignal, operation: string): Promise<Result> {
    this.#waiting++;
    const left = () => new FleetError("aborted", `${operation}: the caller aborted the call`, { operation });
    try {
      return await unlessAborted(signal, this.result, left);
    } finally {
      this.#waiting--;
      if (this.#waiting === 0 && !this.#isDone && !this.isKept) this.#cancel.abort();
    }
  }
}

/**
 * Waits for the current read, which `current` joins or starts, and returns whichever read succeeds first: once a read is late, its callers wait for a
 * new one too, whose failure counts instead.
 */
export async function firstShared<Read extends SharedRead<unknown>>(
  current: () => Read,
  signal: AbortSignal | undefined,
  operation: string,
  late?: Read,
): Promise<Read> {
  const leaving = new AbortController();
  const first = current();
  const leave = () => {
    leaving.abort();
    // By its deadline.
    if (signal?.reason instanceof FleetError) first.markLate();
  };
  if (signal?.aborted) leaving.abort();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await new Promise<Read>((resolve, reject) => {
      const join = (read: Read) => {
        const fail = (error: unknown) => {
          if (!read.isLate || leaving.signal.aborted) reject(error);
        };
        read.wait(leaving.signal, operation).then(() => resolve(read), fail);
        read.whenLate(() => {
          if (!leaving.signal.aborted) join(current());
        });
      };
      join(first);
      late?.wait(leaving.signal, operation).then(
        () => resolve(late),
        () => {},
      );
    });
  } finally {
    signal?.removeEventListener("abort", leave);
    leaving.abort();
  }
}
