import type * as z from "zod";
import type { Operation } from "./operation.ts";
import { unwrapSchema } from "./schemas/unwrap-schema.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** The fields of a list's entries. Each inner list along `path` is replaced with the fields of its own entries. */
function entryFields(list: z.ZodType, path: readonly string[]): Fields | undefined {
  const { element } = unwrapSchema(list)._zod.def as { element?: z.ZodType };
  const { shape } = (element ? unwrapSchema(element)._zod.def : {}) as { shape?: Fields };
  const [name, ...rest] = path;
  if (name === undefined || !shape) return shape;
  const { [name]: inner, ...around } = shape;
  const fields = inner && entryFields(inner, rest);
  return fields && { ...around, ...fields };
}

/**
 * Returns the fields of a row in an operation's response (see `tool.rows`), with their schemas. If nested lists share a field name, the innermost wins.
 * Returns undefined if the operation has no rows, or if the path does not lead to a list of records.
 */
export function rowFields({ output, tool }: Operation): Fields | undefined {
  if (!tool?.rows) return undefined;
  const { path } = tool.rows;
  if (path === "") return entryFields(output, []);
  let list: z.ZodType | undefined = output;
  const names = path.split(".");
  // Fields outside the first list, such as its pagination, do not belong to a row.
  while (list && names.length > 0) {
    const { shape } = unwrapSchema(list)._zod.def as { shape?: Fields };
    if (!shape) break;
    list = shape[names.shift() as string];
  }
  return list && entryFields(list, names);
}
