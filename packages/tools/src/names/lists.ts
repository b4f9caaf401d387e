/** Lists by key. Most have one item, which is held without a list: this saves a third of the memory of a large index. */
export type Lists<Item extends object> = Map<string, Item | Item[]>;

export function listOf<Item extends object>(lists: Lists<Item> | undefined, key: string): readonly Item[] {
  const held = lists?.get(key);
  return held === undefined ? [] : Array.isArray(held) ? held : [held];
}

export function add<Item extends object>(lists: Lists<Item>, key: string, item: Item): void {
  const held = lists.get(key);
  if (Array.isArray(held)) held.push(item);
  else lists.set(key, held === undefined ? item : [held, item]);
}

/** Removes an item; returns whether it was the last one of its key. */
export function remove<Item extends object>(lists: Lists<Item>, key: string, item: Item): boolean {
  const held = lists.get(key);
  if (!Array.isArray(held)) return held === item && lists.delete(key);
  const at = held.indexOf(item);
  if (at !== -1) held.splice(at, 1);
  return held.length === 0 && lists.delete(key);
}
