/** Suffix of a source's path that loads it unchanged, without switches. */
export const PLAIN = "?plain";

export const REGISTRY = "__fleetwireMutants";

class Endless extends Error {
  override name = "Endless";
}

const now = performance.now.bind(performance);
const CALLS_BETWEEN_LOOKS = 0x3fff;

/** Which mutant is active, and which have been reached, in a process that runs tests. */
export class Switches {
  /** Hits by file, while coverage is being recorded. */
  #hits: Map<string, Uint8Array> | undefined;
  #on: { file: string; number: number } | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  #calls = 0;

  /** Called by a source with switches to ask whether a mutant, by its number, is active. */
  of(file: string, count: number): (number: number) => boolean {
    if (this.#hits) {
      const hits = this.#hits.get(file) ?? new Uint8Array(count);
      this.#hits.set(file, hits);
      return (number) => {
        this.#endWhenLate();
        hits[number] = 1;
        return false;
      };
    }
    const on = this.#on?.file === file ? this.#on.number : -1;
    // An endless loop nearly always reaches a switch, where it can be ended.
    return (number) => {
      this.#endWhenLate();
      return number === on;
    };
  }

  #endWhenLate(): void {
    if ((++this.#calls & CALLS_BETWEEN_LOOKS) === 0 && now() > this.#deadline) throw new Endless("this takes too long");
  }

  /** Activates one mutant, or none, in modules loaded from now on. */
  turnOn(mutant: { file: string; number: number } | undefined): void {
    this.#hits = undefined;
    this.#on = mutant;
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  endBy(deadline: number): void {
    this.#deadline = deadline;
  }

  record(): void {
    this.#on = undefined;
    this.#hits = new Map();
  }

  /** Returns what has been reached since the last call. */
  takeHits(): Record<string, number[]> {
    const taken: Record<string, number[]> = {};
    for (const [file, hits] of this.#hits ?? []) {
      const numbers: number[] = [];
      for (let number = hits.indexOf(1); number >= 0; number = hits.indexOf(1, number + 1)) numbers.push(number);
      if (numbers.length > 0) taken[file] = numbers;
      hits.fill(0);
    }
    return taken;
  }
}
