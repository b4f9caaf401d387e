import { FleetError } from "@fleetwire/core";
import { unlessAborted } from "../unless-aborted.ts";

/** A read in flight that several callers wait for. */
export class SharedRead<Result> {
  readonly result: Promise<Result>;
  readonly #cancel = new AbortController();
  #waiting = 0;
  #isDone = false;
  /** Whether the read continues even if nobody is waiting for it. */
  #isKept: boolean;

  constructor(send: (signal: AbortSignal) => Promise<Result>, { isKept = false }: { isKept?: boolean } = {}) {
    this.#isKept = isKept;
    this.result = send(this.#cancel.signal);
    const done = () => {
      this.#isDone = true;
    };
    this.result.then(done, done);
  }

  get isAborted(): boolean {
    return this.#cancel.signal.aborted;
  }

  /** Waits until the caller's signal fires. The read is aborted once its last caller has left. */
  async wait(signal: AbortSignal | undefined, operation: string): Promise<Result> {
    this.#waiting++;
    try {
      return await unlessAborted(
        signal,
        this.result,
        () => new FleetError("aborted", `${operation}: the caller aborted the call`, { operation }),
      );
    } finally {
      this.#waiting--;
      if (this.#waiting === 0 && !this.#isDone && !this.#isKept) this.#cancel.abort();
    }
  }

  /** Lets the read continue even if nobody is waiting for it. */
  keep(): void {
    this.#isKept = true;
  }
}
