import type * as z from "zod";
import type { Operation } from "./operation.ts";
import { unwrapSchema } from "./schemas/unwrap-schema.ts";

type Fields = Readonly<Record<string, z.ZodType>>;

/** The fields of the entries of a list, of which `path` leads to further lists; those of an inner list stand for the list. */
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
 * The fields that a row of an operation's response may have, with their schemas, by the path of `tool.rows`; of a name that stands in two of its lists, the
 * innermost field. Undefined where the operation has no rows, or the path leads to no list of records.
 */
export function rowFields({ output, tool }: Operation): Fields | undefined {
  if (!tool?.rows) return undefined;
  const { path } = tool.rows;
  if (path === "") return entryFields(output, []);
  let list: z.ZodType | undefined = output;
  const names = path.split(".");
  // What stands around the first list, such as its pagination, belongs to no row.
  while (list && names.length > 0) {
    const { shape } = unwrapSchema(list)._zod.def as { shape?: Fields };
    if (!shape) break;
    list = shape[names.shift() as string];
  }
  return list && entryFields(list, names);
}
