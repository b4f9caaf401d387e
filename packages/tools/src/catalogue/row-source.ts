import type * as z from "zod";
import type { ListPage } from "../results/list-result.ts";
import type { ToolContext } from "../tool.ts";
import type { FlatRow, FlatRows } from "./flatten-rows.ts";
import type { ListPagination } from "./list-pagination.ts";

/** What is said of the rows that are shown. */
interface RowDescription extends Omit<ListPage, "what" | "rows" | "next"> {
  notes: readonly string[];
  /** The fields that are shown in place of the default ones. */
  asked: readonly string[] | undefined;
}

/** Where a tool finds the rows of a response, and what there is to say of them. */
export interface RowSource {
  /** Arguments in place of those that follow from the operation's input, and what is taken for them. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  accepts?: Readonly<Record<string, z.ZodType>>;
  noun: ListPage["what"];
  /** The types of a row's fields, for the output schema. */
  itemTypes: Readonly<Record<string, unknown>>;
  /** How a cursor leads through them. */
  pagination: ListPagination;
  read: (
    output: unknown,
    context: ToolContext,
  ) => { flat: FlatRows; describe: (rows: readonly FlatRow[], asked: readonly string[] | undefined) => RowDescription };
}
