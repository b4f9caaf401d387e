import { type FactOf, isRecord } from "@fleetwire/core/internal";

type ShapeFact = FactOf<"shape">;
type Field = ShapeFact["fields"][number];

const depthOf = (path: string) => path.split(/[.[]/).length;

/** The lists of objects in a shape, the outermost first. */
const listsIn = (fields: readonly Field[]) =>
  fields
    .filter(({ path, types }) => types.includes("object") && path.endsWith("[*]"))
    .map(({ path }) => path.slice(0, -"[*]".length))
    .sort((a, b) => depthOf(a) - depthOf(b));

/** The records in one of the sandbox's bodies: the body if it is a list, or the longest list in it; otherwise the body itself. */
function ownRecords(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const lists = isRecord(body) ? Object.values(body).filter((value) => Array.isArray(value)) : [];
  return lists.sort((a, b) => b.length - a.length)[0] ?? [body];
}

/** The type of a value that is neither a list nor an object. */
const typeOf = (value: unknown) =>
  value === null ? "null" : typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;

/** A value for a field: the sandbox's own of that name if it fits, or a made-up one. */
function leaf(name: string, { types, values }: Field, own: unknown, at: number): unknown {
  const fits = types.some((type) => type === typeOf(own)) && (!values || values.some(({ value }) => value === own));
  if (fits) return own;
  const type = types[at % types.length];
  if (type === "string") return values?.[at % values.length]?.value ?? `${name} ${at + 1}`;
  if (type === "integer") return at + 1;
  if (type === "number") return at + 0.5;
  return type === "boolean" ? at % 2 === 0 : null;
}

/** Creates a body of an observed shape from the sandbox's own. Optional fields are in as many records as observed. */
export function shapedBody({ fields }: Pick<ShapeFact, "fields">, body: unknown): unknown {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const inner = (path: string) =>
    fields.filter((field) => /^\.[^.[\]]+$/.test(field.path.slice(path.length)) && field.path.startsWith(path));
  const [list] = listsIn(fields);
  const records = ownRecords(body);
  const valueAt = (path: string, name: string, own: unknown, at: number): unknown => {
    const field = byPath.get(path);
    if (!field) return undefined;
    const item = `${path}[*]`;
    if (path === list) return records.map((record, index) => valueAt(item, name, record, index));
    if (field.types.includes("array")) return byPath.has(item) ? [valueAt(item, name, Array.isArray(own) ? own[0] : own, at)] : [];
    if (!field.types.includes("object")) return leaf(name, field, own, at);
    const present = inner(path).filter(({ records: having, of }) => having >= of || at % Math.ceil(of / Math.max(1, having)) === 0);
    return Object.fromEntries(
      present.map(({ path: next }) => {
        const key = next.slice(path.length + 1);
        // Any name that does not look like that of a field.
        return [key === "<name>" ? "item-1" : key, valueAt(next, key, isRecord(own) ? own[key] : undefined, at)];
      }),
    );
  };
  return valueAt("$", "body", list === undefined ? records[0] : body, 0);
}
