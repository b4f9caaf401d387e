import type * as z from "zod";
import type { ListPage } from "../results/list-result.ts";
import type { ToolContext } from "../tool.ts";
import type { FlatRow, FlatRows } from "./flatten-rows.ts";
import type { ListPagination } from "./list-pagination.ts";

/** How to present the rows of a page. */
interface RowDescription extends Omit<ListPage, "what" | "rows" | "next" | "times"> {
  notes: readonly string[];
  /** The fields to show instead of the default fields. */
  requested: readonly string[] | undefined;
}

/** Where a tool finds the rows in a response, and how to present them. */
export interface RowSource {
  /** Arguments that replace those derived from the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  /** Schemas that validate these arguments in place of the ones shown to models. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  noun: ListPage["what"];
  /** The types of a row's fields, for the output schema. */
  itemTypes: Readonly<Record<string, unknown>>;
  /** How a cursor pages through the rows. */
  pagination: ListPagination;
  read: (
    output: unknown,
    context: ToolContext,
  ) => { flat: FlatRows; describe: (rows: readonly FlatRow[], requested: readonly string[] | undefined) => RowDescription };
}
