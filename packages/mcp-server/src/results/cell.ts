const CELL_CHARACTERS = 120;
const VALUE_CHARACTERS = 400;
const LIST_ITEMS = 20;

/** Text of a record on one line: records are data, and data must not break out of its cell. */
export function plainText(text: string, limit = CELL_CHARACTERS): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** A value as a table's cell. */
export function cell(value: unknown): string {
  if (value === undefined || value === null || value === "") return "-";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return cell(value.join(", "));
  return plainText(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("|", "¦");
}

/** A value for a structured result: as it is, but for texts and lists that are too long to send to a model. */
export function clipped(value: unknown): unknown {
  if (typeof value === "string") return value.length > VALUE_CHARACTERS ? `${value.slice(0, VALUE_CHARACTERS - 1)}…` : value;
  if (Array.isArray(value)) {
    const kept: unknown[] = value.slice(0, LIST_ITEMS).map(clipped);
    return kept;
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[plainText(name, 64), clipped(inner)]])),
    );
  }
  return value;
}

/** Whether {@link clipped} or a cell takes anything away from a value. */
export function isClipped(value: unknown): boolean {
  if (typeof value === "string") return value.length > CELL_CHARACTERS;
  if (Array.isArray(value)) return value.length > LIST_ITEMS || value.some(isClipped);
  return typeof value === "object" && value !== null && Object.values(value).some(isClipped);
}
