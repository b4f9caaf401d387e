/** Behind the path of a product source: it is loaded as it is written, without switches. */
export const PLAIN = "?plain";

export const REGISTRY = "__fleetwireMutants";

class Endless extends Error {
  override name = "Endless";
}

const now = performance.now.bind(performance);
const CALLS_BETWEEN_LOOKS = 0x3fff;

/** Which mutant is on, and which were passed, in a process that runs tests. */
export class Switches {
  /** Hits by file, while coverage is recorded. */
  #hits: Map<string, Uint8Array> | undefined;
  #on: { file: string; number: number } | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  #calls = 0;

  /** What a source with switches asks of each of its mutants by number: whether it is on. */
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
    // An endless loop nearly always passes a switch, and can be ended there.
    return (number) => {
      this.#endWhenLate();
      return number === on;
    };
  }

  #endWhenLate(): void {
    if ((++this.#calls & CALLS_BETWEEN_LOOKS) === 0 && now() > this.#deadline) throw new Endless("this takes too long");
  }

  /** One mutant, or none, in modules that are loaded from now on. */
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

  /** What was passed since the last time. */
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
