import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FlatRow, FlatRows } from "./flatten-rows.ts";
import type { ListPagination } from "./list-pagination.ts";
import type { ListPage } from "./list-result.ts";

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
    context: FleetContext,
  ) => { flat: FlatRows; describe: (rows: readonly FlatRow[], requested: readonly string[] | undefined) => RowDescription };
}
