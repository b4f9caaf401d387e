import { nextTurn } from "@fleetwire/core/internal";

/** Milliseconds of work after which other callers are served. */
const SLICE = 8;
/** Items between two clock checks: few enough for a slice, even if each takes several microseconds. */
const BATCH = 256;
/** The same for records that arrive from the service. */
const RECORDS = 16;

/** Divides long work into slices, so that one caller's large fleet does not block the others. */
export class TimeSlices {
  #until = performance.now() + SLICE;
  /** Items since the clock was checked, in all calls: many short lists take as long as one long list. */
  #count = 0;

  /** Whether the current slice is over and {@link next} has to be awaited. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Lets other work run, then begins a new slice. */
  async next(): Promise<void> {
    await new Promise<void>(nextTurn);
    this.#until = performance.now() + SLICE;
  }

  /** Runs a computation, and lets other work run between its steps. */
  async run<Result>(steps: Generator<void, Result, void>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isOver) await this.next();
    }
  }

  /** Calls a function for each item, and lets other work run between items. */
  async each<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
    for (const item of items) {
      visit(item);
      if (this.#isDue(BATCH)) await this.next();
    }
  }

  /** Does the same with records that arrive one by one, which take longer. */
  async eachOf<Item>(items: AsyncIterable<Item>, visit: (item: Item) => void): Promise<void> {
    for await (const item of items) {
      visit(item);
      if (this.#isDue(RECORDS)) await this.next();
    }
  }

  /** Whether the slice is over, checked once in so many items. */
  #isDue(batch: number): boolean {
    this.#count = (this.#count + 1) % batch;
    return this.#count === 0 && this.isOver;
  }
}

/** Calls a function for each item, in slices. */
export const forEachInSlices = <Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> =>
  new TimeSlices().each(items, visit);
