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
  noun: ListPage["what"];
  /** How a cursor pages through the rows. */
  pagination: ListPagination;
  read: (
    output: unknown,
    input: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ) => { flat: FlatRows; describe: (rows: readonly FlatRow[], requested: readonly string[] | undefined) => RowDescription };
}
