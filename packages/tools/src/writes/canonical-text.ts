/** Canonicalizes a value: two results are equal if and only if the values would be sent as the same JSON, ignoring member order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(canonical)];
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return ["object", ...members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, canonical(inner)])];
}

/** Serializes a value canonically: two strings are equal if and only if the values would be sent as the same JSON. */
export const canonicalText = (value: unknown): string => JSON.stringify(canonical(value));
