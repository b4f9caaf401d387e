/** Keeps the smallest of many items, in order; items that compare equal keep their order. */
export class Smallest<Item> {
  readonly items: Item[] = [];
  readonly #most: number;
  readonly #compare: (a: Item, b: Item) => number;

  constructor(most: number, compare: (a: Item, b: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  add(item: Item): void {
    const { items } = this;
    const last = items.at(-1);
    if (items.length >= this.#most && (last === undefined || this.#compare(item, last) >= 0)) return;
    let [start, end] = [0, items.length];
    while (start < end) {
      const middle = (start + end) >> 1;
      if (this.#compare(item, items[middle] as Item) < 0) end = middle;
      else start = middle + 1;
    }
    items.splice(start, 0, item);
    if (items.length > this.#most) items.pop();
  }
}
