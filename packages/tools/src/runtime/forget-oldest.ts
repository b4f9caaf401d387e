/** Keeps a map from growing beyond a limit, by removing the oldest entry. */
export function forgetOldest<Key>(entries: Map<Key, unknown>, limit: number): void {
  const [oldest] = entries.keys();
  if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
}
