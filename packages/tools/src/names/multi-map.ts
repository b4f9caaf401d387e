/**
 * A map with several values per key. Most names and codes belong to one entity only, and holding a single value without a list around it
 * saves a third of the memory of a large index. Values must not be arrays.
 */
export class MultiMap<Value extends object> {
  readonly #map = new Map<string, Value | Value[]>();

  get(key: string): readonly Value[] {
    const held = this.#map.get(key);
    return held === undefined ? [] : Array.isArray(held) ? held : [held];
  }

  has(key: string): boolean {
    return this.#map.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#map.keys();
  }

  /** Adds a value, unless it was the last to be added to the key. */
  add(key: string, value: Value): void {
    const held = this.#map.get(key);
    if (held === undefined) this.#map.set(key, value);
    else if (!Array.isArray(held)) this.#map.set(key, held === value ? value : [held, value]);
    else if (held.at(-1) !== value) held.push(value);
  }

  /** Removes a value. Returns whether the key was removed too. */
  remove(key: string, value: Value): boolean {
    const held = this.#map.get(key);
    if (Array.isArray(held)) {
      const at = held.indexOf(value);
      if (at !== -1) held.splice(at, 1);
      if (held.length > 0) return false;
    } else if (held !== value) {
      return false;
    }
    return this.#map.delete(key);
  }
}
